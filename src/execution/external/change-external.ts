import {
  type BrokerOrder,
  externalId,
  type IdentifiedRow,
  rowIn,
} from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import { isFinalRow, type OrderModification } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { momentOf } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import type { AttemptId, BrokerOrderId } from '../../units/branded.ts';
import type { Stalls } from '../journal/stalls.ts';
import type { ExecutionState } from '../journal/state.ts';
import { isChangeShown } from '../order/change-shown.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { notSentProblem, refusedProblem } from '../submit/amend.ts';
import { type ChangeGuardParts, LATE } from '../submit/change-guards.ts';
import { impossible } from '../submit/impossible-change.ts';
import { closingProblem } from '../submit/place-command.ts';
import { conflict } from '../submit/request-identity.ts';
import {
  changesOfExternal,
  type ExternalChangeRecord,
  usedForExternal,
} from './external-change.ts';
import { createModificationOf } from './external-modification.ts';
import { createFindRow, type FoundRow, unknownExternal } from './find-row.ts';
import {
  createSendExternal,
  type ExternalChange,
  hashOfExternal,
  type SendExternalParts,
  type SentExternal,
} from './send-external.ts';

export type ChangeExternalParts = SendExternalParts &
  Omit<ChangeGuardParts, 'pollerFor' | 'instrumentOf' | 'writer'> & {
    readonly poller: (broker: BrokerId) => BookPoller | null;
    readonly stalls: Pick<Stalls, 'mayHaveWaited'>;
    readonly freezeQuantities: ReadonlyMap<string, number>;
  };

export interface ExternalChanges {
  /** One request, journalled and sent once: see createSendExternal. */
  sendExternal(change: ExternalChange): Promise<SentExternal>;
  /** What a caller asks for. */
  changeExternal(command: ExternalCommand): Promise<ExternalResult>;
}

export interface ExternalCommand {
  readonly broker: BrokerId;
  readonly brokerOrderId: BrokerOrderId;
  /** Null cancels. */
  readonly changes: OrderModification | null;
  readonly caller: string;
  readonly idempotencyKey: string | null;
}

export interface ExternalResult {
  /** The row as the last book has it. */
  readonly row: BrokerOrder;
  /** Null where the request had none. */
  readonly idempotencyKey: string | null;
  /** False while it is open whether the change has happened. */
  readonly settled: boolean;
  /** The key had been used for this: nothing was sent now. */
  readonly repeated: boolean;
  /** False for a cancel that could not be written and went out all the same. */
  readonly onDisk: boolean;
}

/**
 * Cancels and modifications of orders placed elsewhere, by the rules of those of our own orders
 * (docs/orders.md, "Orders placed elsewhere"): under a key once, with the brakes of who asks, and answered by
 * the row alone. One whose answer is lost is uncertain, and never sent again by itself.
 */
export function createExternalChanges(parts: ChangeExternalParts): ExternalChanges {
  const { writer, clock } = parts;
  const sendExternal = createSendExternal(parts);
  const { state } = writer;
  const findRow = createFindRow(parts);
  const modificationOf = createModificationOf(parts);

  return { sendExternal, changeExternal: underOneKey(changeOnce) };

  async function changeOnce(command: ExternalCommand): Promise<ExternalResult> {
    const arrived = momentOf(clock);
    const { changes, caller: by, idempotencyKey } = command;
    // A change that may have waited while the gateway stood still; a cancel that is late does no harm.
    const isLate = changes !== null && parts.stalls.mayHaveWaited();
    const poller = parts.poller(command.broker);
    if (!poller) throw unknownExternal(command.broker, command.brokerOrderId);
    const used = usedBefore(command, poller);
    if (used !== null) return repeatOf(command, await findSent(command, poller), used);
    if (parts.closing()) throw closingProblem();
    if (isLate) throw notSentProblem(command, LATE.reason);
    const found = await findRow(command, poller);
    if (isFinalRow(found.row.status)) {
      throw impossible(command, `the order is ${found.row.status}`);
    }
    const asOf = poller.lastRead()?.begunAt ?? null;
    const { outcome, onDisk } = await sendExternal({
      ...{ ...found, by },
      ...(idempotencyKey === null ? {} : { idempotencyKey }),
      ...(changes === null
        ? {}
        : { modification: await modificationOf({ ...command, ...found, asOf, changes, arrived }) }),
    });
    const told = await readAgain(found);
    const { row } = told;
    const isOver = isFinalRow(row.status);
    const answer = { row, idempotencyKey, repeated: false, onDisk };
    // An order that has ended before the request reached it is the answer.
    if (outcome.kind === 'refused' && !(isOver && changes === null)) {
      throw refusedProblem(command, outcome.reason);
    }
    if (outcome.kind === 'not_sent') throw notSentProblem(command, outcome.reason);
    if (told.hidden !== null) throw sentUnseen(command, told.hidden);
    const isTaken = changes !== null && outcome.kind === 'acknowledged';
    const settled =
      isTaken || isOver || (changes !== null && isShown(state, command, { row, poller }));
    return { ...answer, row: isTaken && !isOver ? withAccepted(row, changes) : row, settled };
  }

  function usedBefore(
    { broker, brokerOrderId, changes, caller: by, idempotencyKey }: ExternalCommand,
    poller: BookPoller,
  ): ExternalChangeRecord | null {
    if (idempotencyKey === null) return null;
    const kind = changes === null ? 'cancel' : 'modify';
    const asked = { by, kind, idempotencyKey, day: tradingDay(poller.now()) } as const;
    if (state.quarantine.hasExternalChange({ ...asked, broker, brokerOrderId })) {
      throw unreadChange(broker, brokerOrderId);
    }
    return usedForExternal(state, { ...asked, orderId: externalId(broker, brokerOrderId) });
  }

  /** Where the row cannot be found now, the problem does not say that nothing has happened. */
  async function findSent(command: ExternalCommand, poller: BookPoller): Promise<FoundRow> {
    try {
      return await findRow(command, poller);
    } catch (error) {
      throw sentBefore(command, error);
    }
  }

  /** The row as it now stands; the request under this key was sent before. */
  function repeatOf(
    command: ExternalCommand,
    { row, hidden, poller }: FoundRow,
    { id, requestHash, state: told }: ExternalChangeRecord,
  ): ExternalResult {
    const { changes, idempotencyKey } = command;
    if (requestHash !== hashOfExternal(changes)) throw conflict(idempotencyKey ?? '', null);
    const isOver = isFinalRow(row.status);
    if (told.kind === 'refused' && !isOver) throw refusedProblem(command, told.reason);
    if (hidden !== null) throw sentUnseen(command, hidden);
    const isTaken = changes !== null && told.kind === 'acknowledged';
    const settled =
      isTaken || isOver || (changes !== null && isShown(state, command, { row, poller }, id));
    return { row, idempotencyKey, settled, repeated: true, onDisk: true };
  }

  async function readAgain(found: FoundRow): Promise<Pick<FoundRow, 'row' | 'hidden'>> {
    const { poller, row } = found;
    const read = await poller.read(clock.elapsed()).catch(() => {
      poller.wake();
      return poller.lastRead();
    });
    const now = rowIn(read, row.brokerOrderId);
    return now ? { row: now, hidden: null } : found;
  }
}

