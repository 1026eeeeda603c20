import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { refused } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

/** A stop at midday whose row, b1, a book has shown with its tag; `child` is another row with that tag. */
async function stopInBook({ tagged = true } = {}) {
  const time = midday();
  const broker = lyingBroker(time, { tagging: tagged ? 'always' : 'never' });
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place({ orderType: 'SL', price: 1500, triggerPrice: 1499 });
  const tags = tagged ? [broker.placed[0]!.tag] : [];
  const stop = rowAt(time, { tags, orderType: 'SL', price: 1500, triggerPrice: 1499 });
  broker.rows = [stop];
  await time.advance(10_000);
  const child = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
    rowAt(time, { ...stop, brokerOrderId: 'child', orderType: 'LIMIT', ...parts });
  const seen = () => orderResponse(gateway.order(id));
  expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'b1', filledQuantity: 0 });
  const critical = () => gateway.alerts().filter(({ level }) => level === 'critical');
  const switched = () => gateway.execution.state.killSwitch.get('kill-switch')?.engaged ?? false;
  return { time, broker, gateway, id, stop, child, seen, critical, switched };
}

const FILLED = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;

describe('an order whose row leaves the book while another row has its tag', () => {
  it('is that row after five seconds, with an alert, and its fills count', async () => {
    const { time, broker, child, seen, critical, switched } = await stopInBook();
    broker.rows = [child(FILLED)];
    await time.advance(4_000);
    expect([seen().status, critical()]).toEqual(['working', []]);
    await time.advance(4_000);
    expect(seen()).toMatchObject({ status: 'filled', brokerOrderId: 'child', filledQuantity: 10 });
    expect(critical()).toHaveLength(1);
    expect(critical()[0]?.message).toContain('its tag is on child');
    expect(switched()).toBe(false);
  });

  it('is cancelled there', async () => {
    const { time, broker, gateway, id, child } = await stopInBook();
    broker.rows = [child({ filledQuantity: 4 })];
    await time.advance(8_000);
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['child']);
  });

  it('is that row also after a restart', async () => {
    const { time, broker, gateway, child, seen } = await stopInBook();
    broker.rows = [child()];
    await gateway.restart();
    await time.advance(12_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'child' });
  });

  it('is disputed where fills of the first row had been told, and a cancel goes to the other', async () => {
    const { time, broker, gateway, id, stop, child, seen } = await stopInBook();
    broker.rows = [{ ...stop, filledQuantity: 4 }];
    await time.advance(3_000);
    broker.rows = [child({ filledQuantity: 6 })];
    await time.advance(8_000);
    expect(seen()).toMatchObject({ status: 'disputed', brokerOrderId: 'child' });
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['child']);
  });

  it('stays its own row where that is back within five seconds', async () => {
    const { time, broker, stop, child, seen, critical } = await stopInBook();
    for (const row of [child(), stop, child(), stop]) {
      broker.rows = [row];
      await time.advance(3_000);
    }
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(critical()).toEqual([]);
  });

  it('stays its own row where that is there and cannot be read: the other is a second one', async () => {
    const { time, broker, stop, child, seen, switched } = await stopInBook();
    const nothing = { instrument: null, side: null, quantity: null, exchangeOrderId: null };
    broker.rows = [child()];
    broker.unreadRows = [{ ...nothing, brokerOrderId: 'b1', tags: stop.tags, reason: 'odd' }];
    await time.advance(30_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(switched()).toBe(true);
  });

  it('is disputed, with the kill switch, once both rows are there: two orders may work', async () => {
    const { time, broker, gateway, id, stop, child, seen, switched } = await stopInBook();
    broker.rows = [child()];
    await time.advance(8_000);
    broker.rows = [child(), stop];
    await time.advance(3_000);
    expect(seen()).toMatchObject({ status: 'disputed', brokerOrderId: 'child' });
    expect(switched()).toBe(true);
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['child']);
  });

  it('is not disputed where the first row has ended unfilled, or where the other is its child', async () => {
    const { time, broker, stop, child, seen, switched } = await stopInBook();
    broker.rows = [child()];
    await time.advance(8_000);
    broker.rows = [child(), { ...stop, status: 'cancelled', rawStatus: 'CANCELLED' }];
    await time.advance(3_000);
    broker.rows = [{ ...child(), tags: [], childOf: 'b1' }, stop];
    await time.advance(3_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'child' });
    expect(switched()).toBe(false);
  });

  it('is disputed, with the kill switch, where its row had ended unfilled and the other works', async () => {
    const { time, broker, stop, child, seen, switched } = await stopInBook();
    broker.rows = [{ ...stop, status: 'cancelled', rawStatus: 'CANCELLED' }];
    await time.advance(3_000);
    broker.rows = [child()];
    await time.advance(20_000);
    expect(seen()).toMatchObject({ status: 'disputed', brokerOrderId: 'child' });
    expect(switched()).toBe(true);
  });
});

describe('a cancel of an order whose row has left the book', () => {
  it('is an alert at once where the broker refuses it: the order may work under another id', async () => {
    const { time, broker, gateway, id, child, critical } = await stopInBook({ tagged: false });
    broker.cancel = () => refused('other', 'it has been triggered');
    broker.rows = [child({ tags: [] })];
    await time.advance(2_000);
    await expect(gateway.cancel(id)).rejects.toThrow('it has been triggered');
    expect(broker.cancels).toEqual(['b1']);
    expect(critical()).toEqual([
      expect.objectContaining({
        orderId: id,
        message: expect.stringContaining('under another id'),
      }),
    ]);
  });

  it('is none where the book shows the row', async () => {
    const { time, broker, gateway, id, critical } = await stopInBook({ tagged: false });
    broker.cancel = () => refused('other', 'not now');
    await time.advance(2_000);
    await expect(gateway.cancel(id)).rejects.toThrow('not now');
    expect(critical()).toEqual([]);
  });
});
