import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { carryOver } from '../../../src/execution/books/key-books.ts';
import type { BookLine } from '../../../src/execution/books/order-share.ts';
import {
  type Carried,
  minusSums,
  NO_SUMS,
  NOTHING_CARRIED,
  plusSums,
  positionOf,
  readSums,
  storedSums,
  type Sums,
  sumsOf,
  unrealisedOf,
} from '../../../src/execution/books/sums.ts';
import { decimal, worth, ZERO } from '../../../src/domain/money.ts';
import type { Side } from '../../../src/domain/order.ts';

const traded = (side: Side, quantity: number, price: number | null): Sums =>
  sumsOf(side, quantity, price === null ? null : worth(price, quantity));
const day = (...trades: Sums[]): Sums => trades.reduce(plusSums, NO_SUMS);
const line = (parts: Partial<BookLine> = {}): BookLine => ({
  ...{ caller: 'a', broker: 'alt', mode: 'live', account: null },
  ...{ instrument: 'NSE:INFY', product: 'MARGIN' },
  ...parts,
});
const shown = ({ quantity, cost, realised }: ReturnType<typeof positionOf>) => ({
  quantity,
  cost: cost?.toNumber() ?? null,
  realised: realised?.toNumber() ?? null,
});

describe('the position that sums make', () => {
  it.each([
    ['what was bought', [traded('BUY', 10, 100)], { quantity: 10, cost: 1_000, realised: 0 }],
    [
      'a part that was sold',
      [traded('BUY', 10, 100), traded('SELL', 4, 110)],
      { quantity: 6, cost: 600, realised: 40 },
    ],
    [
      'a short position that was bought back in part',
      [traded('SELL', 10, 100), traded('BUY', 4, 90)],
      { quantity: -6, cost: 600, realised: 40 },
    ],
    [
      'more sold than was bought, at the average of all sales',
      [traded('BUY', 10, 100), traded('SELL', 15, 104)],
      { quantity: -5, cost: 520, realised: 40 },
    ],
    [
      'a closed one',
      [traded('BUY', 10, 100), traded('SELL', 10, 90)],
      { quantity: 0, cost: 0, realised: -100 },
    ],
  ])('is that of %s', (_, trades, expected) => {
    expect(shown(positionOf(NOTHING_CARRIED, day(...trades)))).toEqual(expected);
  });

  it('has no cost and no profit where a price is not known, and both again once it is known', () => {
    const unknown = day(traded('BUY', 10, null), traded('SELL', 4, 110));
    expect(shown(positionOf(NOTHING_CARRIED, unknown))).toEqual({
      ...{ quantity: 6, cost: null, realised: null },
    });
    const known = plusSums(minusSums(unknown, traded('BUY', 10, null)), traded('BUY', 10, 100));
    expect(shown(positionOf(NOTHING_CARRIED, known))).toEqual({
      ...{ quantity: 6, cost: 600, realised: 40 },
    });
  });

  it('is valued from its own cost, long and short', () => {
    const values = [positionOf(NOTHING_CARRIED, day(traded('BUY', 10, 100)))];
    values.push(positionOf(NOTHING_CARRIED, day(traded('SELL', 10, 100))));
    expect(values.map((each) => unrealisedOf(each, 95)?.toNumber())).toEqual([-50, 50]);
    expect(unrealisedOf({ quantity: 10, cost: null }, 95)).toBeNull();
  });
});

describe('what is carried over', () => {
  it('goes on at its average cost, whatever was made before', () => {
    const days = [day(traded('BUY', 10, 100), traded('SELL', 10, 110)), day(traded('BUY', 5, 200))];
    expect(carryOver(line(), NOTHING_CARRIED, days)).toEqual({ quantity: 5, cost: decimal(1_000) });
  });

  it.each([
    ['live', 0],
    ['paper', 5],
  ] as const)('of intraday products at a %s account is %i', (mode, quantity) => {
    const days = [day(traded('BUY', 5, 100))];
    const carried = carryOver(line({ product: 'INTRADAY', mode }), NOTHING_CARRIED, days);
    expect(carried.quantity).toBe(quantity);
  });
});

describe.each(['a', 'b', 'c', 'd', 'e', 'f'])('any days of trades (%s)', (seed) => {
  it('make what was received less what was paid, to the last digit, and survive being stored', () => {
    const random = seededRandom(seed);
    const below = (count: number): number => Math.floor(random.next() * count);
    let carried: Carried = NOTHING_CARRIED;
    let [made, cash] = [ZERO, ZERO];
    const wrong: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      let sums = NO_SUMS;
      for (let count = below(7); count > 0; count -= 1) {
        const [side, quantity] = [random.next() < 0.5 ? 'BUY' : 'SELL', 1 + below(97)] as const;
        const price = (1 + below(9_999_999)) / 100;
        sums = plusSums(sums, traded(side, quantity, price));
        const value = worth(price, quantity);
        cash = side === 'SELL' ? cash.plus(value) : cash.minus(value);
      }
      const position = positionOf(carried, readSums(storedSums(sums)));
      made = made.plus(position.realised ?? ZERO);
      const signed = (position.cost ?? ZERO).times(position.quantity >= 0 ? 1 : -1);
      if (!made.minus(signed).eq(cash)) wrong.push(`day ${step}: ${made.minus(signed)} ${cash}`);
      carried = { quantity: position.quantity, cost: position.cost };
    }
    expect(wrong).toEqual([]);
  });
});
