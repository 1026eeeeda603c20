import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { notSent, type Outcome, uncertain } from '../../domain/outcome.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type Decision, type SingleWriter } from '../../platform/single-writer.ts';
import type { AttemptId } from '../../units/branded.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import { type Change, isSameAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { isRowOfOurs } from '../reconcile/matching.ts';

export interface CancelExternalParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
}

export interface ExternalCancel {
  readonly poller: BookPoller;
  /** Its row in the book that was read last. */
  readonly row: BrokerOrder;
  /** The account whose book that was; null where it is not known. */
  readonly account: string | null;
  /** Who asks for it: a caller, or an exit. */
  readonly by: string;
  /** Notes, in the same commit, whether the cancel may have left. */
  readonly note?: (unit: UnitOfWork, state: 'wanted' | 'sent') => void;
}

/** As that of a cancel of our own orders. */
const PERMIT_MS = 5_000;

/**
 * Cancels an order that was placed elsewhere: one request, once. There is no order of ours to keep it with, so
 * the event `order.external_cancel` is on disk before it leaves, and a second one tells its outcome. After a
 * crash in between nobody knows whether it has left: the event without an outcome says so, nothing is sent
 * again by itself, and the next whole book shows what became of the order (docs/many-orders.md).
 * Never rejects for what a broker answers.
 */
export function createCancelExternal(
  parts: CancelExternalParts,
): (cancel: ExternalCancel) => Promise<Outcome> {
  const { writer, commitRetry, clock, ids, log } = parts;
  const { state } = writer;

  return async function cancelExternal(cancel: ExternalCancel): Promise<Outcome> {
    const { poller, row } = cancel;
    const { trading } = poller;
    const instrument = parts.instruments.byName(row.instrument);
    if (!instrument) {
      return notSent(
        'not_open',
        `no instrument list has ${row.instrument}: cancel it in the broker's app`,
      );
    }
    const blocked = trading.blocked('way_out') ?? (await trading.permit(PERMIT_MS, 'way_out'));
    if (blocked) return blocked;
    const account = (await trading.account?.()) ?? null;
    if (account !== null && cancel.account !== null && !isSameAccount(account, cancel.account)) {
      return notSent('not_open', 'another user has logged in since the order book was read');
    }
    if (isRowOfOurs(state, trading.broker, tradingDay(poller.now()), row)) {
      return notSent(
        'not_open',
        'it has turned out to be an order of the gateway: cancel that one',
      );
    }
    const attemptId = `att_${ids.uuid7(clock.now())}`;
    try {
      await writer.submit((current) => told(current, cancel, attemptId, null));
    } catch (error) {
      if (!(error instanceof CommitError)) throw error;
      // A cancel opens no risk, whether it is known afterwards or not: a full disk does not stop it.
      log.error('a cancel of an order placed elsewhere could not be written to disk; it is sent', {
        brokerOrderId: row.brokerOrderId,
      });
    }
    const outcome = await send(cancel, attemptId, instrument);
    await commitRetry.commit((current) => told(current, cancel, attemptId, outcome));
    return outcome;
  };

  async function send(
    { poller: { trading }, row }: ExternalCancel,
    attemptId: AttemptId,
    instrument: Parameters<typeof trading.cancel>[0]['instrument'],
  ): Promise<Outcome> {
    const blocked = trading.blocked('way_out');
    if (blocked) return blocked;
    const { brokerOrderId, orderType: brokerOrderType } = row;
    try {
      return await trading.cancel({ attemptId, brokerOrderId, instrument, brokerOrderType });
    } catch (error) {
      // A broker's port answers an outcome; if it throws all the same, nothing is known.
      return uncertain({ kind: 'transport', message: String(error) });
    }
  }

  /** The event before it leaves (`outcome` null), and the one after it was answered. */
  function told(
    current: ExecutionState,
    { poller, row, by, note }: ExternalCancel,
    attemptId: AttemptId,
    outcome: Outcome | null,
  ): Decision<Change, null> {
    const unit = new UnitOfWork(current, clock.now());
    const { brokerOrderId, instrument, side, quantity } = row;
    unit.event('order.external_cancel', null, {
      ...{
        broker: poller.trading.broker,
        brokerOrderId,
        instrument,
        side,
        quantity,
        by,
        attemptId,
      },
      outcome: outcome?.kind ?? null,
      detail: outcome === null || outcome.kind === 'acknowledged' ? null : outcome.reason,
    });
    note?.(unit, outcome?.kind === 'not_sent' ? 'wanted' : 'sent');
    return { changes: unit.changes, reply: null };
  }
}
