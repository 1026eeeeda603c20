import { describe, expect, it } from 'vitest';
import type { UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import { decidePortfolio, heldOf, shownTraded } from '../../../src/execution/reconcile/held.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { accept, AT, eventsOf, portfolio, position, stateOf, terms } from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

describe('what an account has', () => {
  const read = (quantity: number, lastPrice: number | null, at: number) => ({
    broker: 'alt' as const,
    mode: 'live' as const,
    positions: [position({ quantity, lastPrice })],
    holdings: [],
    unread: [],
    at: epochMs(at),
  });

  it('is kept with the time at which it was read', () => {
    const state = stateOf();
    expect(accept(state, decidePortfolio(state, read(10, 1_500, AT)))).toBe(true);
    expect(state.portfolios.get('alt')).toMatchObject({ readAt: AT, mode: 'live' });
  });

  it('is as new as the last read, also when that showed the same', () => {
    const state = stateOf();
    accept(state, decidePortfolio(state, read(10, 1_500, AT)));
    accept(state, decidePortfolio(state, read(10, 1_500, AT + 5)));
    expect(state.portfolios.get('alt')).toMatchObject({ readAt: AT + 5 });
  });
});

describe('a row that cannot be read any more', () => {
  const sale = terms({ side: 'SELL' });
  const isinOf = () => null;
  const readWith = (
    unread: readonly UnreadPortfolioRow[],
    positions = [position({ instrument: 'NSE:TCS' })],
  ) => ({
    ...{ broker: 'primary', mode: 'live' as const, positions, holdings: [], unread, at: AT },
  });
  const row = (parts: Partial<UnreadPortfolioRow> = {}): UnreadPortfolioRow => ({
    ...{ list: 'positions', instrument: null, product: null, quantity: null, reason: 'odd' },
    ...parts,
  });

  it('counts as it was last known for the exit guard alone', () => {
    const known = portfolio({ positions: [position({ quantity: 10 })] });
    const state = stateOf({ portfolios: [known] });
    // Also over several reads.
    for (let reads = 0; reads < 3; reads += 1)
      accept(state, decidePortfolio(state, readWith([row()])));
    const after = state.portfolios.get('primary');
    expect(heldOf(after, sale, isinOf)).toBe(0);
    expect(heldOf(after, sale, isinOf, { earlier: true })).toBe(10);
    expect(after?.earlier?.positions).toHaveLength(1);
  });

  it('is forgotten once every row can be read', () => {
    const known = portfolio({ positions: [position({ quantity: 10 })] });
    const state = stateOf({ portfolios: [known] });
    accept(state, decidePortfolio(state, readWith([row()])));
    accept(state, decidePortfolio(state, readWith([])));
    expect(heldOf(state.portfolios.get('primary'), sale, isinOf, { earlier: true })).toBe(0);
  });

  it('is alerted to with what can be read of it, and survives a restart', async () => {
    const state = stateOf();
    const decision = decidePortfolio(state, readWith([row({ instrument: 'NSE:INFY' })]));
    expect(eventsOf(decision)).toMatchObject([
      { type: 'alert', data: { message: expect.stringContaining('NSE:INFY (odd)') as string } },
    ]);
    const database = openDatabase(':memory:');
    await createSqliteJournal(database).commit([decision.changes]);
    const { changes, quarantine } = await createSqliteJournal(database).load('2026-11-01');
    expect(quarantine.rows).toEqual([]);
    expect(changes).toContainEqual(decision.changes.find(({ table }) => table === 'portfolios'));
  });
});

describe('what the positions show as traded today', () => {
  const sale = terms({ side: 'SELL' });
  const turnover = (sellQuantity: number) => ({
    ...{ buyQuantity: 0, buyValue: 0, sellQuantity, sellValue: 0 },
  });
  const shown = (parts: Parameters<typeof position>[0], day = '2026-11-06'): number =>
    shownTraded(portfolio({ positions: [position(parts)] }), sale, day);

  it.each([
    ['the sum, where that is all', { sellQuantity: 7 }, 7],
    ['the day’s part', { sellQuantity: 7, day: turnover(4) }, 4],
    [
      'the sum less what was carried over',
      { sellQuantity: 7, day: turnover(0), carried: turnover(3) },
      4,
    ],
    ['nothing of another product', { sellQuantity: 7, product: 'INTRADAY' }, 0],
  ])('is %s', (_what, parts, expected) => {
    expect(shown(parts)).toBe(expected);
  });

  it('is nothing where they were read on another day', () => {
    expect(shown({ sellQuantity: 7 }, '2026-11-09')).toBe(0);
  });
});
