import type { BrokerId } from '../../domain/broker.ts';
import { readableTime, tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { AlertLevel } from '../../events/event-log.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { type EpochMs, plus } from '../../units/branded.ts';
import { GATEWAY_CALLER } from '../closings/closing.ts';
import type { Closings } from '../closings/closings.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Change, LossClosing, LossRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import { isUsable } from '../reconcile/believed-rows.ts';
import { positionsOf } from '../reconcile/held.ts';
import { killSwitchOf } from '../submit/brakes.ts';
import { decideLossClosing, lossOf } from './decide-loss.ts';

/** Closes the intraday positions of one account whose daily loss has reached the limit (docs/brakes.md). */
export interface CloseOnLoss {
  /** Begins the closing, once for each loss, and tries again for a while where the account cannot be read. */
  begin(loss: Breach): void;
  /** Begins what a process before was to begin, where that was a moment ago. */
  resume(): void;
  stop(): void;
}

export type Breach = Pick<LossRecord, 'day' | 'at'>;

export interface CloseOnLossParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** The time at the broker, as far as it is known. */
  readonly now: () => EpochMs;
  readonly closings: Pick<Closings, 'begin'>;
  /** Keeps the journal open until the work has ended. */
  readonly track: (work: Promise<unknown>) => unknown;
}

/** For how long it is tried to begin, and the pause between two tries. */
const TRY_MS = 180_000;
const AGAIN_MS = 3_000;
/** See Exits: after a longer time the trader may have acted otherwise. */
const GOES_ON_WITHIN_MS = 5 * 60_000;

export function createCloseOnLoss(broker: BrokerId, parts: CloseOnLossParts): CloseOnLoss {
  const { writer, clock, scheduler } = parts;
  const { state } = writer;
  const stopping = new AbortController();
  const { note, giveUp, tellOfRetries } = createNotes(broker, parts);
  const keyOf = ({ day, at }: Breach): string => `daily loss ${broker} ${day} ${at}`;

  function begin(breach: Breach): void {
    parts.track(
      tryToBegin(breach).catch((error: unknown) => {
        const reason = messageOf(error);
        parts.log.error('a closing for the daily loss failed by a mistake', { broker, reason });
        return giveUp(breach, `the gateway made a mistake (${reason})`);
      }),
    );
  }

  async function tryToBegin(breach: Breach): Promise<void> {
    const until = plus(clock.elapsed(), TRY_MS);
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      if (!isWanted(breach)) return note(breach, RELEASED, 'warning', notBegun(broker, RELEASED));
      const why = await tryOnce(breach);
      if (why === null || stopping.signal.aborted) return;
      if (clock.elapsed() >= until) return giveUp(breach, why);
      if (attempt === 1) await tellOfRetries(why, plus(clock.now(), TRY_MS));
      await sleep(scheduler, AGAIN_MS, stopping.signal);
    }
  }

  /** Null once it has begun; else why it could not. The key is the loss: a second try begins no second closing. */
  async function tryOnce(breach: Breach): Promise<string | null> {
    try {
      const { closing } = await parts.closings.begin({
        ...{ caller: GATEWAY_CALLER, idempotencyKey: keyOf(breach), brokers: [broker] },
        ...{ scope: 'account', product: 'INTRADAY', instrument: null, side: null },
        ...{ holdings: [], includeUndelivered: false },
      });
      const { id, positions } = closing;
      const what =
        `closing ${id} of the daily loss limit has begun: ${positions.length} intraday positions at ` +
        `${broker}. DELETE /api/v1/positions/close-all/${id} ends it`;
      await note(breach, { kind: 'begun', id }, 'warning', what);
      return null;
    } catch (error) {
      if (!(error instanceof GatewayProblem)) throw error;
      return error.fields.detail;
    }
  }

  /** A release is a person's word that trading goes on: what has not begun by then does not begin. */
  function isWanted({ day, at }: Breach): boolean {
    const loss = lossOf(state, broker, day);
    // While the disk takes nothing, the loss is not in the journal yet.
    const isOfThis = loss === null || (loss.at === at && loss.state.kind === 'engaged');
    return isOfThis && killSwitchOf(state)?.engaged === true;
  }

  return {
    begin,
    resume() {
      const loss = lossOf(state, broker, tradingDay(parts.now()));
      if (loss?.closing?.kind !== 'wanted') return;
      const isBegun = [...state.closings.values()].some(
        ({ caller, idempotencyKey }) => caller === GATEWAY_CALLER && idempotencyKey === keyOf(loss),
      );
      // One that has begun goes on by itself, or says why not: what is missing is only the note of it here.
      if (isBegun || Math.abs(clock.now() - loss.at) <= GOES_ON_WITHIN_MS) begin(loss);
      else
        void giveUp(loss, 'the gateway was not running for minutes, so it did not begin by itself');
    },
    stop: () => stopping.abort(),
  };
}

const RELEASED = { kind: 'not_begun', reason: 'the kill switch was released before' } as const;

const notBegun = (broker: BrokerId, { reason }: { readonly reason: string }): string =>
  `the intraday positions at ${broker} are NOT being closed, though the daily loss limit asks for it: ${reason}`;

/** What is written of such a closing, each with an alert. */
function createNotes(broker: BrokerId, { writer, commitRetry, clock, now }: CloseOnLossParts) {
  async function note(
    breach: Breach,
    closing: LossClosing,
    level: AlertLevel,
    message: string,
  ): Promise<void> {
    const told = { closing, alert: { level, message }, at: clock.now() };
    await commitRetry.commit((current) => decideLossClosing(current, { broker, ...breach }, told));
  }

  function giveUp(breach: Breach, reason: string): Promise<void> {
    const message =
      `${notBegun(broker, { reason })}. ${stillOpen()}. Close them in the broker's app, or by ` +
      'POST /api/v1/positions/close-all';
    return note(breach, { kind: 'not_begun', reason }, 'critical', message);
  }

  /** What is open, as it was last read. */
  function stillOpen(): string {
    const known = writer.state.portfolios.get(broker);
    if (known === undefined || tradingDay(known.readAt) !== tradingDay(now())) {
      return 'What is open there is not known';
    }
    const open = positionsOf(known)
      .filter(({ product, quantity }) => product === 'INTRADAY' && quantity !== 0)
      .map(({ instrument, quantity }) => `${quantity} ${instrument}`);
    const unread = (known.unread ?? []).filter(
      (row) =>
        row.list === 'positions' && !isUsable(row) && (row.product ?? 'INTRADAY') === 'INTRADAY',
    );
    if (unread.length > 0) open.push('what rows say that cannot be read');
    const what = open.length === 0 ? 'no intraday position' : open.join(', ');
    return `Open when it was last read, ${readableTime(known.readAt)}: ${what}`;
  }

  async function tellOfRetries(why: string, until: EpochMs): Promise<void> {
    const message =
      `the closing of the intraday positions at ${broker} for the daily loss limit could not begin yet: ` +
      `${why}. The gateway tries again until ${readableTime(until)}`;
    await commitRetry.commit((current) =>
      decideAlert(current, { level: 'warning', message, at: clock.now() }),
    );
  }

  return { note, giveUp, tellOfRetries };
}
