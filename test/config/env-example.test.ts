import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILE_SETTING, SETTING_NAMES } from '../../src/config/names.ts';

const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');
const settings = lines.flatMap((line, at) => {
  const name = /^(APP_\w+)=(.*)$/.exec(line);
  return name ? [{ name: name[1], value: name[2], comment: lines[at - 1] ?? '' }] : [];
});

describe('.env.example', () => {
  it('has every setting once, and nothing else', () => {
    const names = settings.map((each) => each.name);
    expect(names.toSorted()).toEqual([FILE_SETTING, ...SETTING_NAMES].toSorted());
  });

  it.each(settings)('says what $name is for and its default', ({ comment }) => {
    expect(comment).toMatch(/^# .+ Default: .+/);
  });

  it('sets nothing, so that a copy of it changes nothing', () => {
    expect(settings.filter((each) => each.value !== '')).toEqual([]);
  });
});
