import { GatewayProblem } from '../domain/problem.ts';
import {
  isOpenOrder,
  type Signal,
  type SignalJournal,
  type SignalOrder,
  type SignalProblem,
  type SignalTold,
  withOrder,
} from '../domain/signal.ts';
import type { Clock, Moment, Scheduler } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import type { Gateway } from '../router/gateway.ts';
import { elapsedMs } from '../units/branded.ts';
import { createLookUps } from './look-ups.ts';

export interface SendOrdersParts {
  readonly journal: SignalJournal;
  readonly gateway: Pick<Gateway, 'placeOrder'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Throws a GatewayProblem where the key of a signal may place no more orders of its mode. */
  readonly checkKey: (signal: Signal) => void;
  /** Whether people are alerted of a refusal of this hook now. */
  readonly mayAlert: (hookId: string) => boolean;
}

/** A signal that the gateway was stopped over is not followed later than this after it came. */
const RESUME_WITHIN_MS = 60_000;

/**
 * Places the orders of a signal that is on disk, as any other order of its key, and writes down what has become
 * of each. Never rejects.
 */
export function createSendOrders(parts: SendOrdersParts) {
  const { journal, gateway, clock, log } = parts;
  const stopped = new AbortController();
  const { orderUnder, lookUp, pause, tell } = createLookUps(parts, stopped.signal);

  async function place(signal: Signal, order: SignalOrder, arrived: Moment): Promise<SignalOrder> {
    const { caller } = signal;
    const { idempotencyKey, request } = order;
    try {
      parts.checkKey(signal);
      const placed = await gateway.placeOrder(request, { caller, idempotencyKey, arrived });
      return withOrder(order, placed.order);
    } catch (error) {
      const made = await lookUp(signal, order);
      if (made === 'unread') return order;
      return { ...order, orderId: made?.id ?? null, problem: problemOf(error, signal, log) };
    }
  }

  /** An order as it now stands; null while its outcome is not on disk, because that takes nothing. */
  async function asItIs(signal: Signal, order: SignalOrder): Promise<SignalOrder | null> {
    const made =
      order.orderId === null || order.problem !== null ? null : await orderUnder(signal, order);
    if (made === null || made === 'unread') return order;
    return made.status === 'sending' ? null : withOrder(order, made);
  }

  async function finish(signal: Signal, orders: readonly SignalOrder[]): Promise<void> {
    // The gateway stops: at the next start it is looked up again what has become of them.
    if (orders.some(isOpenOrder)) return;
    // Asked once for each signal, however often its outcome has to be written.
    let isAllowed: boolean | null = null;
    const mayAlert = (): boolean => (isAllowed ??= parts.mayAlert(signal.hookId));
    for (let isTold = false; ; isTold = true) {
      try {
        const now = await Promise.all(orders.map((order) => asItIs(signal, order)));
        const known = now.filter((order) => order !== null);
        if (known.length < now.length)
          throw new Error('the outcome of an order is not written yet');
        await journal.write({ ...signal, orders: known }, toldOf(signal, known, mayAlert));
        return;
      } catch (error) {
        const about = { source: signal.id, reason: messageOf(error) };
        if (!isTold) log.error('what became of a signal could not be written yet', about);
      }
      // At the next start it is looked up again what has become of its orders.
      if (await pause()) return;
    }
  }

  async function send(signal: Signal, arrived: Moment): Promise<void> {
    const orders = await Promise.all(
      signal.orders.map((order) => (isOpenOrder(order) ? place(signal, order, arrived) : order)),
    );
    await finish(signal, orders);
  }

  async function resumeOrder(signal: Signal, order: SignalOrder): Promise<SignalOrder> {
    const made = await lookUp(signal, order);
    if (made === 'unread') return order;
    if (made !== null) return withOrder(order, made);
    const age = clock.now() - signal.receivedAt;
    if (age < 0 || age > RESUME_WITHIN_MS) return { ...order, problem: STOPPED };
    const elapsed = elapsedMs(clock.elapsed() - age);
    return place(signal, order, { at: signal.receivedAt, elapsed });
  }

  return {
    ...{ send, orderUnder, pause, tell },
    /** What the disk does not take, or the journal cannot tell, is not waited for any longer. */
    stop: () => stopped.abort(),
    /**
     * Goes on with a signal that the gateway was stopped over: what is an order stays one, and the others are
     * placed where the signal has just come, as orders that are late (submit/late-orders.ts). Of an order that cannot be
     * looked up nothing is told before it can.
     */
    async resume(signal: Signal): Promise<void> {
      const orders = await Promise.all(
        signal.orders.map((order) => (isOpenOrder(order) ? resumeOrder(signal, order) : order)),
      );
      await finish(signal, orders);
    },
  };
}

/**
 * What is told of a signal all of whose orders are placed or refused. Of an order that may have been placed, people
 * are always alerted.
 */
function toldOf(
  { id, hookName }: Signal,
  orders: readonly SignalOrder[],
  mayAlert: () => boolean,
): SignalTold {
  const problems = orders.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) return { event: null, alert: null };
  const part = (of: readonly SignalProblem[], what: string): string =>
    of.length === 0
      ? ''
      : `${of.length} of ${orders.length} orders ${what}: ${of[0]?.detail ?? ''}`;
  const unsure = problems.filter(({ mayHaveExecuted }) => mayHaveExecuted);
  const refused = problems.filter(({ mayHaveExecuted }) => !mayHaveExecuted);
  if (!mayAlert() && unsure.length === 0) return { event: 'signal.refused', alert: null };
  const told = [part(refused, 'not placed'), part(unsure, 'may have been placed')];
  const alert = `signal ${id} of the hook ${hookName}: ${told.filter((each) => each !== '').join('; ')}`;
  return { event: 'signal.refused', alert };
}

const STOPPED: SignalProblem = {
  code: 'order_not_sent',
  detail:
    'the gateway was stopped before it sent the order, and the signal is too old by now: nothing was placed',
};

function problemOf(error: unknown, { id }: Signal, log: Log): SignalProblem {
  if (error instanceof GatewayProblem) {
    const { detail, mayHaveExecuted } = error.fields;
    return { code: error.code, detail, ...(mayHaveExecuted === true ? { mayHaveExecuted } : {}) };
  }
  log.error('an order of a signal failed with an unexpected error', {
    ...{ source: id, reason: error instanceof Error ? error.name : typeof error },
  });
  const detail = 'an unexpected error: look in the list of orders whether it was placed';
  return { code: 'internal', detail, mayHaveExecuted: true };
}
