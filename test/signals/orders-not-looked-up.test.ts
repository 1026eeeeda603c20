import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../src/domain/order.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import type { OrderOfSignal, Signal, SignalJournal, SignalTold } from '../../src/domain/signal.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { Gateway } from '../../src/router/gateway.ts';
import { createSendOrders } from '../../src/signals/send-orders.ts';
import { epochMs } from '../../src/units/branded.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const SALE: OrderRequest = {
  ...{ instrument: 'NSE:INFY', side: 'SELL', quantity: 1, orderType: 'MARKET' },
  ...{ product: 'INTRADAY', validity: 'DAY', price: null, triggerPrice: null, amo: false },
  ...{ tag: null, broker: null, mode: 'live' },
};

/** What the journal says of the row of an order that does not fit its schema (journal.ts, parseRow). */
const unreadable = (): GatewayProblem =>
  new GatewayProblem({
    code: 'journal_unavailable',
    detail: 'a row of orders in the journal does not fit, so what it says is not known',
    mayHaveExecuted: true,
  });

/** A signal over which the gateway was stopped; its order was sent, and the journal cannot tell that so many times. */
async function resumed(ageMs: number, unreadTimes: number) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const order = { id: 'ord_1', status: 'working', reason: null } as unknown as OrderOfSignal;
  const written: { signal: Signal; told: SignalTold }[] = [];
  const alerts: string[] = [];
  let left = unreadTimes;
  let sent = 0;
  const sending = createSendOrders({
    journal: {
      orderUnder: () => ((left -= 1) >= 0 ? Promise.reject(unreadable()) : Promise.resolve(order)),
      write: (signal: Signal, told: SignalTold) =>
        Promise.resolve(void written.push({ signal, told })),
      alert: (message: string) => Promise.resolve(void alerts.push(message)),
    } as unknown as SignalJournal,
    gateway: {
      placeOrder() {
        sent += 1;
        return Promise.reject(unreadable());
      },
    } as Pick<Gateway, 'placeOrder'>,
    ...{
      clock: time,
      scheduler: time,
      log: silentLog,
      checkKey: () => undefined,
      mayAlert: () => true,
    },
  });
  const signal: Signal = {
    ...{ id: 'sig_1', hookId: 'hook_1', hookName: 'strategy', caller: 'key_1', mode: 'live' },
    ...{ alertId: 'a', alertAt: null, receivedAt: epochMs(time.now() - ageMs), problem: null },
    orders: [{ idempotencyKey: 'sig-a-0', request: SALE, orderId: null, problem: null }],
  };
  const over = sending.resume(signal);
  await time.advance(120_000);
  sending.stop();
  await time.settle(over);
  return { written, alerts, sent };
}

const AGES = [
  ['an hour ago', 3_600_000],
  ['ten seconds ago', 10_000],
] as const;

describe.each(AGES)('a signal of %s whose order cannot be looked up at the start', (_, ageMs) => {
  it('is told once its order can be looked up, and is placed', async () => {
    const { written, alerts, sent } = await resumed(ageMs, 3);
    expect(written).toMatchObject([
      { signal: { orders: [{ orderId: 'ord_1', problem: null }] }, told: { alert: null } },
    ]);
    expect([alerts.length, sent]).toEqual([1, 0]);
  });

  it('stays accepted while it cannot be: a person is told once that it is not known', async () => {
    const { written, alerts, sent } = await resumed(ageMs, Infinity);
    expect([written, sent]).toEqual([[], 0]);
    expect(alerts).toEqual([expect.stringContaining('is not known')]);
  });
});

describe('an order of a signal whose placing fails with an open outcome', () => {
  it('is told as one that may have been placed', async () => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const written: { signal: Signal; told: SignalTold }[] = [];
    const { send } = createSendOrders({
      journal: {
        orderUnder: () => Promise.resolve(null),
        write: (signal: Signal, told: SignalTold) =>
          Promise.resolve(void written.push({ signal, told })),
      } as unknown as SignalJournal,
      gateway: { placeOrder: () => Promise.reject(unreadable()) },
      ...{
        clock: time,
        scheduler: time,
        log: silentLog,
        checkKey: () => undefined,
        mayAlert: () => true,
      },
    });
    const signal = { id: 'sig_1', hookName: 'strategy', caller: 'key_1' } as Signal;
    const orders = [{ idempotencyKey: 'k', request: SALE, orderId: null, problem: null }];
    await time.settle(send({ ...signal, orders }, { at: time.now(), elapsed: time.elapsed() }));
    const [{ signal: kept, told } = {}] = written;
    expect(kept?.orders[0]?.problem).toMatchObject({ mayHaveExecuted: true });
    expect(told?.alert).toContain('1 of 1 orders may have been placed');
    expect(told?.alert).not.toContain('not placed');
  });
});
