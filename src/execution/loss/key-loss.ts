import { dayProfitOf, needsQuote, type DayProfit } from '../../domain/day-profit.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Position } from '../../domain/portfolio.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import { type ElapsedMs, LONG_AGO, type TradingDay } from '../../units/branded.ts';
import { keyPositions } from '../books/books-of-state.ts';
import { multiplierOf, positionRow } from '../books/position-row.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import { isOpenMarket, type LossFigureParts } from './loss-figure.ts';
import { CONFIRM_MS } from './loss-limit.ts';

/** Engages the kill switch of a key, at once; `reason` is for people. */
export type StopKey = (caller: string, reason: string) => void;

export interface KeyLossParts {
  readonly state: ExecutionState;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly quotes: LossFigureParts['quotes'];
  readonly marketHours: LossFigureParts['marketHours'];
  readonly commitRetry: CommitRetry;
}

/** Watches the daily loss of each key that has a limit on it (docs/keys.md). */
export interface KeyLosses {
  /** Begins to watch, or goes on; `stop` is what a loss does. */
  start(stop: StopKey): void;
  stop(): void;
}

const LOOK_MS = 15_000;
/** A figure that could not be read for so long is an alert. */
const UNREAD_MS = 30_000;
/** What the reason of a stop begins with that a loss has made. */
const REASON = 'its loss of the day';

interface Watched {
  day: TradingDay;
  /** The profit from which the limit counts, rupees; null: the next figure. */
  from: number | null;
  /** Since when figures have shown the loss. */
  reached: ElapsedMs;
  unread: { readonly since: ElapsedMs; told: boolean } | null;
  /** Whether a loss has stopped the key, and nobody has released it since. */
  isStopped: boolean;
}

export function createKeyLosses(parts: KeyLossParts): KeyLosses {
  const { state, clock, scheduler } = parts;
  const alert = (message: string): Promise<unknown> =>
    parts.commitRetry.commit((current) =>
      decideAlert(current, { level: 'critical', message, at: clock.now() }),
    );
  const watched = new Map<string, Watched>();
  let timer: Cancel | null = null;
  let over = false;

  async function look(stop: StopKey): Promise<void> {
    const day = tradingDay(clock.now());
    for (const [caller, { name, stopped, maxDailyLoss = null }] of state.keys) {
      if (maxDailyLoss === null) {
        watched.delete(caller);
        continue;
      }
      const watch = watchOf(watched, caller, day);
      if (stopped !== null) {
        watch.isStopped = stopped.startsWith(REASON);
        watch.reached = LONG_AGO;
        continue;
      }
      // An admin has released it: the limit begins anew where the key stands now.
      if (watch.isStopped) Object.assign(watch, { from: null, isStopped: false });
      const rows = positionsOf(state, caller, day);
      // Nobody can trade, and prices need not be there.
      if (!isOpenMarket({ marketHours: parts.marketHours, now: () => clock.now() }, rows)) {
        Object.assign(watch, { reached: LONG_AGO, unread: null });
        continue;
      }
      const profit = await profitOf(parts, rows);
      if (over) return;
      if (profit.kind === 'unknown') await noteUnread(watch, name, profit.reason);
      else await note(watch, { caller, name, limit: maxDailyLoss }, profit.rupees, stop);
    }
  }

  async function note(
    watch: Watched,
    key: { readonly caller: string; readonly name: string; readonly limit: number },
    profit: number,
    stop: StopKey,
  ): Promise<void> {
    watch.unread = null;
    watch.from ??= profit;
    if (watch.from - profit < key.limit) watch.reached = LONG_AGO;
    else if (watch.reached === LONG_AGO) watch.reached = clock.elapsed();
    else if (clock.elapsed() - watch.reached >= CONFIRM_MS) {
      watch.reached = LONG_AGO;
      const since = watch.from === 0 ? '' : `, after ${rupees(watch.from)} when it was released`;
      const reason =
        `${REASON} has reached maxDailyLoss: the profit is ${rupees(profit)}${since}, and a loss of ` +
        `${rupees(key.limit)} is allowed`;
      stop(key.caller, reason);
      await alert(
        `the key ${key.name} is stopped: ${reason}. Its positions stay open; an admin key releases it`,
      );
    }
  }

  /** A figure that is not known is never taken for 0: what was seen before stays seen. */
  async function noteUnread(watch: Watched, name: string, reason: string): Promise<void> {
    watch.unread ??= { since: clock.elapsed(), told: false };
    if (watch.unread.told || clock.elapsed() - watch.unread.since < UNREAD_MS) return;
    watch.unread.told = true;
    const message = `the day's profit of the key ${name} is not known (${reason}): its maxDailyLoss cannot stop a loss`;
    await alert(message);
  }

  return {
    start(stop) {
      const plan = (): void => {
        const isNear = [...watched.values()].some(({ reached }) => reached !== LONG_AGO);
        timer = scheduler.after(isNear ? CONFIRM_MS : LOOK_MS, () => {
          void look(stop)
            .catch((error: unknown) =>
              parts.log.error('the daily loss of keys could not be looked at', {
                reason: messageOf(error),
              }),
            )
            .then(() => {
              if (!over) plan();
            });
        });
      };
      plan();
    },
    stop() {
      over = true;
      timer?.();
    },
  };
}

const rupees = (amount: number): string =>
  `${amount < 0 ? '-' : ''}₹${Math.abs(amount).toFixed(2)}`;

/** What counts of a key: real money, and paper for one that has traded nothing else. A rehearsal stops no real order. */
function positionsOf(state: ExecutionState, caller: string, day: TradingDay): readonly Position[] {
  const all = keyPositions(state, day, (line) => line.caller === caller);
  const live = all.filter(({ line }) => line.mode === 'live');
  return (live.length > 0 ? live : all).map((position) =>
    positionRow(position, null, multiplierOf(state, position.line)),
  );
}

/** As that of an account, by the positions of the key (docs/spec/daily-profit.md). */
async function profitOf(
  { instruments, quotes }: Pick<KeyLossParts, 'instruments' | 'quotes'>,
  rows: readonly Position[],
): Promise<DayProfit> {
  const named = rows.filter(needsQuote).flatMap((row) => instruments.byName(row.instrument) ?? []);
  return dayProfitOf(rows, named.length === 0 ? new Map() : await quotes(named));
}

/** What is known of a key on a day; a new day begins at 0. */
function watchOf(watched: Map<string, Watched>, caller: string, day: TradingDay): Watched {
  const known = watched.get(caller);
  if (known?.day === day) return known;
  const isStopped = known?.isStopped ?? false;
  const fresh = { day, from: 0, reached: LONG_AGO, unread: null, isStopped };
  watched.set(caller, fresh);
  return fresh;
}
