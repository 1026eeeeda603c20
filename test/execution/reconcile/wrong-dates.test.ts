import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { epochMs, type EpochMs } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { fieldsOf } from '../support/order-fields.ts';
import { lyingBroker, tradingWith } from '../support/lying-broker.ts';
import { bookRow, ist, TAG } from '../support/makers.ts';

const AT = ist('2026-11-05T11:00:00');
const DAY_MS = 86_400_000;
const IN_2099 = ist('2099-01-01T09:15:00');

interface Options {
  readonly broker?: string;
  readonly tagging?: 'always' | 'never';
  /** Whether replies say what time it is. */
  readonly tellsTime?: boolean;
  /** How far this computer's clock is ahead at the start, ms. */
  readonly aheadMs?: number;
}

/** A broker whose clock is right, on Thursday 5 November 2026 from 11:00 IST, and a gateway whose clock is not. */
async function gatewayAndBroker({ tellsTime = false, aheadMs = 0, ...rest }: Options = {}) {
  const time = new VirtualTime(epochMs(AT + aheadMs));
  const broker = lyingBroker(time, rest);
  const brokerNow = (): EpochMs => epochMs(AT + time.elapsed());
  let told: {
    at: EpochMs;
    localAt: EpochMs;
    receivedAt: ReturnType<VirtualTime['elapsed']>;
  } | null;
  told = null;
  const { orderBook } = broker.trading;
  Object.assign(broker.trading, {
    brokerTime: () => told,
    orderBook: async () => {
      const rows = await orderBook();
      if (tellsTime) told = { at: brokerNow(), localAt: time.now(), receivedAt: time.elapsed() };
      return rows;
    },
  });
  const trading = await tradingWith(time, [broker]);
  // The session begins with a read, as every session does.
  trading.execution.wake(broker.trading.broker);
  await time.advance(1_000);
  return {
    ...{ time, broker, trading, brokerNow },
    row: (parts: Partial<BrokerOrder> = {}) =>
      bookRow({ createdAt: brokerNow(), updatedAt: brokerNow(), ...parts }),
    now: (id: string) => fieldsOf(trading.order(id)),
    setRight: () => time.stepWall(-aheadMs),
    clockAlerts: () =>
      trading.alerts().filter(({ message }) => message.includes("computer's clock")),
    /** Time goes on to an instant of the broker's clock. */
    until: (at: EpochMs) => time.advance(at - brokerNow()),
  };
}

const LOST = () => uncertain({ kind: 'transport', message: 'no whole reply' });

