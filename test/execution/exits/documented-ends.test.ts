import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT_STOPS } from '../../../src/domain/exit.ts';

const root = new URL('../../../', import.meta.url);
const exits = new URL('src/execution/exits/', root);
const sources = readdirSync(exits).map((name) => readFileSync(new URL(name, exits), 'utf8'));
const page = readFileSync(new URL('docs/exits.md', root), 'utf8');
const [, ends = ''] = /## Refusals([^]*)## Closing all/.exec(page) ?? [];

describe('each reason for which an exit ends', () => {
  it('is one that an exit can have', () => {
    expect(EXIT_STOPS.filter((why) => !sources.some((each) => each.includes(`'${why}'`)))).toEqual(
      [],
    );
  });

  it('is in docs/exits.md', () => {
    const told = (why: string): boolean =>
      new RegExp('`[^`\n]*\\b' + why + '\\b[^`\n]*`').test(ends);
    expect(EXIT_STOPS.filter((why) => !told(why))).toEqual([]);
  });
});
