import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../src/domain/order.ts';
import type { OrderOfSignal, Signal, SignalJournal, SignalTold } from '../../src/domain/signal.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createSendOrders } from '../../src/signals/send-orders.ts';
import type { Gateway } from '../../src/router/gateway.ts';
import { epochMs } from '../../src/units/branded.ts';
import { VirtualTime } from '../support/virtual-time.ts';

type Placed = Awaited<ReturnType<Gateway['placeOrder']>>;

/**
 * A sale that only reduces: the bound of six seconds for what opens a position does not hold for it, so that
 * this rule alone decides whether it is sent.
 */
const SALE = {
  ...{ instrument: 'NSE:INFY', side: 'SELL', quantity: 1, orderType: 'MARKET' },
  ...{ product: 'INTRADAY', validity: 'DAY', price: null, triggerPrice: null, reduceOnly: true },
} as unknown as OrderRequest;

/** A gateway that takes every order at once, and counts them. */
function takingOrders() {
  const order = { id: 'ord_1', status: 'open' } as unknown as Placed['order'];
  let sent = 0;
  const placeOrder = (): Promise<Placed> => {
    sent += 1;
    return Promise.resolve({ order } as Placed);
  };
  return { order, gateway: { placeOrder }, sent: () => sent };
}

const signalAt = (receivedAt: number): Signal => ({
  ...{ id: 'sig_1', hookId: 'hook_1', hookName: 'strategy', caller: 'key_1', mode: 'live' },
  ...{ alertId: 'a', alertAt: null, receivedAt: epochMs(receivedAt), problem: null },
  orders: [{ idempotencyKey: 'sig-a-0', request: SALE, orderId: null, problem: null }],
});

/** A signal that came so many ms ago, and whose one order is not known to have left. */
async function resumed(ageMs: number, known = false) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const { order, gateway, sent } = takingOrders();
  const written: Signal[] = [];
  const resume = createSendOrders({
    journal: {
      orderUnder: () => Promise.resolve(known ? order : null),
      write: (each: Signal) => Promise.resolve(void written.push(each)),
    } as unknown as SignalJournal,
    ...{
      gateway,
      clock: time,
      scheduler: time,
      log: silentLog,
      checkKey: () => undefined,
      mayAlert: () => true,
    },
  }).resume(signalAt(time.now() - ageMs));
  await time.settle(resume);
  const [found] = written.at(-1)?.orders ?? [];
  return { sent: sent(), orderId: found?.orderId, problem: found?.problem?.code ?? null };
}

describe('a way out of a signal over which the gateway was stopped', () => {
  it.each([0, 59_000, 60_000])('is sent %i ms after the signal came', async (ageMs) => {
    expect(await resumed(ageMs)).toEqual({ sent: 1, orderId: 'ord_1', problem: null });
  });

  it.each([60_001, 3_600_000, -1, -3_600_000])(
    'is not sent %i ms after it came, also by a clock that was set back',
    async (ageMs) => {
      expect(await resumed(ageMs)).toEqual({ sent: 0, orderId: null, problem: 'order_not_sent' });
    },
  );

  it('is not sent again where it is an order already, however old the signal is', async () => {
    const placed = { sent: 0, orderId: 'ord_1', problem: null };
    expect([await resumed(1_000, true), await resumed(3_600_000, true)]).toEqual([placed, placed]);
  });
});

describe('what became of a signal, on a disk that takes it later', () => {
  /** A signal whose one order is placed at once, and a disk that fails so many times. */
  function bench(failures: number, order: Partial<OrderOfSignal> = {}) {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const { gateway, sent } = takingOrders();
    const written: Signal[] = [];
    let left = failures;
    const now = { ...{ id: 'ord_1', status: 'working', reason: null }, ...order };
    const sending = createSendOrders({
      journal: {
        orderUnder: () => Promise.resolve(now),
        write: (each: Signal) =>
          (left -= 1) >= 0
            ? Promise.reject(new Error('no space'))
            : Promise.resolve(void written.push(each)),
      } as unknown as SignalJournal,
      ...{
        gateway,
        clock: time,
        scheduler: time,
        log: silentLog,
        checkKey: () => undefined,
        mayAlert: () => true,
      },
    });
    const send = () =>
      sending.send(signalAt(time.now()), { at: time.now(), elapsed: time.elapsed() });
    return { time, sending, send, written, sent, now };
  }

  it('is written again until the disk takes it, and its order is placed once', async () => {
    const { time, send, written, sent } = bench(3);
    const over = send();
    await time.advance(29_000);
    expect(written).toEqual([]);
    await time.advance(2_000);
    await time.settle(over);
    expect([written.length, written[0]?.orders[0]?.orderId, sent()]).toEqual([1, 'ord_1', 1]);
  });

  it('is written as it is by then: an order whose connection was refused meanwhile was not placed', async () => {
    const { time, send, written, now } = bench(1);
    const over = send();
    await time.advance(5_000);
    Object.assign(now, { status: 'not_sent', reason: 'could not connect' });
    await time.advance(6_000);
    await time.settle(over);
    expect(written[0]?.orders[0]?.problem).toEqual({
      code: 'order_not_sent',
      detail: 'could not connect',
    });
  });

  it('is not written while the outcome of an order is not on disk', async () => {
    const { time, send, written, now } = bench(0, { status: 'sending' });
    const over = send();
    await time.advance(29_000);
    expect(written).toEqual([]);
    Object.assign(now, { status: 'working' });
    await time.advance(2_000);
    await time.settle(over);
    expect(written[0]?.orders[0]).toMatchObject({ orderId: 'ord_1', problem: null });
  });

  it('is left to the next start where the gateway stops', async () => {
    const { time, sending, send, written } = bench(Infinity);
    const over = send();
    await time.advance(35_000);
    sending.stop();
    await time.settle(over);
    expect(written).toEqual([]);
  });
});

describe('of a signal whose hook was in an alert less than a minute ago', () => {
  it.each([
    ['an order that may have been placed is in an alert all the same', true, 1],
    ['a refused order is in none', false, 0],
  ])('%s', async (_, mayHaveExecuted, alerts) => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const told: SignalTold[] = [];
    const refusal = new GatewayProblem({ code: 'internal', detail: 'a test', mayHaveExecuted });
    const over = createSendOrders({
      journal: {
        orderUnder: () => Promise.resolve(null),
        write: (_signal: Signal, each: SignalTold) => Promise.resolve(void told.push(each)),
      } as unknown as SignalJournal,
      gateway: { placeOrder: () => Promise.reject(refusal) },
      ...{ clock: time, scheduler: time, log: silentLog },
      ...{ checkKey: () => undefined, mayAlert: () => false },
    }).send(signalAt(time.now()), { at: time.now(), elapsed: time.elapsed() });
    await time.settle(over);
    expect(told.map(({ event }) => event)).toEqual(['signal.refused']);
    expect(told.filter(({ alert }) => alert !== null)).toHaveLength(alerts);
  });
});
