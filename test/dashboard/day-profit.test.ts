import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import { profitOfDay } from '../../dashboard/src/pure/day-profit.ts';
import type { Account } from '../../dashboard/src/pure/stop-words.ts';
import { positionOf } from './support/samples.ts';

type Position = Schemas['Position'];

const account = (positions: readonly Position[] | null): Account => ({
  ...{ broker: 'alt', mode: 'live', positions, problem: positions === null ? 'no answer' : null },
});
const OFF: Schemas['Brakes'] = {
  ...{ maxOrderValue: null, maxOrderQuantity: null, maxOpenOrders: null },
  ...{ maxOrdersPerMinute: null, maxDailyLoss: null },
};
type Limited = NonNullable<Schemas['Brakes']['maxDailyLoss']>['accounts'][number];
const limit = (changes: Partial<Limited>): Schemas['Brakes'] => ({
  ...OFF,
  maxDailyLoss: {
    ...{ limit: 10_000, closesIntraday: false },
    accounts: [
      {
        ...{ broker: 'alt', profit: -1_234.5, at: '2026-11-23T10:15:02+05:30', from: 0 },
        ...{ unread: null, closing: null, ...changes },
      },
    ],
  },
});

const profit = (of: Account, brakes: Schemas['Brakes'] | null) =>
  profitOfDay(of, brakes, Date.parse('2026-11-23T18:00:00+05:30'));

describe('the day’s profit', () => {
  it('is that of the daily loss limit where one is set, whatever the positions say', () => {
    const of = profit(account([positionOf({ m2m: 99 })]), limit({}));
    expect(of.amount).toBe(-1_234.5);
    expect(of.words).toBe(
      'as the daily loss limit computes it, read at 10:15:02 IST; the limit is a loss of ₹10,000.00',
    );
  });

  it('is not known where the limit has not read it, and old where it could not read it again', () => {
    const never = profit(account([positionOf({ m2m: 99 })]), limit({ profit: null, at: null }));
    expect(never.amount).toBeNull();
    expect(never.words).toContain('has not read it yet');
    const first = profit(account([]), limit({ profit: null }));
    expect([first.amount, first.words]).toEqual([null, never.words]);
    const old = profit(account([]), limit({ unread: 'no price of NSE:INFY is known' }));
    expect(old.words).toContain('not read since: no price of NSE:INFY is known');
  });

  it('is the broker’s own count without a limit, of this account alone', () => {
    const positions = [positionOf({ m2m: 10.1 }), positionOf({ instrument: 'NSE:TCS', m2m: -0.2 })];
    const of = profit(account(positions), OFF);
    expect(of.amount).toBe(9.9);
    expect(of.words).toContain('no daily loss limit is set');
    expect(profit(account(positions), limit({ broker: 'other' })).amount).toBe(9.9);
    expect(profit(account([]), OFF).amount).toBe(0);
  });

  const day = { buyQuantity: 10, buyValue: 1, sellQuantity: 0, sellValue: 0 };
  const figures = { ...day, buyPrice: null, sellPrice: null };

  it.each([
    ['the positions cannot be read: no answer', null],
    ['NSE:INFY CNC', [positionOf({ product: 'CNC', quantity: -5, m2m: 40 })]],
    ['NSE:INFY INTRADAY', [positionOf({ m2m: null, pnl: 50, overnightQuantity: 3 })]],
    ['NSE:INFY INTRADAY', [positionOf({ m2m: null, pnl: 50, overnightQuantity: null, day: null })]],
    [
      'NSE:INFY INTRADAY',
      [positionOf({ m2m: null, pnl: 50, quantity: 12, overnightQuantity: null, day: figures })],
    ],
    ['NSE:INFY INTRADAY', [positionOf({ m2m: null, pnl: null, overnightQuantity: 0 })]],
  ] as const)('is not known, and says of what: %s', (words, positions) => {
    const of = profit(account(positions), OFF);
    expect(of.amount).toBeNull();
    expect(of.words).toContain(words);
  });

  it.each([
    ['carried nothing over', positionOf({ m2m: null, pnl: 50, overnightQuantity: 0 })],
    [
      'traded today alone',
      positionOf({ m2m: null, pnl: 50, overnightQuantity: null, day: figures }),
    ],
  ])('of a position that %s is what it has made so far', (_, position) => {
    expect(profit(account([position]), OFF).amount).toBe(50);
  });
});
