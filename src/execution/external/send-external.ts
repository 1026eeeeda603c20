import { type BrokerOrder, externalId, type IdentifiedRow } from '../../domain/broker-order.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderModification } from '../../domain/order.ts';
import { notSent, type NotSent, type Outcome } from '../../domain/outcome.ts';
import type { GatewayProblem } from '../../domain/problem.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { sha256 } from '../../platform/secret.ts';
import { CommitError, type Decision, type SingleWriter } from '../../platform/single-writer.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import { type Change, isSameAccount } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { settledState } from '../order/attempt.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { brokerTimeNow } from '../reconcile/broker-clock.ts';
import { isRowOfOurs } from '../reconcile/matching.ts';
import { purposeOf, sendChange } from '../submit/change-request.ts';
import { believeRefusalOfChange } from '../submit/confirm-refusal.ts';
import type { ExternalChangeRecord } from './external-change.ts';
import type { EpochMs } from '../../units/branded.ts';
import { rowAsOrder } from './row-as-order.ts';

export interface SendExternalParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
}

export interface ExternalChange {
  readonly poller: BookPoller;
  /** Its row in the book that was read last. */
  readonly row: BrokerOrder;
  /** What could be read of it, where it is not a whole one: events tell no more than that. */
  readonly hidden?: IdentifiedRow | null;
  /** The account whose book that was; null where it is not known. */
  readonly account: string | null;
  /** Who asks for it: a caller, or an exit. */
  readonly by: string;
  /** Absent cancels. */
  readonly modification?: ExternalModification;
  /** The caller's key; absent without one. */
  readonly idempotencyKey?: string;
  /** Notes, in the same commit, whether the request may have left. */
  readonly note?: (unit: UnitOfWork, state: 'wanted' | 'sent') => void;
}

export interface ExternalModification {
  readonly changes: OrderModification;
  /** When the book was asked for by which its row is known (epoch ms); null before one was read. */
  readonly asOf: EpochMs | null;
  /** What stops it by the state as it is when it is written down; null where nothing does. */
  readonly stopped: (state: ExecutionState) => GatewayProblem | null;
  /** Why it does not leave after all, asked in the turn in which it is written. */
  readonly whyKept: () => NotSent | null;
}

export interface SentExternal {
  readonly outcome: Outcome;
  /** False for a cancel that could not be written: it goes out all the same. */
  readonly onDisk: boolean;
}

/** As that of a cancel of our own orders. */
const PERMIT_MS = 5_000;

export const hashOfExternal = (changes: OrderModification | null): string =>
  sha256(JSON.stringify(Object.entries(changes ?? {}).sort()));

/**
 * Cancels or modifies an order that was placed elsewhere: one request, once. Its record is on disk before it
 * leaves, with an event, and its outcome afterwards, with a second one. After a crash in between nobody knows
 * whether it has left: it is uncertain, nothing is sent again by itself, and the next whole book shows what
 * became of the order (docs/orders.md, "Orders placed elsewhere"). Rejects for what stops a modification, and
 * never for what a broker answers.
 */
