import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freezeListOn, isOutdated } from '../../src/domain/freeze-quantities.ts';

const page = readFileSync(new URL('../../docs/spec/freeze-quantities.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| (From|\d{4}-\d{2}-\d{2}) /.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the lists of freeze quantities', () => {
  it('are those of the documentation, each found on its first day', () => {
    const [[, ...names] = [], ...lists] = rows;
    expect(lists).toHaveLength(5);
    for (const [from = '', ...figures] of lists) {
      const list = freezeListOn(from);
      const quantities = names.map((name) => String(list?.quantities.get(name)));
      expect([list?.from, ...quantities]).toEqual([from, ...figures]);
    }
  });

  it('hold until the next one, and are outdated from the next month on', () => {
    const on = (day: string) => {
      const list = freezeListOn(day);
      return list && [list.from, isOutdated(list, day)];
    };
    expect(on('2025-06-30')).toBeNull();
    expect(on('2025-07-31')).toEqual(['2025-07-01', false]);
    expect(on('2025-08-01')).toEqual(['2025-07-01', true]);
    expect(on('2026-01-31')).toEqual(['2025-12-01', true]);
    expect(on('2026-02-28')).toEqual(['2026-02-01', false]);
    expect(on('2027-02-01')).toEqual(['2026-02-01', true]);
  });
});
