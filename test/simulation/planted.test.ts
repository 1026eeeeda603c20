import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { directedDay, seedsOf } from './plan-directed.ts';
import {
  CANCELLED_TRIGGER_DIRECTED_DAYS,
  DIRECTED_DAYS,
  DIRECTED_NIGHTS,
  EXIT_DIRECTED_DAYS,
  FURTHER_DIRECTED_DAYS,
  KEY_DIRECTED_DAYS,
  LATER_DIRECTED_DAYS,
  SIGNAL_DIRECTED_DAYS,
  STOP_DIRECTED_DAYS,
  TRIGGER_DIRECTED_DAYS,
} from './directed-days.ts';
import { FOUND } from './planted-found.ts';
import { PLANTED_BUGS } from './planted.ts';

/** Whether the checker finds them takes minutes: planted.slow.test.ts. */
describe('each planted bug', () => {
  const edits = PLANTED_BUGS.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));

  it.each(edits)('has its place in the source, once: $name', ({ file, find, replace }) => {
    expect(readFileSync(file, 'utf8').split(find).length).toBe(2);
    expect(replace).not.toBe(find);
  });

  it('that is said to be found is there, and is found within 200 seeds', () => {
    const names = PLANTED_BUGS.map(({ name }) => name);
    expect([...FOUND.keys()].filter((name) => !names.includes(name))).toEqual([]);
    const late = [...FOUND].filter(([, { seeds }]) => (seeds[0] ?? Infinity) > 200);
    expect(late).toEqual([]);
    expect([...FOUND].filter(([, { properties }]) => properties.length === 0)).toEqual([]);
  });

  it('is in docs/simulation.md, in the table where it is found, in the list where it is not', () => {
    const page = readFileSync(new URL('../../docs/simulation.md', import.meta.url), 'utf8');
    const lines = new Set(page.split('\n').map((line) => line.replace(/ +\|.*/, '')));
    const missing = PLANTED_BUGS.map(({ name }) => (FOUND.has(name) ? `| ${name}` : `- ${name}`));
    expect(missing.filter((line) => !lines.has(line))).toEqual([]);
  });

  it('has the properties and the first seed in docs/simulation.md that find it', () => {
    const page = readFileSync(new URL('../../docs/simulation.md', import.meta.url), 'utf8');
    const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const wrong = [...FOUND].flatMap(([name, { properties, seeds }]) => {
      const [, , foundBy = '', first = ''] = rows.find(([, bug]) => bug === name) ?? [];
      const isSame =
        foundBy.split(', ').toSorted().join() === properties.toSorted().join() &&
        first.replace(/^[a-z]+ /, '') === String(seeds[0]);
      return isSame
        ? []
        : [`${name}: ${foundBy}, ${first}; is ${properties.join(', ')}, ${seeds[0]}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('each property', () => {
  it('is broken by a planted bug', () => {
    const page = readFileSync(new URL('../../docs/simulation.md', import.meta.url), 'utf8');
    const properties = [...page.matchAll(/^\| \*\*([SL]\d+)\*\*/gm)].map(([, name]) => name);
    expect(properties.length).toBeGreaterThan(60);
    const broken = new Set([...FOUND.values()].flatMap((found) => found.properties));
    expect(properties.filter((name) => !broken.has(name ?? ''))).toEqual([]);
  });
});

describe('a directed day', () => {
  it('is played by the seeds that it says', () => {
    for (const directed of DIRECTED_NIGHTS) {
      for (const seed of seedsOf(directed, 3)) {
        expect(directedDay(String(seed), 'night')).toBe(directed);
      }
    }
    for (const directed of [
      ...DIRECTED_DAYS,
      ...LATER_DIRECTED_DAYS,
      ...EXIT_DIRECTED_DAYS,
      ...FURTHER_DIRECTED_DAYS,
      ...TRIGGER_DIRECTED_DAYS,
      ...CANCELLED_TRIGGER_DIRECTED_DAYS,
      ...STOP_DIRECTED_DAYS,
      ...KEY_DIRECTED_DAYS,
      ...SIGNAL_DIRECTED_DAYS,
    ]) {
      for (const seed of seedsOf(directed, 3)) expect(directedDay(String(seed))).toBe(directed);
    }
    expect(['1', '7', '11', '200x'].map((seed) => directedDay(seed))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
