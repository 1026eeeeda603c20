import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/execution/order/order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade } from '../support/makers.ts';

describe('an order whose row carried the tag of another one in its first read, and its own ever since', () => {
  it('can be cancelled', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'a1' });
    const { id: first } = await gateway.place();
    const tagOf = (place: number): string => broker.placed[place]!.tag;
    const done = rowAt(time, {
      ...{ brokerOrderId: 'a1', tags: [tagOf(0)], status: 'filled', rawStatus: 'COMPLETE' },
      ...{ filledQuantity: 10, averagePrice: 1_500 },
    });
    broker.rows = [done];
    broker.fills = [trade({ brokerOrderId: 'a1', quantity: 10 })];
    await time.advance(3_000);
    expect(statusOf(gateway.order(first))).toBe('filled');

    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b1' });
    const { id } = await gateway.place();
    // The book joins the new row with the tag of the row before it, for a moment.
    broker.rows = [done, rowAt(time, { tags: [tagOf(0)] })];
    await time.advance(1_500);
    broker.rows = [done, rowAt(time, { tags: [tagOf(1)] })];
    await time.advance(30_000);
    // Its row is there, open, under the acknowledged id, and with its own tag.
    await gateway.cancel(id);
    expect(broker.cancels).toContain('b1');
  });
});
