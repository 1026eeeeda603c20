import { describe, expect, it } from 'vitest';
import { rehearse, type Rehearsal } from './support/rehearsal.ts';

const BROKERS = ['kite', 'primary'] as const;
type Name = (typeof BROKERS)[number];

/** Each list of a broker: its path, its rows, and what they say. */
const LISTS: Readonly<
  Record<Name, (of: Rehearsal) => Record<'orders' | 'net' | 'held', number[]>>
> = {
  kite: ({ kite }) => ({
    orders: kite('GET', '/orders').json.data.map(
      (row: { filled_quantity: number }) => row.filled_quantity,
    ),
    net: kite('GET', '/portfolio/positions').json.data.net.map(
      (row: { quantity: number }) => row.quantity,
    ),
    held: kite('GET', '/portfolio/holdings').json.data.map(
      (row: { quantity: number }) => row.quantity,
    ),
  }),
  primary: ({ primary }) => ({
    orders: (primary('GET', '/order-book').json.data ?? []).map(
      (row: { traded_qty: number }) => row.traded_qty,
    ),
    net: (
      primary('GET', '/portfolio/positions?segment=equity&product=intraday').json.data ?? []
    ).map((row: { net_qty: number }) => row.net_qty),
    held: (primary('GET', '/portfolio/holdings').json.data ?? []).map(
      (row: { total_qty: number }) => row.total_qty,
    ),
  }),
};

function buy({ sandbox }: Rehearsal, broker: Name, limitPaise?: number): void {
  const order = { instrument: 'NSE:ITC', side: 'BUY', quantity: 30, product: 'intraday' } as const;
  sandbox[broker].placeByHand({ ...order, ...(limitPaise === undefined ? {} : { limitPaise }) });
}

describe.each(BROKERS)('rows that come twice at %s', (broker) => {
  it('are equal copies of orders, positions and holdings', () => {
    const rehearsal = rehearse();
    buy(rehearsal, broker);
    rehearsal.clock.advance(1_000);
    const once = LISTS[broker](rehearsal);
    rehearsal.sandbox.faults.add({ broker, kind: 'rows_twice' });
    const twice = LISTS[broker](rehearsal);
    expect([once.orders, once.net]).toEqual([[30], [30]]);
    expect(twice).toEqual({
      orders: [30, 30],
      net: [30, 30],
      held: [...once.held, ...once.held],
    });
  });

  it('stand in the order book beside what they were, before it and after it in turn', () => {
    const rehearsal = rehearse();
    const { clock, sandbox } = rehearsal;
    sandbox.exchange.setPrice('NSE:ITC', 40_000);
    buy(rehearsal, broker, 39_000);
    clock.advance(5_000);
    const [order] = sandbox[broker].orders();
    sandbox[broker].fillByHand(order?.orderId ?? '', 30, 39_000);
    clock.advance(1_000);
    const match = { path: broker === 'kite' ? '/orders' : '/order-book' };
    sandbox.faults.add({ ...{ broker, kind: 'rows_twice', match }, params: { ageMs: 3_000 } });
    const reads = [LISTS[broker](rehearsal), LISTS[broker](rehearsal)];
    expect(reads.map(({ orders }) => orders).toSorted()).toEqual([
      [0, 30],
      [30, 0],
    ]);
    expect(reads.map(({ net }) => net)).toEqual([[30], [30]]);
  });
});
