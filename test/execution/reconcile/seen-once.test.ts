import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

/** An order whose answer was lost at a broker without tags; the book does not show its row yet. */
async function lostOrder() {
  const time = midday();
  const broker = lyingBroker(time, { tagging: 'never' });
  const gateway = await tradingWith(time, [broker]);
  broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
  const { id } = await gateway.place();
  const row = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
    rowAt(time, { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10, ...parts });
  const own = row();
  /** What the next read shows; it comes within a quarter of a second, and the one after in half a second. */
  const show = async (...rows: readonly BrokerOrder[]): Promise<void> => {
    broker.rows = [...rows];
    const { reads } = broker;
    while (broker.reads === reads) await time.advance(50);
  };
  const seen = () => orderResponse(gateway.order(id));
  return { time, broker, gateway, id, own, show, seen };
}

describe('a row without a tag that is like an uncertain order', () => {
  it('is the order once two reads have shown it', async () => {
    const { own, show, seen } = await lostOrder();
    await show(own);
    expect(seen()).toMatchObject({ status: 'uncertain', brokerOrderId: null });
    await show(own);
    expect(seen()).toMatchObject({ status: 'filled', boundBy: 'fingerprint', filledQuantity: 10 });
  });

  it('is not the order under an id that one read alone has shown', async () => {
    const { own, show, seen, time, gateway } = await lostOrder();
    await show({ ...own, brokerOrderId: 'misread' });
    await show(own);
    expect(seen()).toMatchObject({ status: 'uncertain' });
    await show(own);
    expect(seen()).toMatchObject({ status: 'filled', brokerOrderId: 'b1' });
    // The wrong id belongs to nobody, and no later book has to show it.
    await time.advance(300_000);
    expect(gateway.alerts().map(({ message }) => message)).not.toContainEqual(
      expect.stringContaining('has lacked rows'),
    );
  });

  it('keeps the order from being called absent while one read has shown it', async () => {
    const { own, show, seen, time, broker } = await lostOrder();
    broker.rows = [];
    await time.advance(400_000);
    const { absentSince } = seen();
    expect(absentSince).not.toBeNull();
    await show(own);
    expect(seen()).toMatchObject({ status: 'uncertain', absentSince });
    await show(own);
    expect(seen().status).toBe('filled');
  });

  it('is the order after a restart that comes between the two reads', async () => {
    const { own, show, seen, gateway, time } = await lostOrder();
    await show(own);
    await gateway.restart();
    await time.advance(5_000);
    expect(seen().status).toBe('filled');
  });
});