/** Requests under one key share the first one's answer while it is under way. */
function underOneKey(
  changeOnce: ExternalChanges['changeExternal'],
): ExternalChanges['changeExternal'] {
  const underWay = new Map<string, { hash: string; result: Promise<ExternalResult> }>();

  return async function changeExternal(command) {
    const { broker, brokerOrderId, idempotencyKey: key, caller, changes } = command;
    if (key === null) return changeOnce(command);
    const name = [changes === null, externalId(broker, brokerOrderId), caller, key].join('\n');
    const hash = hashOfExternal(changes);
    const ahead = underWay.get(name);
    if (ahead) {
      if (ahead.hash !== hash) throw conflict(key, null);
      return { ...(await ahead.result), repeated: true };
    }
    const result = changeOnce(command);
    underWay.set(name, { hash, result });
    try {
      return await result;
    } finally {
      underWay.delete(name);
    }
  };
}

/** Whether the row shows the last modification of its order, or the one of this id. */
function isShown(
  state: ExecutionState,
  { broker, brokerOrderId }: ExternalCommand,
  { row, poller }: Pick<FoundRow, 'row' | 'poller'>,
  id: AttemptId | null = null,
): boolean {
  const changes = changesOfExternal(state, externalId(broker, brokerOrderId));
  const one = changes.findLast((each) => each.kind === 'modify' && (id === null || each.id === id));
  const asOf = poller.lastRead()?.begunAt ?? null;
  return one !== undefined && isChangeShown(changes, one, row, asOf);
}

/** The row with what its broker has accepted, also while the book lags behind that. */
const withAccepted = (row: BrokerOrder, changes: OrderModification): BrokerOrder => ({
  ...row,
  quantity: changes.quantity ?? row.quantity,
  price: changes.price ?? row.price,
  triggerPrice: changes.triggerPrice ?? row.triggerPrice,
  orderType: changes.orderType ?? row.orderType,
  validity: changes.validity ?? row.validity,
});

/** What was asked for under the key is not known, and it may have left. */
function unreadChange(broker: BrokerId, brokerOrderId: BrokerOrderId): GatewayProblem {
  const detail =
    `the journal's row of the change that was made under this key does not fit, so what it says is not known: look at ` +
    `order ${brokerOrderId} of ${broker}, and use a new key to ask again`;
  return new GatewayProblem({
    ...{ code: 'journal_unavailable', detail, broker, mayHaveExecuted: true },
  });
}

/** What was asked for under the key has left, and what has become of the order cannot be read now. */
function sentBefore(
  { broker, brokerOrderId, idempotencyKey }: ExternalCommand,
  error: unknown,
): GatewayProblem {
  const detail =
    `the change of order ${brokerOrderId} of ${broker} under the key ${idempotencyKey ?? ''} was sent before, and what has ` +
    `become of it cannot be told now (${messageOf(error)}): send the request again later under the same key`;
  return new GatewayProblem(
    { ...{ code: 'broker_unavailable', detail, broker, mayHaveExecuted: true } },
    error,
  );
}

/** The cancel has left, and no row that could be read says what has become of the order. */
function sentUnseen(
  { broker, brokerOrderId }: ExternalCommand,
  { reason }: IdentifiedRow,
): GatewayProblem {
  const detail =
    `the cancel of order ${brokerOrderId} of ${broker} has been sent; whether it has come to anything is not known, because ` +
    `the order's row cannot be read: ${reason}. Look in the broker's app`;
  return new GatewayProblem({
    ...{ code: 'broker_unavailable', detail, broker, mayHaveExecuted: true },
  });
}
