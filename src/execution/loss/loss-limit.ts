import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { AlertLevel } from '../../events/event-log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type ElapsedMs, type EpochMs, LONG_AGO, type TradingDay } from '../../units/branded.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Change, LossClosing, LossRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { type KillSwitchCommand, killSwitchOf } from '../submit/brakes.ts';
import { armedFrom, decideLossArmed, decideLossReached, lossOf } from './decide-loss.ts';

/** The daily loss of one account, as it was last read (docs/brakes.md). Rupees. */
export interface DailyLoss {
  readonly broker: BrokerId;
  /** The day's profit, negative for a loss; null before it was read today. */
  readonly profit: number | null;
  /** Epoch ms of that read. */
  readonly at: EpochMs | null;
  /** The profit from which the limit counts; null while the kill switch is to be released first. */
  readonly from: number | null;
  /** Why it could not be read since; null where it was. */
  readonly unread: string | null;
  /** Of the last loss of today that has reached the limit; null without one, and where nothing is to be closed. */
  readonly closing: LossClosing | null;
}

export interface LossLimitParts {
  /** Rupees. */
  readonly limit: number;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  /** The time at the broker, as far as it is known. */
  readonly now: () => EpochMs;
  readonly engage: (command: KillSwitchCommand) => Promise<unknown>;
  /** Closes the intraday positions of the account, once its loss has reached the limit; null where that is off. */
  readonly closeIntraday: ((loss: Pick<LossRecord, 'day' | 'at'>) => void) | null;
}

/** Compares what is read of an account with the limit, and engages the kill switch. */
export interface LossLimit {
  note(profit: number): Promise<void>;
  /** A figure that cannot be read is an alert, unless `isAlert` is false; and it is never 0. */
  noteUnread(reason: string, isAlert: boolean): Promise<void>;
  /** The market is closed: what was seen before does not count when it opens. */
  forget(): void;
  /** Whether a read has shown the loss, and no other one has denied it since. */
  isReached(): boolean;
  isUnread(): boolean;
  state(): DailyLoss;
}

/** A loss counts once a second read, so much later, shows it as well. */
export const CONFIRM_MS = 3_000;
/** A figure that could not be read for so long is an alert. */
const UNREAD_MS = 30_000;

export function createLossLimit(broker: BrokerId, parts: LossLimitParts): LossLimit {
  const { clock, writer, limit, commitRetry } = parts;
  let last: { readonly profit: number; readonly at: EpochMs; readonly day: TradingDay } | null =
    null;
  let reached = LONG_AGO;
  let unread: { readonly since: ElapsedMs; reason: string; told: boolean } | null = null;
  /** The day on which this process has engaged the kill switch, which may not be on disk. */
  let engagedOn: TradingDay | null = null;

  const today = (): TradingDay => tradingDay(parts.now());
  const loss = (): LossRecord | null => lossOf(writer.state, broker, today());
  const isEngaged = (): boolean =>
    engagedOn === today() && killSwitchOf(writer.state)?.engaged === true;
  const alert = (level: AlertLevel, message: string): Promise<unknown> =>
    commitRetry.commit((current) => decideAlert(current, { level, message, at: clock.now() }));

  async function note(profit: number): Promise<void> {
    last = { profit, at: clock.now(), day: today() };
    if (unread?.told === true) {
      await alert('warning', `the day's profit at ${broker} can be read again: ${rupees(profit)}`);
    }
    unread = null;
    if (loss()?.state.kind === 'released') return arm(profit);
    const from = armedFrom(loss());
    if (from === null || from - profit < limit || isEngaged()) {
      reached = LONG_AGO;
    } else if (reached === LONG_AGO) {
      reached = clock.elapsed();
    } else if (clock.elapsed() - reached >= CONFIRM_MS) {
      reached = LONG_AGO;
      await engage(profit, from);
    }
  }

  async function engage(profit: number, from: number): Promise<void> {
    const reason =
      `the day's profit at ${broker} is ${rupees(profit)}${sinceRelease(from)}, and APP_MAX_DAILY_LOSS ` +
      `allows a loss of ${rupees(limit)}`;
    await parts.engage({ engaged: true, reason, changedBy: null });
    engagedOn = today();
    const { closeIntraday } = parts;
    const what =
      closeIntraday === null
        ? 'positions stay open: close what should not stay'
        : 'the gateway closes the intraday positions there now (what is carried stays open)';
    const message = `${reason}. The kill switch is engaged, and ${what}. An admin key releases it`;
    const [at, day] = [clock.now(), today()];
    const closes = closeIntraday !== null;
    await commitRetry.commit((current) =>
      decideLossReached(current, { broker, day, profit, limit, closes, message, at }),
    );
    closeIntraday?.({ day, at });
  }

  async function arm(profit: number): Promise<void> {
    reached = LONG_AGO;
    engagedOn = null;
    const message =
      `the kill switch was released: a loss of ${rupees(limit)} at ${broker} from now on, where the ` +
      `day's profit is ${rupees(profit)}, engages it again`;
    const at = clock.now();
    await commitRetry.commit((current) =>
      decideLossArmed(current, { broker, day: today() }, { profit, message, at }),
    );
  }

  return {
    note,
    async noteUnread(reason, isAlert) {
      unread ??= { since: clock.elapsed(), reason, told: false };
      unread.reason = reason;
      if (unread.told || clock.elapsed() - unread.since < UNREAD_MS || !isAlert) return;
      unread.told = true;
      const message =
        `the day's profit at ${broker} cannot be read (${reason}): APP_MAX_DAILY_LOSS cannot stop a loss ` +
        "there. Look at the positions in the broker's app";
      await alert('critical', message);
    },
    forget() {
      reached = LONG_AGO;
      unread = null;
    },
    isReached: () => reached !== LONG_AGO,
    isUnread: () => unread !== null,
    state() {
      const current = last?.day === today() ? last : null;
      return {
        broker,
        profit: current?.profit ?? null,
        at: current?.at ?? null,
        from: armedFrom(loss()),
        unread: unread?.reason ?? null,
        closing: loss()?.closing ?? null,
      };
    },
  };
}

const sinceRelease = (from: number): string =>
  from === 0 ? '' : `, after ${rupees(from)} when the kill switch was released`;

const rupees = (amount: number): string =>
  `${amount < 0 ? '-' : ''}₹${Math.abs(amount).toFixed(2)}`;
