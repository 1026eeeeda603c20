import { describe, expect, expectTypeOf, it } from 'vitest';
import { accountFaultKinds, faultKinds } from '../../sandbox/kernel/faults.ts';
import type { MishapKind } from './mishaps.ts';
import {
  addSeed,
  type CountedMishap,
  countFromText,
  countToText,
  emptySummary,
  ratesAbove,
  writeSummary,
} from './report.ts';

it('the summary has a row for each trouble that a day can have', () => {
  // Checked when the types are: a kind of mishap that no list of the report has.
  expectTypeOf<Exclude<MishapKind, CountedMishap>>().toBeNever();
  const text = writeSummary(emptySummary(), 'npm run simulate', 'abc');
  const mishaps = ['disk_full', 'clock_jump', 'works_again', 'part_fill', 'restored', 'copied'];
  for (const trouble of [...faultKinds, ...accountFaultKinds, ...mishaps]) {
    expect(text).toContain(`| ${trouble} | 0 |`);
  }
});

describe('the rates of a run', () => {
  const run = { ...emptySummary(), seeds: 100, orders: 4_000 };

  it('are bounded: disputed and uncertain orders are the exception', () => {
    expect(ratesAbove({ ...run, disputed: 300, uncertain: 1_000 })).toEqual([]);
    expect(ratesAbove({ ...run, disputed: 500, uncertain: 2_000 })).toEqual([
      'L4: 500 of 4000 orders were disputed',
      'L4: 2000 of 4000 orders were uncertain',
    ]);
  });

  it('say nothing of a few seeds', () => {
    expect(ratesAbove({ ...run, seeds: 5, disputed: 4_000 })).toEqual([]);
  });
});

describe('a long run in parts', () => {
  const day = (seed: string, violations: readonly string[] = []) => ({
    ...{
      seed,
      hash: '',
      violations,
      orders: 40,
      crashes: 2,
      twinsBound: 0,
      disputed: 1,
      uncertain: 3,
    },
    strikes: new Map([['refuse', 2]]),
    pairs: new Map([['refuse × working', 1]]),
  });

  it('is added up as the same days in one run are', () => {
    const whole = emptySummary();
    let inParts = emptySummary();
    for (const each of [day('1'), day('2', ['S1 twice']), day('3')]) {
      addSeed(whole, each);
      inParts = countFromText(countToText(inParts));
      addSeed(inParts, each);
    }
    expect(inParts).toEqual(whole);
    expect(inParts).toMatchObject({ seeds: 3, orders: 120, fewestOrders: 40 });
    expect(inParts.failed).toEqual([{ seed: '2', violations: ['S1 twice'] }]);
  });
});
