import { createFailureLimiter } from '../callers/failure-limiter.ts';
import type { OrderRequest } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { isOpenOrder, type OpenSignals, type Signal, withOrder } from '../domain/signal.ts';
import type { Hook } from '../domain/signal-template.ts';
import { momentOf } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import { messageOf } from '../platform/values.ts';
import { toProblem } from '../router/problems.ts';
import type { PostedAlert, Signals } from '../routes/signals.ts';
import type { Hooks } from './hooks.ts';
import { newSignal } from './new-signal.ts';
import { createAlertLimit, createNoticeLimit } from './rate-limits.ts';
import type { AlertReader, ReadAlert } from './read-alert.ts';
import { createSendOrders, type SendOrdersParts } from './send-orders.ts';

export interface SignalsParts extends Omit<SendOrdersParts, 'mayAlert'> {
  readonly hooks: Pick<Hooks, 'find'>;
  readonly ids: Ids;
  readonly read: AlertReader;
}

/** Takes alerts in, and has their orders placed (docs/signals.md). Disposing it waits for what is under way. */
export interface SignalInbox extends Signals, AsyncDisposable {
  /** Goes on with what an earlier run of the gateway has accepted and not finished. Never rejects. */
  resume(): Promise<void>;
}

type Taken = Awaited<ReturnType<Signals['take']>>;

export function createSignals(parts: SignalsParts): SignalInbox {
  const { hooks, journal, clock, log } = parts;
  const mayAlert = createNoticeLimit(clock);
  const sendOrders = createSendOrders({ ...parts, mayAlert });
  const failures = createFailureLimiter(clock);
  const countAlert = createAlertLimit(clock);
  const note = createNote(parts, mayAlert);
  /** Alerts that are being accepted, by hook and id: a second one waits for the first. */
  const underWay = new Map<string, Promise<Taken>>();
  const sending = new Set<Promise<void>>();

  function track(work: Promise<void>): void {
    sending.add(work);
    void work.finally(() => sending.delete(work));
  }

  async function accept(hook: Hook, read: ReadAlert): Promise<Taken> {
    const arrived = momentOf(clock);
    const known = await journal.ofAlert(hook.id, read.alertId);
    if (known !== null) return repeated(hook, read, known);
    const signal = newSignal(hook, read, parts.ids, clock.now());
    await journal.write(signal, { event: 'signal.accepted', alert: null });
    track(sendOrders.send(signal, arrived));
    return { signal, repeated: false };
  }

  async function repeated(hook: Hook, read: ReadAlert, known: Signal): Promise<Taken> {
    const asked = known.orders.map(({ request }) => request);
    if (isSame(asked, read.orders)) return { signal: await withOrders(known), repeated: true };
    const error = conflict(known);
    await note(hook, read, error);
    throw error;
  }

  /** With the orders that were placed since the signal was last written. */
  async function withOrders(signal: Signal): Promise<Signal> {
    const orders = signal.orders.map(async (order) => {
      if (!isOpenOrder(order)) return order;
      const made = await sendOrders.orderUnder(signal, order);
      return made === null || made === 'unread' ? order : withOrder(order, made);
    });
    return { ...signal, orders: await Promise.all(orders) };
  }

  async function take({ secret, body, address }: PostedAlert): Promise<Taken> {
    const hook = hooks.find(secret);
    if (hook === null) throw unknownSecret(failures.failed(address));
    countAlert(hook.id);
    if (journal.isDiskLow()) throw diskFull();
    let read: ReadAlert;
    try {
      read = parts.read(hook, { body, address }, clock.now());
    } catch (error) {
      if (error instanceof GatewayProblem) await note(hook, {}, error);
      throw error;
    }
    const name = `${hook.id}\n${read.alertId}`;
    const go = (): Promise<Taken> => accept(hook, read);
    const ahead = underWay.get(name);
    const mine = ahead === undefined ? go() : ahead.then(go, go);
    underWay.set(name, mine);
    try {
      return await mine;
    } finally {
      if (underWay.get(name) === mine) underWay.delete(name);
    }
  }

  async function resume(): Promise<void> {
    let open: OpenSignals;
    try {
      open = await journal.open();
    } catch (error) {
      log.error('the signals that are under way could not be read; it is tried again', {
        reason: messageOf(error),
      });
      track(sendOrders.pause().then((isOver) => (isOver ? undefined : resume())));
      return;
    }
    for (const signal of open.signals) track(sendOrders.resume(signal));
    for (const { id, reason } of open.unread) track(sendOrders.tell(unreadText(id, reason)));
  }

  return {
    take: (alert) => take(alert).catch(throwProblem),
    newest: async (query) => Promise.all((await journal.newest(query)).map(withOrders)),
    resume,
    async [Symbol.asyncDispose]() {
      sendOrders.stop();
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}

const unreadText = (id: string, reason: string): string =>
  `signal ${id} was accepted, and its row in the journal does not fit (${reason}): its orders are not sent, and those ` +
  'that were sent before are in the list of orders';

/** Notes a signal that was refused as a whole; what the sender is answered stays the problem itself. */
function createNote(
  { journal, ids, clock, log }: SignalsParts,
  mayAlert: SendOrdersParts['mayAlert'],
) {
  return async (hook: Hook, read: Partial<ReadAlert>, error: GatewayProblem): Promise<void> => {
    const { code } = error;
    const { detail } = error.fields;
    const refused = newSignal(hook, { ...read, orders: [] }, ids, clock.now());
    const alert = mayAlert(hook.id)
      ? `a signal of the hook ${hook.name} was refused, and nothing placed: ${detail}`
      : null;
    try {
      const signal = { ...refused, problem: { code, detail } };
      await journal.write(signal, { event: 'signal.refused', alert });
    } catch (failure) {
      log.error('a refused signal could not be written', { reason: messageOf(failure) });
    }
  };
}

/** Whether two lists are of the same orders: a row of the journal has its fields in another order. */
function isSame(left: readonly OrderRequest[], right: readonly OrderRequest[]): boolean {
  const sorted = (each: OrderRequest) =>
    Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(left.map(sorted)) === JSON.stringify(right.map(sorted));
}

function throwProblem(error: unknown): never {
  throw toProblem(error);
}

const conflict = ({ id }: Signal): GatewayProblem =>
  new GatewayProblem({
    code: 'idempotency_conflict',
    detail:
      `another alert had the same id: it is signal ${id}. Nothing was placed for this one: give the template of ` +
      'the hook an id that tells them apart',
    mayHaveExecuted: false,
  });

function unknownSecret(retryAfterMs: number): GatewayProblem {
  if (retryAfterMs > 0) {
    const detail = 'Too many posts from this address went to hooks that do not exist: wait.';
    return new GatewayProblem({ code: 'too_many_requests', detail, retryAfterMs });
  }
  return new GatewayProblem({ code: 'unknown_hook', detail: 'There is no hook at this address.' });
}

const diskFull = (): GatewayProblem =>
  new GatewayProblem({
    code: 'disk_full',
    detail: 'the disk is nearly full, so the alert was not kept, and nothing was placed',
  });
