import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worth } from '../../../src/domain/money.ts';
import { comparePositions } from '../../../src/execution/books/compare.ts';
import type { KeyPosition } from '../../../src/execution/books/key-books.ts';
import { NO_SUMS, plusSums, positionOf, sumsOf } from '../../../src/execution/books/sums.ts';
import { position } from '../support/makers.ts';

type Side = 'BUY' | 'SELL';
const side = fc.constantFrom<Side>('BUY', 'SELL');
const quantity = fc.integer({ min: 1, max: 50 });
const fills = fc.array(fc.record({ side, quantity }), { maxLength: 8 });
const product = fc.constantFrom('CNC', 'INTRADAY', 'MARGIN');
const signed = ({ side: of, quantity: units }: { side: Side; quantity: number }): number =>
  of === 'BUY' ? units : -units;
const netOf = (list: readonly { side: Side; quantity: number }[]): number =>
  list.reduce((net, each) => net + signed(each), 0);

/** An account with trades of three keys and trades placed elsewhere, and what was carried over of each. */
const account = fc.record({
  product,
  keys: fc.array(fc.record({ carried: fc.integer({ min: -40, max: 40 }), fills }), {
    minLength: 1,
    maxLength: 3,
  }),
  elsewhere: fills,
  before: fc.integer({ min: -40, max: 40 }),
});

type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

function compareOf({ product: of, keys, elsewhere, before }: Account, lost = 0) {
  const goesOn = of !== 'INTRADAY';
  const positions = keys.map(({ carried: given, fills: own }, place): KeyPosition => {
    const carried = { quantity: goesOn ? given : 0, cost: worth(100, Math.abs(given)) };
    const today = own.reduce(
      (sums, each) => plusSums(sums, sumsOf(each.side, each.quantity, worth(100, each.quantity))),
      NO_SUMS,
    );
    const line = {
      ...({ caller: `key_${place}`, broker: 'alt', mode: 'live', account: null } as const),
      ...{ instrument: 'NSE:INFY', product: of as 'CNC' },
    } as const;
    return { line, carried, today, ...positionOf(carried, today) };
  });
  const all = [...keys.flatMap((key) => key.fills), ...elsewhere];
  const bought = all
    .filter((each) => each.side === 'BUY')
    .reduce((sum, each) => sum + each.quantity, 0);
  const sold = bought - netOf(all);
  const carried = goesOn ? before + keys.reduce((sum, key) => sum + key.carried, 0) : 0;
  const row = position({
    ...{ product: of, quantity: carried + netOf(all) + lost },
    day: { buyQuantity: bought + lost, buyValue: 0, sellQuantity: sold, sellValue: 0 },
  });
  return comparePositions({
    ...{ mode: 'live', keys: positions, positions: [row], holdings: [], unread: [] },
    elsewhere: elsewhere.map((each) => ({ instrument: 'NSE:INFY', product: of, ...each })),
  });
}

describe('the keys, what was placed elsewhere and what was there before', () => {
  it('add up to what the broker holds, whoever has traded what', () => {
    fc.assert(
      fc.property(account, (given) => {
        const [one] = compareOf(given);
        const goesOn = given.product !== 'INTRADAY';
        expect(one).toMatchObject({
          ...{ difference: 0, elsewhereToday: netOf(given.elsewhere) },
          elsewhereBefore: goesOn ? given.before : 0,
        });
        expect(one?.ofKeys).toBe(
          given.keys.reduce((sum, key) => sum + netOf(key.fills) + (goesOn ? key.carried : 0), 0),
        );
      }),
    );
  });

  it('differ from it by just what no key and no order of the book has', () => {
    fc.assert(
      fc.property(account, quantity, (given, lost) => {
        expect(compareOf(given, lost)[0]?.difference).toBe(lost);
      }),
    );
  });
});
