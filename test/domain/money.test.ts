import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  average,
  changeOf,
  decimal,
  difference,
  isMultipleOf,
  percentOf,
  plainAverage,
  sum,
  textOf,
  toFourDecimals,
  toPaisa,
  weightedAverage,
  worth,
  ZERO,
} from '../../src/domain/money.ts';

const RUNS = { seed: 20_261_122, numRuns: 500 };
const signed = (most: number) => fc.integer({ min: -most, max: most });
/** Rupees with two decimals, as brokers write amounts. */
const amount = signed(1_000_000_000).map((paisa) => paisa / 100);
/** Rupees with four decimals, the finest of any price. */
const price = fc.integer({ min: 1, max: 2_000_000_000 }).map((units) => units / 10_000);
const quantity = fc.integer({ min: 1, max: 1_000_000 });
const fill = fc.record({ price, quantity });

/** The former calculation of six files, kept to compare with. */
const former = {
  paisa: (rupees: number) => Math.round(rupees * 100) / 100,
  four: (rupees: number) => Math.round(rupees * 10_000) / 10_000,
};

describe('sums and differences', () => {
  it('show no error of binary fractions', () => {
    expect([sum([0.1, 0.2]), sum([]), difference(0.3, 0.1)]).toEqual([0.3, 0, 0.2]);
  });

  it('equal the sums in whole paise', () => {
    fc.assert(
      fc.property(fc.array(signed(1_000_000_000)), (paise) => {
        const total = paise.reduce((all, each) => all + each, 0);
        expect(sum(paise.map((each) => each / 100))).toBe(total / 100 + 0);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(amount, amount, (left, right) => {
        expect(difference(left, right)).toBe(sum([left, -right]));
      }),
      RUNS,
    );
  });

  it('equal, to the paisa, the rounded sums of binary fractions', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (amounts) => {
        const floats = amounts.reduce((all, each) => all + each, 0);
        expect(toPaisa(sum(amounts))).toBeCloseTo(former.paisa(floats), 6);
        expect(toFourDecimals(sum(amounts))).toBeCloseTo(former.four(floats), 6);
      }),
      RUNS,
    );
  });
});

describe('rounding', () => {
  it('does not change a number that has no more decimals', () => {
    fc.assert(
      fc.property(amount, price, (rupees, each) => {
        expect([toPaisa(rupees), toFourDecimals(each)]).toEqual([rupees + 0, each]);
      }),
      RUNS,
    );
  });

  it('equals the former rounding of each file', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (rupees) => {
        expect(toPaisa(rupees)).toBe(former.paisa(rupees));
        expect(toFourDecimals(rupees)).toBe(former.four(rupees));
      }),
      RUNS,
    );
  });
});

describe('a change', () => {
  it('is in rupees and in percent, to four decimals', () => {
    expect([changeOf(1480.1, 1475.35), percentOf(4.75, 1475.35)]).toEqual([4.75, 0.322]);
    expect([changeOf(1, 1), percentOf(0, 1)]).toEqual([0, 0]);
    expect(percentOf(1, 0)).toBeNull();
  });

  it('added to the first price gives the second', () => {
    fc.assert(
      fc.property(price, price, (now, before) => {
        expect(toFourDecimals(before + changeOf(now, before))).toBe(now);
      }),
      RUNS,
    );
  });
});

describe('an average price', () => {
  it.each([
    [[], null],
    [[{ price: 100, quantity: 3 }], 100],
    [
      [
        { price: 100, quantity: 1 },
        { price: 101, quantity: 2 },
      ],
      100.6667,
    ],
  ])('of %j is %j', (fills, expected) => {
    expect(weightedAverage(fills)).toBe(expected);
  });

  it('lies between the prices, and equals the price when there is only one', () => {
    fc.assert(
      fc.property(fc.array(fill, { minLength: 1, maxLength: 20 }), (fills) => {
        const prices = fills.map((each) => each.price);
        const found = weightedAverage(fills)!;
        expect(found).toBeGreaterThanOrEqual(Math.min(...prices));
        expect(found).toBeLessThanOrEqual(Math.max(...prices));
        const [first] = fills;
        expect(weightedAverage(fills.map((each) => ({ ...each, price: first!.price })))).toBe(
          first!.price,
        );
      }),
      RUNS,
    );
  });

  it('does not depend on the order of the fills, or on how they are split', () => {
    fc.assert(
      fc.property(fc.array(fill, { minLength: 1, maxLength: 20 }), (fills) => {
        const cut = fills.flatMap(({ price: each, quantity: all }) => [
          { price: each, quantity: all - 1 },
          { price: each, quantity: 1 },
        ]);
        expect(weightedAverage(cut.toReversed())).toBe(weightedAverage(fills));
      }),
      RUNS,
    );
  });

  it('equals the result in binary fractions, to less than a paisa', () => {
    fc.assert(
      fc.property(fc.array(fill, { minLength: 1, maxLength: 20 }), (fills) => {
        const value = fills.reduce((all, each) => all + each.quantity * each.price, 0);
        const whole = fills.reduce((all, each) => all + each.quantity, 0);
        const before = former.four(value / whole);
        expect(Math.abs(weightedAverage(fills)! - before)).toBeLessThan(0.000_15);
        const prices = fills.map((each) => each.price);
        const plain = former.four(prices.reduce((all, each) => all + each, 0) / prices.length);
        expect(Math.abs(plainAverage(prices)! - plain)).toBeLessThan(0.000_15);
      }),
      RUNS,
    );
  });
});

describe('the ledger’s decimals', () => {
  it('keep every digit of their input', () => {
    fc.assert(
      fc.property(price, quantity, (each, count) => {
        const total = worth(each, count);
        expect(average(total, count)).toBe(each);
        expect(decimal(textOf(total)).eq(total)).toBe(true);
        expect(textOf(total)).toMatch(/^-?\d+(\.\d+)?$/);
        expect(total.minus(total).eq(ZERO)).toBe(true);
      }),
      RUNS,
    );
  });

  it('have no average for a quantity of 0', () => {
    expect(average(ZERO, 0)).toBeNull();
  });
});

describe('a multiple of a tick', () => {
  const tick = fc.constantFrom(0.01, 0.05, 0.1, 0.5, 1, 5, 0.0025);

  it('is recognised in spite of the error of binary fractions', () => {
    fc.assert(
      fc.property(tick, fc.integer({ min: 1, max: 1_000_000 }), (each, steps) => {
        expect(isMultipleOf(each * steps, each)).toBe(true);
        expect(isMultipleOf(toFourDecimals(each * steps), each)).toBe(true);
      }),
      RUNS,
    );
  });

  it('is not a price between two multiples', () => {
    fc.assert(
      fc.property(
        tick.filter((each) => each > 0.0025),
        fc.integer({ min: 1, max: 100_000 }),
        (each, steps) => {
          expect(isMultipleOf(toFourDecimals(each * steps + each / 10), each)).toBe(false);
        },
      ),
      RUNS,
    );
  });
});
