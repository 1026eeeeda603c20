import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

const FILLED = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
const BY_HAND: Partial<BrokerOrder> = {
  ...{ brokerOrderId: 'hand', side: 'SELL', product: 'INTRADAY', tags: [] },
  ...{ quantity: 10, filledQuantity: 6, price: 1_500, averagePrice: 1_500 },
};

/** Ten were bought, six of which an order placed elsewhere has sold: the book has shown it, the positions do not yet. */
async function soldElsewhere() {
  const bench = await exitBench({ held: 10 });
  const { broker, time, trading, legs } = bench;
  const day = { buyQuantity: 10, buyValue: 0, sellQuantity: 0, sellValue: 0 };
  broker.positions = [position({ product: 'INTRADAY', quantity: 10, buyQuantity: 10, day })];
  const bought = {
    brokerOrderId: 'bought',
    side: 'BUY',
    product: 'INTRADAY',
    quantity: 10,
  } as const;
  const before: BrokerOrder[] = [rowAt(time, { ...bought, ...FILLED, filledQuantity: 10 })];
  broker.rows = before;
  // An open order has the book read all the time.
  const { place } = broker;
  broker.place = () => {
    before.push(rowAt(time, { brokerOrderId: 'tcs', instrument: 'NSE:TCS', tags: [] }));
    broker.rows = [...before];
    return { kind: 'acknowledged', brokerOrderId: 'tcs' };
  };
  await trading.place({ instrument: 'NSE:TCS' });
  broker.place = place;
  await time.advance(10_000);
  broker.rows = [...before, rowAt(time, BY_HAND)];
  await time.advance(2_500);
  const open = legs().length;
  const sold = (): number =>
    legs()
      .slice(open)
      .reduce((sum, [, quantity]) => sum + Number(quantity), 0);
  return { ...bench, before, sold };
}

describe('an exit beside an order placed elsewhere whose row no longer tells what it has sold', () => {
  it.each([
    ['shows 0 once it is cancelled', { filledQuantity: 0 }],
    ['is gone', null],
  ])('does not sell it again: the row %s', async (_, shown) => {
    const { begin, after, broker, time, before, sold } = await soldElsewhere();
    const ended = { status: 'cancelled', rawStatus: 'CANCELLED' } as const;
    broker.rows = [...before, ...(shown ? [rowAt(time, { ...BY_HAND, ...ended, ...shown })] : [])];
    const { id } = await begin();
    await after(id, 2_000);
    expect(sold()).toBeLessThanOrEqual(4);
  });

  it('sells it where the positions do not show it five seconds later', async () => {
    const { begin, after, broker, time, before, sold } = await soldElsewhere();
    const ended = { status: 'cancelled', rawStatus: 'CANCELLED' } as const;
    broker.rows = [...before, rowAt(time, { ...BY_HAND, ...ended, filledQuantity: 0 })];
    await time.advance(6_000);
    const { id } = await begin();
    await after(id, 4_000);
    expect(sold()).toBe(10);
  });
});
