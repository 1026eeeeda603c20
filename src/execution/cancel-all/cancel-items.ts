import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { CancelResult } from '../../domain/cancel-all.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Trading, TriggerOutcome } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { type Scheduler, sleep } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import type { OrderId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { isOver, type OrderRecord, reasonOf, statusOf } from '../order/order.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import type { AmendResult } from '../submit/amend.ts';
import type { AmendmentKey } from '../submit/amendment-keys.ts';
import { isPassing } from '../submit/kept-cancels.ts';
import type { ExternalChange } from '../external/send-external.ts';
import type { CancelRunRecord } from './cancel-run.ts';
import { isSameRow, noteExternal } from './decide-run.ts';

/** How one of the orders stands now. */
export interface CancelItem {
  readonly order:
    | { readonly kind: 'own'; readonly order: OrderRecord }
    | {
        readonly kind: 'external';
        readonly source: Pick<Trading, 'broker' | 'mode'>;
        readonly row: BrokerOrder;
      };
  readonly result: CancelResult;
  /** For people; null where nothing needs to be said. */
  readonly reason: string | null;
  /** The cancel is not on disk: a restart forgets it. */
  readonly onDisk?: false;
  /** Requests that it takes: of a sliced order one for each of its slices. */
  readonly requests: number;
}

export interface CancelItemsParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly scheduler: Scheduler;
  readonly poller: (broker: BrokerId) => BookPoller | null;
  readonly cancel: (orderId: OrderId, key: AmendmentKey | null, by: string) => Promise<AmendResult>;
  readonly cancelExternal: (cancel: ExternalChange) => Promise<Outcome>;
  readonly closing: () => boolean;
}

export type Told = Pick<CancelItem, 'result' | 'reason' | 'onDisk'>;
/** What came of one request. */
export interface Sent extends Told {
  /** Another one does what this one did not: it did not leave, or the broker still handles the order. */
  readonly again: boolean;
}

/** Cancels at one broker that wait for their permits at the same time: those behind them wait here. */
export const AT_ONCE = 10;
/** One that did not leave is tried again, since nothing was sent. */
const TRIES = 3;
const AGAIN_MS = 1_000;
export const WAITS: Told = { result: 'cancelling', reason: 'it waits for its turn at the broker' };
const STOPPING: Told = { result: 'not_sent', reason: 'the gateway is stopping; nothing was sent' };

/** The cancels of one request: each goes out once it is added, and tells how it stands. */
export interface CancelItems {
  addOwn(orderIds: readonly OrderId[]): void;
  /** The orders placed elsewhere of a request, as a book shows them. */
  addExternal(run: CancelRunRecord, poller: BookPoller, read: BookRead): void;
  all(): readonly CancelItem[];
  whenDone(): Promise<void>;
}

export function createCancelItems(
  parts: CancelItemsParts,
): (key: string | null, run: () => CancelRunRecord | null) => CancelItems {
  const { writer, cancelExternal } = parts;
  const { state } = writer;
  const orderNow = (id: OrderId): OrderRecord => required(state.orders, id, 'order');

  return function createItems(key, run) {
    const items = new Map<string, () => CancelItem>();
    const queues = new Map<BrokerId, ReturnType<typeof createQueue>>();
    const queueOf = (broker: BrokerId): ReturnType<typeof createQueue> => {
      const queue = queues.get(broker) ?? createQueue(AT_ONCE);
      queues.set(broker, queue);
      return queue;
    };

    function addOwn(orderIds: readonly OrderId[]): void {
      for (const id of orderIds) {
        const order = state.orders.get(id);
        if (items.has(id) || !order) continue;
        const requests = openSlices(id);
        let told = WAITS;
        items.set(id, () => {
          const order = orderNow(id);
          return { order: { kind: 'own', order }, ...ownNow(order, told), requests };
        });
        queueOf(order.broker).add(async () => {
          told = await untilSent(parts, () => cancelOwn(id));
        });
      }
    }

    function openSlices(id: OrderId): number {
      const slices = [...(state.slicesOf.get(id) ?? [])];
      return Math.max(1, slices.filter((slice) => !isOver(orderNow(slice))).length);
    }

    async function cancelOwn(id: OrderId): Promise<Sent> {
      const caller = run()?.caller ?? '';
      const ofRun = key === null ? null : { caller, idempotencyKey: `cancel-all\n${key}` };
      const { onDisk } = await parts.cancel(id, ofRun, caller);
      return { result: 'cancelling', reason: null, ...withDisk(onDisk), again: false };
    }

    function addExternal(set: CancelRunRecord, poller: BookPoller, read: BookRead): void {
      const { trading } = poller;
      const { broker } = trading;
      for (const wanted of set.external) {
        const first = read.rows.find(({ brokerOrderId }) =>
          isSameRow(wanted, { broker, brokerOrderId }),
        );
        if (wanted.broker !== broker || !first) continue;
        let told: Told =
          wanted.state === 'sent'
            ? { result: 'cancelling', reason: 'a cancel was sent before: none was sent now' }
            : WAITS;
        items.set(`${broker}:${wanted.brokerOrderId}`, () => {
          const row = rowNow(poller, first);
          const order = { kind: 'external', source: trading, row } as const;
          return { order, ...externalNow(row, told), requests: 1 };
        });
        if (wanted.state === 'sent' || isFinalRow(first.status)) continue;
        queueOf(broker).add(async () => {
          told = await untilSent(parts, async () =>
            outcomeTold(
              await cancelExternal({
                ...{ poller, row: first, account: read.account, by: set.caller },
                note: (unit, as) => noteExternal(unit, set, wanted, as),
              }),
            ),
          );
        });
      }
    }

    return {
      ...{ addOwn, addExternal },
      all: () => [...items.values()].map((item) => item()),
      whenDone: async () => void (await Promise.all([...queues.values()].map((q) => q.idle()))),
    };
  };
}