describe('a row that is dated wrongly, at a broker that tells no time', () => {
  const WRONG = { createdAt: IN_2099, updatedAt: IN_2099 };
  const FILLED = { filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' } as const;

  it('does not keep the other rows from being taken in', async () => {
    const { broker, trading, time, row, now, clockAlerts } = await gatewayAndBroker();
    const { id } = await trading.place();
    broker.rows = [row(), row({ brokerOrderId: 'theirs', ...WRONG })];
    await time.advance(2_000);
    expect(now(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    broker.rows = [row(FILLED), row({ brokerOrderId: 'theirs', ...WRONG })];
    await time.advance(2_000);
    expect(now(id)).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(clockAlerts()).toEqual([]);
  });

  it('is taken in itself, though it is the only one', async () => {
    const { broker, trading, time, row, now } = await gatewayAndBroker();
    const { id } = await trading.place();
    broker.rows = [row({ ...FILLED, ...WRONG })];
    await time.advance(2_000);
    expect(now(id)).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });

  it('does not keep uncertain orders from being found', async () => {
    const { broker, trading, time, row, now } = await gatewayAndBroker();
    broker.place = LOST;
    const { id } = await trading.place();
    const tag = broker.placed[0]?.tag ?? '';
    broker.rows = [row({ brokerOrderId: 'theirs', ...WRONG }), row({ tags: [tag] })];
    await time.advance(2_000);
    expect(now(id)).toMatchObject({ status: 'working', boundBy: 'tag' });
  });
});

describe('a row that is dated after the read', () => {
  it('does not make a book that stands still a proof of absence', async () => {
    const { broker, trading, row, now, time, until } = await gatewayAndBroker({ tellsTime: true });
    const before = row({ brokerOrderId: 'theirs', instrument: 'NSE:TCS' });
    broker.rows = [before, { ...before, brokerOrderId: 'wrong', updatedAt: IN_2099 }];
    await time.advance(60_000);
    broker.place = LOST;
    const { id } = await trading.place();
    await until(ist('2026-11-05T23:00:00'));
    expect(now(id).status).toBe('uncertain');
  });
});

describe('an order that is placed while this computer’s clock is a day off', () => {
  const FILLED = { filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' } as const;

  it.each([
    ['ahead, at a broker that tells the time', DAY_MS, true],
    ['behind, at a broker that tells the time', -DAY_MS, true],
    ['ahead, at a broker that tells none', DAY_MS, false],
  ])('is what its row says: %s', async (_which, aheadMs, tellsTime) => {
    const { broker, trading, time, row, now, setRight } = await gatewayAndBroker({
      aheadMs,
      tellsTime,
    });
    const { id } = await trading.place();
    if (tellsTime) expect(trading.order(id).day).toBe('2026-11-05');
    broker.rows = [row()];
    await time.advance(5_000);
    setRight();
    await time.advance(60_000);
    broker.rows = [row(FILLED)];
    broker.fills = [
      {
        ...{ fillId: 'f1', brokerOrderId: 'b1', exchangeOrderId: null, exchange: 'NSE' },
        ...{ quantity: 10, price: 1_500, at: null },
      },
    ];
    await time.advance(60_000);
    expect(now(id)).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(trading.execution.state.fills.size).toBe(1);
  });

  it.each([
    ['ahead, at a broker that tells the time', DAY_MS, true],
    ['behind, at a broker that tells the time', -DAY_MS, true],
    ['ahead, at a broker that tells none', DAY_MS, false],
  ])('is found by its tag where the answer was lost: %s', async (_which, aheadMs, tellsTime) => {
    const { broker, trading, time, row, now, setRight } = await gatewayAndBroker({
      aheadMs,
      tellsTime,
    });
    broker.place = LOST;
    const { id } = await trading.place();
    await time.advance(5_000);
    setRight();
    broker.rows = [row({ tags: [broker.placed[0]?.tag ?? TAG] })];
    await time.advance(60_000);
    expect(now(id)).toMatchObject({ status: 'working', boundBy: 'tag' });
    broker.rows = [row({ tags: [broker.placed[0]?.tag ?? TAG], ...FILLED })];
    await time.advance(5_000);
    expect(now(id).status).toBe('filled');
  });

  it.each([
    ['ahead', DAY_MS],
    ['behind', -DAY_MS],
  ])('is never proven absent: %s', async (_which, aheadMs) => {
    const { broker, trading, time, row, now, setRight, until } = await gatewayAndBroker({
      aheadMs,
      tellsTime: true,
    });
    broker.place = LOST;
    const { id } = await trading.place();
    await time.advance(60_000);
    setRight();
    await until(ist('2026-11-05T19:00:00'));
    broker.rows = [row({ brokerOrderId: 'theirs', instrument: 'NSE:TCS' })];
    await until(ist('2026-11-06T05:50:00'));
    expect(now(id).status).toBe('uncertain');
    await until(ist('2026-11-06T06:10:00'));
    expect(now(id).status).toBe('disputed');
  });

  it('counts against what an exit may reduce, on the day on which it was placed', async () => {
    const { broker, trading, time, row } = await gatewayAndBroker({
      aheadMs: DAY_MS,
      tellsTime: true,
    });
    broker.rows = [row({ side: 'SELL' })];
    const { id } = await trading.place({ side: 'SELL' });
    await time.advance(5_000);
    const { openOrders, ordersOfDay } = trading.execution.state;
    expect([...openOrders]).toEqual([id]);
    expect([...(ordersOfDay.get('2026-11-05')?.keys() ?? [])]).toEqual([id]);
  });
});
