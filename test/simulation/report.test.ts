import { describe, expect, it } from 'vitest';
import { emptySummary, ratesAbove } from './report.ts';

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