/** Sends until it has left, three times at most. Never rejects. */
export async function untilSent(
  { scheduler, closing }: Pick<CancelItemsParts, 'scheduler' | 'closing'>,
  send: () => Promise<Sent>,
): Promise<Told> {
  for (let tries = 1; ; tries += 1) {
    if (closing()) return STOPPING;
    const { again, ...told } = await send().catch(problemTold);
    if (!again || tries === TRIES) return told;
    await sleep(scheduler, AGAIN_MS);
  }
}

/** Whether it is still to be seen what becomes of the order. */
export const isOpenItem = ({ result }: Pick<CancelItem, 'result'>): boolean =>
  result === 'cancelling' || result === 'uncertain';

export const brokerOfItem = ({ order }: CancelItem): BrokerId =>
  order.kind === 'own' ? order.order.broker : order.source.broker;

/** Runs work, so much of it at once; work that is added later waits its turn. */
export function createQueue(atOnce: number) {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  function next(): void {
    while (running.size < atOnce) {
      const work = waiting.shift();
      if (!work) return;
      const done: Promise<void> = work().finally(() => {
        running.delete(done);
        next();
      });
      running.add(done);
    }
  }
  return {
    add(work: () => Promise<void>): void {
      waiting.push(work);
      next();
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** How an order of ours stands: its own row decides, and what was told of its cancel where it is open. */
function ownNow(order: OrderRecord, told: Told): Told {
  const status = statusOf(order);
  if (status === 'cancelled' || status === 'partial') {
    return { result: 'cancelled', reason: reasonOf(order) };
  }
  if (isOver(order)) return { result: 'over', reason: reasonOf(order) };
  if (told.result !== 'cancelling') return told;
  return status === 'uncertain'
    ? { ...told, result: 'uncertain', reason: `${reasonOf(order) ?? status}; the cancel is kept` }
    : told;
}

/** What is said of a cancel, or of a deletion, that could not be written. */
export const withDisk = (onDisk: boolean | undefined): Pick<Told, 'onDisk'> =>
  onDisk === false ? { onDisk } : {};

function externalNow(row: BrokerOrder, told: Told): Told {
  if (row.status === 'cancelled' || row.status === 'partial') {
    return { result: 'cancelled', reason: row.reason };
  }
  return isFinalRow(row.status) ? { result: 'over', reason: row.reason } : told;
}

/** The row as the last book has it; the first one where that does not have it. */
const rowNow = (poller: BookPoller, row: BrokerOrder): BrokerOrder =>
  poller.lastRead()?.rows.find(({ brokerOrderId }) => brokerOrderId === row.brokerOrderId) ?? row;

export function outcomeTold(outcome: Outcome | TriggerOutcome): Sent {
  switch (outcome.kind) {
    case 'acknowledged':
      return { result: 'cancelling', reason: null, again: false };
    case 'uncertain':
    case 'not_sent':
      return {
        ...{ result: outcome.kind, reason: outcome.reason },
        again: outcome.kind === 'not_sent',
      };
    case 'refused':
      return { result: 'refused', reason: outcome.reason, again: isPassing(outcome) };
  }
}

export function problemTold(error: unknown): Sent {
  if (!(error instanceof GatewayProblem)) {
    return { result: 'uncertain', reason: messageOf(error), again: false };
  }
  const { code, fields } = error;
  const reason = fields.detail;
  const isRefused = code === 'change_refused' || code === 'order_state';
  if (isRefused) return { result: 'refused', reason, again: false };
  const isSent = fields.mayHaveExecuted !== false;
  return { result: isSent ? 'uncertain' : 'not_sent', reason, again: !isSent };
}
