import { describe, expect, it } from 'vitest';
import type { BrokerFill } from '../../../src/domain/broker-order.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { unreadRow } from '../support/makers.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const fill = (parts: Partial<BrokerFill> = {}): BrokerFill => ({
  fillId: 't1',
  brokerOrderId: 'b1',
  exchangeOrderId: null,
  exchange: 'NSE',
  quantity: 10,
  price: 1_500,
  at: null,
  ...parts,
});

const unreadable = unreadRow({ brokerOrderId: 'b1' });

/** A working order, whose row a read has shown with its tag and nothing filled, as b1. */
async function working() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const row = rowAt(time, { tags: [broker.placed[0]!.tag] });
  const other = rowAt(time, { brokerOrderId: 'f1', instrument: 'NSE:TCS', side: 'SELL' });
  broker.rows = [row, other];
  await time.advance(2_000);
  const seen = () => orderResponse(gateway.order(id));
  expect(seen()).toMatchObject({ status: 'working', filledQuantity: 0 });
  return { time, broker, gateway, id, row, other, seen };
}

describe.each(['cannot be read', 'is gone'])('while the row of an open order %s', (how) => {
  const lose = ({ broker, other }: Awaited<ReturnType<typeof working>>): void => {
    broker.rows = [other];
    if (how === 'cannot be read') broker.unreadRows = [unreadable];
  };

  it('the trades are read, and fill the order', async () => {
    const day = await working();
    lose(day);
    await day.time.advance(6_000);
    expect(day.seen().status).toBe('working');
    day.broker.fills = [fill()];
    await day.time.advance(6_000);
    expect(day.seen()).toMatchObject({ status: 'filled', filledQuantity: 10, averagePrice: 1_500 });
  });

  it("trades that name only the exchange's id fill the order that had this id", async () => {
    const day = await working();
    const exchangeOrderId = '1100000000000001';
    day.broker.rows = [{ ...day.row, exchangeOrderId }, day.other];
    await day.time.advance(2_000);
    lose(day);
    await day.time.advance(6_000);
    day.broker.fills = [
      fill({ brokerOrderId: null, exchangeOrderId }),
      fill({ fillId: 't2', brokerOrderId: null, exchangeOrderId: '1100000000000002' }),
    ];
    await day.time.advance(6_000);
    expect(day.seen()).toMatchObject({ status: 'filled', filledQuantity: 10, averagePrice: 1_500 });
  });

  it('the trades are read every five seconds, not with each book', async () => {
    const day = await working();
    const before = day.broker.tradeReads;
    lose(day);
    await day.time.advance(60_000);
    const reads = day.broker.tradeReads - before;
    expect(reads).toBeGreaterThanOrEqual(11);
    expect(reads).toBeLessThanOrEqual(13);
  });

  it('nothing is told as known to have filled, until the row shows it again', async () => {
    const day = await working();
    lose(day);
    await day.time.advance(6_000);
    expect(day.seen()).toMatchObject({ status: 'working', filledQuantity: null });
    day.broker.unreadRows = [];
    day.broker.rows = [day.row, day.other];
    await day.time.advance(2_000);
    expect(day.seen()).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('what is known to have filled stays, as the least that has', async () => {
    const day = await working();
    day.broker.rows = [{ ...day.row, filledQuantity: 3 }, day.other];
    await day.time.advance(2_000);
    lose(day);
    await day.time.advance(6_000);
    expect(day.seen()).toMatchObject({ status: 'working', filledQuantity: 3 });
    day.broker.fills = [fill({ quantity: 4 })];
    await day.time.advance(6_000);
    expect(day.seen()).toMatchObject({ status: 'working', filledQuantity: 4 });
  });

  it('a cancel goes out', async () => {
    const day = await working();
    lose(day);
    await day.time.advance(6_000);
    await day.gateway.cancel(day.id);
    expect(day.broker.cancels).toEqual(['b1']);
  });
});

describe('while the row of an after-market order is gone', () => {
  it('what has filled stays known until 09:00 of its session, since it is not at the exchange yet', async () => {
    const time = new VirtualTime('2026-11-06T08:30:00+05:30');
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place({ amo: true });
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(2_000);
    const seen = () => orderResponse(gateway.order(id));
    expect(seen()).toMatchObject({ status: 'working', filledQuantity: 0 });
    broker.rows = [];
    await time.advanceTo('2026-11-06T08:59:50+05:30');
    expect(seen()).toMatchObject({ status: 'working', filledQuantity: 0 });
    await time.advanceTo('2026-11-06T09:01:00+05:30');
    expect(seen()).toMatchObject({ status: 'working', filledQuantity: null });
  });
});

describe('the alert of a row that cannot be read', () => {
  it('names the order whose row it is', async () => {
    const { time, broker, gateway, id } = await working();
    broker.rows = [];
    broker.unreadRows = [unreadable];
    await time.advance(6_000);
    const [alert, ...more] = gateway.alerts();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ level: 'warning', orderId: id });
    expect(alert?.message).toContain(`row b1 in the order book of alt is of order ${id}`);
  });

  it('names each of several orders, and tells of the rows of others apart', async () => {
    const { time, broker, gateway, id } = await working();
    broker.rows = [];
    broker.unreadRows = [{ ...unreadable, brokerOrderId: 'f1' }, unreadable];
    await time.advance(6_000);
    expect(gateway.alerts().map(({ orderId }) => orderId)).toEqual([id, null]);
  });
});
