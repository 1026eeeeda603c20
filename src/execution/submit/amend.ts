import type { OrderModification } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Journal } from '../journal/journal.ts';
import type { AmendmentRecord, AmendmentRequest } from '../journal/records.ts';
import { attemptsOfOrder, required, type ExecutionState } from '../journal/state.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import { isChangeShown } from '../order/change-shown.ts';
import { bindingOf, isCancelWanted, isOver, statusOf, type OrderRecord } from '../order/order.ts';
import {
  amendmentRequest,
  createAmendmentKeys,
  keyOfSlices,
  usedKey,
  type AmendmentKey,
} from './amendment-keys.ts';
import { createSendAmendment, type SendAmendmentParts } from './send-amendment.ts';
import { impossible } from './impossible-change.ts';
import { isPassing } from './kept-cancels.ts';
import type { OrderId } from '../../units/branded.ts';

export interface AmendParts extends SendAmendmentParts {
  readonly journal: Journal;
}

export interface AmendResult {
  readonly order: OrderRecord;
  /** False while it is open whether the change has happened. */
  readonly settled: boolean;
  /** The key had been used for this: nothing was sent now. */
  readonly repeated: boolean;
  /** False for a cancel that could not be written and went out all the same. */
  readonly onDisk?: boolean;
}

export interface Amend {
  /**
   * `changes` null cancels; `by` is who asks, absent for the gateway itself. Resolves with the order as it
   * then stands.
   */
  amend(
    orderId: OrderId,
    changes: OrderModification | null,
    key: AmendmentKey | null,
    by?: string | null,
  ): Promise<AmendResult>;
}

export interface AmendOnce extends Amend {
  /** As `amend` under a key that was used; where it was not, throws the problem of `refusal`, and sends nothing. */
  repeatOnly(
    orderId: OrderId,
    changes: OrderModification | null,
    key: AmendmentKey | null,
    refusal: () => GatewayProblem,
  ): Promise<AmendResult>;
}

/** Cancels and modifies: journalled like a placing, and answered by the broker's row alone. */
export function createAmend(parts: AmendParts): AmendOnce {
  const { state } = parts.writer;
  const once = createAmendmentKeys<AmendResult>(state, parts.journal);
  const { sendOnce, readAgain } = createSendAmendment(parts);
  const orderNow = (orderId: OrderId): OrderRecord => required(state.orders, orderId, 'order');

  /** `work` does what is asked for about one order, where its key is free. */
  async function withWork(
    orderId: OrderId,
    changes: OrderModification | null,
    key: AmendmentKey | null,
    work: (orderId: OrderId, request: AmendmentRequest | null) => Promise<AmendResult>,
  ): Promise<AmendResult> {
    const method = changes === null ? 'cancel' : 'modify';
    const underKey = (id: OrderId, keyOfIt: AmendmentKey | null): Promise<AmendResult> => {
      const request = keyOfIt && amendmentRequest(method, id, changes, keyOfIt);
      return once(request, () => work(id, request), repeatOf);
    };
    const order = orderNow(orderId);
    if (order.state.kind !== 'sliced') return underKey(orderId, key);
    if (changes === null) {
      return cancelSlices({ state, journal: parts.journal }, order, key, underKey);
    }
    if (isOver(order)) throw impossible(order, `the order is ${statusOf(order)}`);
    throw impossible(order, 'the order went out in slices: each is modified under its own id');
  }

  /** The order as it now stands; the request under this key was sent before. */
  function repeatOf({ orderId, attemptId, method }: AmendmentRecord): AmendResult {
    const order = orderNow(orderId);
    const attempt = attemptId === null ? undefined : state.attempts.get(attemptId);
    const isCancel = method === 'cancel';
    if (!isOver(order) && !(isCancel && isCancelWanted(order))) {
      const told = (isCancel ? lastCancel(state, orderId) : attempt)?.state;
      if (told?.kind === 'refused') throw refusedProblem(order, told.reason);
    }
    const isTaken = method === 'modify' && attempt?.state.kind === 'acknowledged';
    const isMade = isTaken || (attempt !== undefined && isShown(order, attempt));
    return { order, settled: isOver(order) || isMade, repeated: true };
  }

  const isShown = (order: OrderRecord, attempt: AttemptRecord): boolean =>
    isChangeShown(
      attemptsOfOrder(state, order.id),
      attempt,
      bindingOf(order)?.row ?? null,
      parts.pollerFor(order).lastRead()?.begunAt ?? null,
    );

  async function amendOne(
    orderId: OrderId,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
    by: string | null,
  ): Promise<AmendResult> {
    const repeated = false;
    const { outcome, onDisk } = await sendOnce(orderId, changes, request, by);
    if (outcome === null) return { order: orderNow(orderId), settled: false, repeated, onDisk };
    // The row of a change that was refused has been read since.
    const isRead = outcome.kind === 'refused' && !isPassing(outcome);
    const order = isRead ? orderNow(orderId) : await readAgain(orderId);
    if (isOver(order)) {
      // The order filled before the cancel reached it; that is the answer.
      if (changes === null || outcome.kind === 'acknowledged')
        return { order, settled: true, repeated, onDisk };
      if (outcome.kind === 'uncertain') return { order, settled: false, repeated, onDisk };
      throw impossible(order, `the order is ${statusOf(order)}`);
    }
    // The cancel is kept and will be sent again, so the order will not stay as it is.
    if (changes === null && isCancelWanted(order)) {
      return { order, settled: false, repeated, onDisk };
    }
    if (outcome.kind === 'refused') throw refusedProblem(order, outcome.reason);
    if (outcome.kind === 'not_sent') throw notSentProblem(order, outcome.reason);
    // A cancel is done when the row says so; a modification when the broker has taken it, or when the row shows it.
    const last = attemptsOfOrder(state, orderId).findLast(({ kind }) => kind === 'modify');
    const isMade = outcome.kind === 'acknowledged' || (last !== undefined && isShown(order, last));
    return { order, settled: changes !== null && isMade, repeated, onDisk };
  }

  return {
    amend: (orderId, changes, key, by = null) =>
      withWork(orderId, changes, key, (id, request) => amendOne(id, changes, request, by)),
    repeatOnly: (orderId, changes, key, refusal) =>
      withWork(orderId, changes, key, () => Promise.reject(refusal())),
  };
}