export function createSendExternal(
  parts: SendExternalParts,
): (change: ExternalChange) => Promise<SentExternal> {
  const { writer, commitRetry, clock, ids, log } = parts;
  const { state } = writer;

  return async function sendExternal(change: ExternalChange): Promise<SentExternal> {
    const { poller, row, modification } = change;
    const { trading } = poller;
    const changes = modification?.changes ?? null;
    const purpose = purposeOf(changes);
    const blocked = trading.blocked(purpose) ?? (await trading.permit(PERMIT_MS, purpose));
    const obstacle = blocked ?? (await whyOther(change));
    if (obstacle) return { outcome: obstacle, onDisk: true };
    const id = `att_${ids.uuid7(clock.now())}`;
    let onDisk = true;
    try {
      const problem = await writer.submit((current) => decideSend(current, change, id));
      if (problem !== null) throw problem;
    } catch (error) {
      // A cancel opens no risk, whether it is known afterwards or not: a full disk does not stop it.
      if (!(error instanceof CommitError) || modification) throw error;
      onDisk = false;
      log.error('a cancel of an order placed elsewhere could not be written to disk; it is sent', {
        brokerOrderId: row.brokerOrderId,
      });
    }
    const whyKept = modification?.whyKept ?? (() => null);
    const { brokerOrderId } = row;
    const asOf = modification?.asOf ?? null;
    const order = rowAsOrder(row, {
      asOf,
      ...trading,
      ...parts,
      caller: change.by,
      day: dayOf(poller),
    });
    const sending = { order, brokerOrderId, attemptId: id, changes, asOf };
    const sendingParts = {
      ...{ writer, pollerFor: () => poller },
      instrumentOf: () => parts.instruments.byName(row.instrument),
    };
    const answer = whyKept() ?? (await sendChange(sendingParts, trading, sending, whyKept));
    const sent = { brokerOrderId, changes, before: row };
    const outcome = await believeRefusalOfChange(parts, poller, sent, answer);
    await commitRetry.commit((current) => decideSettled(current, change, { id, outcome, onDisk }));
    return { outcome, onDisk };
  };

  /** Why the row is not the one that is meant any more. */
  async function whyOther({ poller, row, account: of }: ExternalChange): Promise<NotSent | null> {
    const { trading } = poller;
    const account = (await trading.account?.()) ?? null;
    if (account !== null && of !== null && !isSameAccount(account, of)) {
      return notSent('not_open', 'another user has logged in since the order book was read');
    }
    return isRowOfOurs(state, trading.broker, dayOf(poller), row)
      ? notSent(
          'not_open',
          'it has turned out to be an order of the gateway: change that one instead',
        )
      : null;
  }

  function decideSend(
    current: ExecutionState,
    change: ExternalChange,
    id: string,
  ): Decision<Change, GatewayProblem | null> {
    const problem = change.modification?.stopped(current) ?? null;
    if (problem !== null) return { changes: [], reply: problem };
    const unit = new UnitOfWork(current, clock.now());
    const record = recordOf(change, id, unit.at);
    unit.putExternalChange(record);
    tell(unit, change, record);
    change.note?.(unit, 'sent');
    return { changes: unit.changes, reply: null };
  }

  function decideSettled(
    current: ExecutionState,
    change: ExternalChange,
    { id, outcome, onDisk }: { id: string; outcome: Outcome; onDisk: boolean },
  ): Decision<Change, null> {
    const unit = new UnitOfWork(current, clock.now());
    const begun = onDisk
      ? required(current.externalChanges, id, 'a change of an order placed elsewhere')
      : recordOf(change, id, unit.at);
    const brokerAt = brokerTimeNow(change.poller.trading, clock);
    const record = { ...begun, state: settledState(outcome, unit.at, brokerAt) };
    unit.putExternalChange(record);
    tell(unit, change, record);
    change.note?.(unit, outcome.kind === 'not_sent' ? 'wanted' : 'sent');
    return { changes: unit.changes, reply: null };
  }
}

const dayOf = (poller: BookPoller) => tradingDay(poller.now());

function recordOf(
  { poller, row, by, modification, idempotencyKey }: ExternalChange,
  id: string,
  sentAt: UnitOfWork['at'],
): ExternalChangeRecord {
  const { broker } = poller.trading;
  const { brokerOrderId } = row;
  const changes = modification?.changes ?? null;
  const identity = {
    ...{ id, orderId: externalId(broker, brokerOrderId), broker, brokerOrderId },
    ...{ day: dayOf(poller), by, sentAt, state: { kind: 'sending' } as const },
    ...{ idempotencyKey: idempotencyKey ?? id, requestHash: hashOfExternal(changes) },
  };
  return changes === null
    ? { ...identity, kind: 'cancel' }
    : { ...identity, kind: 'modify', changes };
}

/** The event before it leaves (`outcome` null), and the one after it was answered. */
function tell(
  unit: UnitOfWork,
  { poller, row, hidden }: ExternalChange,
  record: ExternalChangeRecord,
): void {
  const { brokerOrderId, instrument, side, quantity } = hidden ?? row;
  const { id: attemptId, by, state } = record;
  const type = record.kind === 'cancel' ? 'order.external_cancel' : 'order.external_modify';
  const { broker } = poller.trading;
  const data = {
    ...{ broker, brokerOrderId, instrument, side, quantity, by, attemptId },
    ...(record.kind === 'modify' ? { changes: record.changes } : {}),
    outcome: state.kind === 'sending' ? null : state.kind,
    detail: 'reason' in state ? state.reason : null,
  };
  const of = instrument === null ? {} : { instrument };
  unit.event(type, null, data, { caller: by, broker, ...of });
}
