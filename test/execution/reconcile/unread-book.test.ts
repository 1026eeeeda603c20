import { describe, expect, it } from 'vitest';
import { notSent } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const MINUTE = 60_000;

/** An order that works, and was seen in the book a second ago. */
async function working() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
  await time.advance(2_000);
  const told = () => gateway.alerts().map(({ level, message }) => `${level}: ${message}`);
  return { time, broker, gateway, id, told, unread: () => gateway.execution.unreadBooks() };
}

describe('a book with open orders that cannot be read', () => {
  it('is told of once after a minute, and once when it can be read again', async () => {
    const { time, broker, told, unread } = await working();
    broker.isReadable = false;
    await time.advance(MINUTE - 5_000);
    expect([told(), unread()]).toEqual([[], []]);
    await time.advance(20 * MINUTE);
    expect(told()).toEqual([
      expect.stringMatching(/^critical: the order book of alt cannot be read since .* 11:00 IST/),
    ]);
    expect(unread()).toMatchObject([{ broker: 'alt', openOrders: 1 }]);
    broker.isReadable = true;
    await time.advance(10_000);
    expect(told().slice(1)).toEqual(['warning: the order book of alt can be read again']);
    expect(unread()).toEqual([]);
  });

  it('is told of again where it fails again', async () => {
    const { time, broker, told } = await working();
    for (let outage = 0; outage < 2; outage += 1) {
      broker.isReadable = false;
      await time.advance(2 * MINUTE);
      broker.isReadable = true;
      await time.advance(10_000);
    }
    expect(told().map((text) => text.split(':')[0])).toEqual([
      ...['critical', 'warning', 'critical', 'warning'],
    ]);
  });

  it('is told of where the session has ended while the exchange trades', async () => {
    const { time, broker, told } = await working();
    broker.trading.blocked = () => notSent('token', 'the session has ended');
    await time.advance(4 * MINUTE);
    expect(told()).toEqual([expect.stringContaining('there is no session')]);
  });

  it('is not missed without a session while the exchange is shut', async () => {
    const { time, broker, told } = await working();
    await time.advance(5 * 60 * MINUTE);
    broker.trading.blocked = () => notSent('token', 'the session has ended');
    await time.advance(60 * MINUTE);
    expect(told()).toEqual([]);
  });

  it('is not told of where no order is open', async () => {
    const { time, broker, gateway, id, told } = await working();
    broker.rows = broker.rows.map((row) => ({ ...row, status: 'cancelled' as const }));
    await time.advance(5_000);
    expect(gateway.order(id).state.kind).toBe('cancelled');
    broker.isReadable = false;
    await time.advance(10 * MINUTE);
    expect(told()).toEqual([]);
  });

  it('keeps what was told of its orders: a failure says nothing', async () => {
    const { time, broker, gateway, id } = await working();
    const before = orderResponse(gateway.order(id));
    broker.isReadable = false;
    await time.advance(10 * MINUTE);
    expect(orderResponse(gateway.order(id))).toEqual(before);
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });
});
