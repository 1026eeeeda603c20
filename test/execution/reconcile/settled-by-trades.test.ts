import { describe, expect, it, vi } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade, unreadRow } from '../support/makers.ts';
import { exitBench } from '../exits/support/exit-bench.ts';

const ENDED = { status: 'cancelled', rawStatus: 'CANCELLED', filledQuantity: null } as const;

/** An order whose row says that it was cancelled, or has ended as `end` tells, and not how much has filled. */
async function cancelled(
  { aheadMs = 0, ...before }: Partial<BrokerOrder> & { aheadMs?: number } = {},
  end: Pick<BrokerOrder, 'status' | 'rawStatus'> = ENDED,
) {
  const time = midday();
  const broker = lyingBroker(time);
  const trading = await tradingWith(time, [broker]);
  await time.advance(2_000);
  broker.place = ({ tag }) => {
    broker.rows = [rowAt(time, { tags: [tag], ...before })];
    return { kind: 'acknowledged', brokerOrderId: 'b1' };
  };
  const { id } = await trading.place();
  await time.advance(2_000);
  broker.rows = broker.rows.map((row) => ({ ...row, ...ENDED, ...end, updatedAt: time.now() }));
  time.stepWall(aheadMs);
  trading.execution.wake('alt');
  const now = () => orderResponse(trading.order(id));
  return { time, broker, trading, now };
}

describe('a cancelled order whose row does not say how much has filled', () => {
  it('is unknown first, and nothing once the trades have shown none', async () => {
    const { time, now } = await cancelled();
    await time.advance(2_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: null });
    await time.advance(20_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    await time.advance(300_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });

  it('is settled where the clock was an hour ahead at its end, and has been set right since', async () => {
    const { time, trading, now } = await cancelled({ aheadMs: 3_600_000 });
    await time.advance(2_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: null });
    time.stepWall(-3_600_000);
    await time.advance(5_000);
    trading.execution.wake('alt');
    await time.advance(10_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });

  it('is not settled sooner by a clock that was half a minute ahead at its end', async () => {
    const { time, broker, trading, now } = await cancelled();
    await time.advance(1_000);
    time.stepWall(-30_000);
    await time.advance(3_000);
    trading.execution.wake('alt');
    await time.advance(1_000);
    expect(broker.tradeReads).toBeGreaterThan(0);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: null });
  });

  it('has the trades read every five seconds once it is settled, and not with each read of the book', async () => {
    const { time, broker, trading, now } = await cancelled();
    await time.advance(20_000);
    expect(now().filledQuantity).toBe(0);
    const trades = vi.spyOn(broker.trading, 'trades');
    for (let second = 0; second < 60; second += 1) {
      void trading.execution.poller('alt')?.read(time.elapsed());
      await time.advance(1_000);
    }
    expect(trades.mock.calls.length).toBeLessThanOrEqual(13);
  });

  it('is what the trades show', async () => {
    const { time, broker, now } = await cancelled();
    broker.fills = [trade({ quantity: 4 })];
    await time.advance(30_000);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 4 });
    broker.fills = [...broker.fills, trade({ fillId: 'f2', quantity: 3 })];
    await time.advance(30_000);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 7 });
  });

  it('stays unknown where the trades lack what was told before', async () => {
    const { time, broker, now } = await cancelled({ filledQuantity: 4 });
    await time.advance(60_000);
    expect(broker.tradeReads).toBeGreaterThan(1);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: null });
  });

  it('stays unknown while the trades cannot be read whole', async () => {
    const { time, broker, now } = await cancelled();
    const { unread } = broker.trading;
    broker.trading.unread = (list) =>
      'fillId' in (list[0] ?? {}) ? [unreadRow()] : (unread?.(list) ?? []);
    broker.fills = [trade({ brokerOrderId: 'another' })];
    await time.advance(60_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: null });
  });

  it.each([
    ['its id', { brokerOrderId: 'another' }],
    ['its id of the exchange', { exchangeOrderId: 'x9' }],
  ])(
    'is settled beside a trade that cannot be read and is of another order, by %s',
    async (_, of) => {
      const { time, broker, now } = await cancelled();
      const { unread } = broker.trading;
      broker.rows = broker.rows.map((row) => ({ ...row, exchangeOrderId: 'x1' }));
      broker.trading.unread = (list) =>
        'fillId' in (list[0] ?? {}) ? [unreadRow(of)] : (unread?.(list) ?? []);
      broker.fills = [trade({ brokerOrderId: 'another' })];
      await time.advance(60_000);
      expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    },
  );

  it('is settled after a restart as well', async () => {
    const { time, broker, trading, now } = await cancelled();
    await time.advance(1_000);
    broker.isReadable = false;
    await time.advance(600_000);
    expect(now().filledQuantity).toBeNull();
    broker.isReadable = true;
    await trading.restart();
    await time.advance(30_000);
    expect(now()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });
});

describe('an order that has ended otherwise, and whose row does not say how much has filled', () => {
  const PARTIAL = { status: 'partial', rawStatus: 'PARTIALLY FILLED - CANCELLED' } as const;
  const REJECTED = { status: 'rejected', rawStatus: 'REJECTED' } as const;

  it.each([
    ['in part', PARTIAL],
    ['rejected', REJECTED],
  ])('is what the trades show: %s', async (_, end) => {
    const { time, broker, now } = await cancelled({}, end);
    broker.fills = [trade({ quantity: 4 })];
    await time.advance(60_000);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 4, averagePrice: 1_500 });
  });

  it('stays unknown while the trades show none, where its row says that some has filled', async () => {
    const { time, broker, now } = await cancelled({}, PARTIAL);
    await time.advance(60_000);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: null });
    broker.fills = [trade({ quantity: 4 })];
    await time.advance(60_000);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('has filled nothing where it was rejected, and the trades show none', async () => {
    const { time, now } = await cancelled({}, REJECTED);
    await time.advance(60_000);
    expect(now()).toMatchObject({ status: 'rejected', filledQuantity: 0 });
  });

  it('does not keep an exit of the same shares from ending', async () => {
    const { begin, after, broker, bench, fates, trading, time, legs, setHeld } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    bench.showsFills = true;
    await trading.place({ side: 'SELL', quantity: 60, product: 'INTRADAY', price: 1_600 });
    await time.advance(2_000);
    // 20 of 60 have filled, and the rest was cancelled: the positions and the trades show it.
    const row = broker.rows[0]!;
    broker.rows = [{ ...row, ...ENDED, ...PARTIAL, updatedAt: time.now() }];
    broker.fills = [trade({ brokerOrderId: row.brokerOrderId, quantity: 20 })];
    setHeld(80);
    await time.advance(60_000);
    const exit = await after((await begin()).id, 60_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([60, 80]);
    expect(exit.over?.end).toBe('flat');
  });
});

describe('an exit beside an order that it has cancelled, and whose row does not say how much has filled', () => {
  it('waits for the trades, and sells what is held', async () => {
    const { begin, after, broker, bench, fates, trading, time, legs } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    bench.showsFills = true;
    await trading.place({ side: 'SELL', quantity: 60, product: 'INTRADAY', price: 1_600 });
    await time.advance(2_000);
    const { cancel } = broker;
    broker.cancel = (id) => {
      const outcome = cancel(id);
      broker.rows = broker.rows.map((row) => ({ ...row, ...ENDED }));
      return outcome;
    };
    const exit = await after((await begin()).id, 60_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([60, 100]);
    expect(exit.over?.end).toBe('flat');
  });
});