/**
 * Cancels each slice for itself: one that cannot be cancelled does not keep the others open. A repeat sends
 * a cancel only for the open slices for which none has left under the key.
 */
async function cancelSlices(
  { state, journal }: { readonly state: ExecutionState; readonly journal: Journal },
  parent: OrderRecord,
  key: AmendmentKey | null,
  cancelOne: (sliceId: OrderId, key: AmendmentKey | null) => Promise<AmendResult>,
): Promise<AmendResult> {
  const orderNow = (orderId: OrderId): OrderRecord => required(state.orders, orderId, 'order');
  const slices = [...(state.slicesOf.get(parent.id) ?? [])];
  const keyOfEach = key && keyOfSlices(parent.id, key);
  const isRepeat = async (): Promise<boolean> =>
    keyOfEach !== null && isUsedForOneOf({ state, journal }, slices, keyOfEach);
  if (isOver(parent)) {
    if (!(await isRepeat())) throw impossible(parent, `the order is ${statusOf(parent)}`);
    return { order: orderNow(parent.id), settled: true, repeated: true };
  }
  const open = slices.filter((id) => !isOver(orderNow(id)));
  const results = await Promise.allSettled(open.map((id) => cancelOne(id, keyOfEach)));
  const done = results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  for (const [index, id] of open.entries()) {
    const result = results[index];
    if (result?.status !== 'rejected' || isOver(orderNow(id))) continue;
    // An earlier request under the key may have cancelled slices that are over by now.
    const haveSome = done.length > 0 || (await isRepeat());
    throw haveSome ? ofOneSlice(id, result.reason, { done, open }) : result.reason;
  }
  return {
    order: orderNow(parent.id),
    settled: done.every(({ settled }) => settled),
    // Nothing was sent now.
    repeated: done.length > 0 && done.every(({ repeated }) => repeated),
    onDisk: done.every(({ onDisk }) => onDisk !== false),
  };
}

/** Why one slice was not cancelled, where the cancels of others have left: then something has been sent. */
function ofOneSlice(
  id: OrderId,
  reason: unknown,
  { done, open }: { readonly done: readonly unknown[]; readonly open: readonly OrderId[] },
): unknown {
  if (!(reason instanceof GatewayProblem)) return reason;
  const detail =
    `slice ${id} is not cancelled: ${reason.fields.detail}. ${done.length} of ${open.length} slices are ` +
    'cancelled, or are being cancelled: repeat the request, which cancels only what is open';
  const code = reason.fields.code === 'order_not_sent' ? 'broker_unavailable' : 'broker_refused';
  const { broker } = reason.fields;
  return new GatewayProblem({
    ...{ code, detail, mayHaveExecuted: true },
    ...(broker === undefined ? {} : { broker }),
  });
}

/** Whether a key has been used to cancel one of these orders. */
async function isUsedForOneOf(
  { state, journal }: { readonly state: ExecutionState; readonly journal: Journal },
  ids: readonly OrderId[],
  key: AmendmentKey,
): Promise<boolean> {
  for (const id of ids) {
    const row = await usedKey(state, journal, amendmentRequest('cancel', id, null, key));
    if (row !== null) return true;
  }
  return false;
}

const lastCancel = (state: ExecutionState, orderId: OrderId): AttemptRecord | undefined =>
  attemptsOfOrder(state, orderId).findLast(({ kind }) => kind === 'cancel');

export function refusedProblem(order: Pick<OrderRecord, 'broker'>, reason: string): GatewayProblem {
  const detail = `${order.broker} refused: ${reason}`;
  return new GatewayProblem({ code: 'change_refused', detail, broker: order.broker });
}

export function notSentProblem(order: Pick<OrderRecord, 'broker'>, reason: string): GatewayProblem {
  return new GatewayProblem({
    code: 'order_not_sent',
    detail: `${reason}; nothing was sent, and the order stands as it was`,
    broker: order.broker,
    mayHaveExecuted: false,
  });
}
