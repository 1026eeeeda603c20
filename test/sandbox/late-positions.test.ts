import { describe, expect, it } from 'vitest';
import { rehearse, type Rehearsal } from './support/rehearsal.ts';

/** Bought for the day in the broker's own app, and filled by the time that this returns. */
function trade(
  { sandbox, clock }: Rehearsal,
  broker: 'kite' | 'primary',
  side: 'BUY' | 'SELL',
  quantity: number,
): void {
  sandbox[broker].placeByHand({ instrument: 'NSE:ITC', side, quantity, product: 'intraday' });
  clock.advance(1_000);
}

/** The quantities of the positions, at either broker. */
const READ = {
  kite: ({ kite }: Rehearsal): number[] =>
    kite('GET', '/portfolio/positions').json.data.net.map(
      (row: { quantity: number }) => row.quantity,
    ),
  primary: ({ primary }: Rehearsal): number[] =>
    // It sends null for an empty list.
    (primary('GET', '/portfolio/positions?segment=equity&product=intraday').json.data ?? []).map(
      (row: { net_qty: number }) => row.net_qty,
    ),
} as const;

describe.each(['kite', 'primary'] as const)('late positions at %s', (broker) => {
  it('lack the fills of so long, and show each of them then', () => {
    const rehearsal = rehearse();
    const { clock, sandbox } = rehearsal;
    trade(rehearsal, broker, 'BUY', 30);
    clock.advance(60_000);
    trade(rehearsal, broker, 'SELL', 10);
    sandbox.faults.add({
      ...{ broker, kind: 'late_positions', match: { path: '/portfolio' } },
      params: { ageMs: 20_000 },
    });
    expect(READ[broker](rehearsal)).toEqual([30]);
    clock.advance(20_000);
    expect(READ[broker](rehearsal)).toEqual([20]);
  });

  it('have no row of what nobody had traded by then', () => {
    const rehearsal = rehearse();
    rehearsal.sandbox.faults.add({
      ...{ broker, kind: 'late_positions', match: { path: '/portfolio' } },
      params: { ageMs: 20_000 },
    });
    trade(rehearsal, broker, 'BUY', 30);
    expect(READ[broker](rehearsal)).toEqual([]);
    rehearsal.clock.advance(20_000);
    expect(READ[broker](rehearsal)).toEqual([30]);
  });
});

describe('split positions', () => {
  const split = (rehearsal: Rehearsal, broker: 'kite' | 'primary', of: string): void => {
    trade(rehearsal, broker, 'BUY', 30);
    rehearsal.clock.advance(60_000);
    trade(rehearsal, broker, 'SELL', 10);
    rehearsal.sandbox.faults.add({
      ...{ broker, kind: 'split_positions', match: { path: '/portfolio/positions' } },
      params: { ageMs: 20_000, of },
    });
  };
  const atKite = ({ kite }: Rehearsal): unknown[] => {
    const [row] = kite('GET', '/portfolio/positions').json.data.net;
    return [row.quantity, row.sell_quantity, row.day_sell_quantity];
  };
  const atPrimary = ({ primary }: Rehearsal): unknown[] => {
    const [row] = primary('GET', '/portfolio/positions?segment=equity&product=intraday').json.data;
    return [row.net_qty, row.sell_qty, row.day_sell_qty];
  };

  it.each([
    ['quantity', [30, 10, 10]],
    ['traded', [20, 0, 0]],
  ])('have a part of the figures of before at Kite: %s', (of, figures) => {
    const rehearsal = rehearse();
    split(rehearsal, 'kite', of);
    expect(atKite(rehearsal)).toEqual(figures);
    rehearsal.clock.advance(20_000);
    expect(atKite(rehearsal)).toEqual([20, 10, 10]);
  });

  it.each([
    ['quantity', [30, 10, 10]],
    ['traded', [20, 0, null]],
  ])('have a part of the figures of before at the primary brokerage: %s', (of, figures) => {
    const rehearsal = rehearse();
    split(rehearsal, 'primary', of);
    expect(atPrimary(rehearsal)).toEqual(figures);
  });
});
