import type { Position } from '../../domain/portfolio.ts';
import type { Cancel, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import type { ElapsedMs, EpochMs } from '../../units/branded.ts';
import {
  isOpenMarket,
  type LossFigureParts,
  mayTradeElsewhere,
  readFigure,
} from './loss-figure.ts';
import { CONFIRM_MS, createLossLimit, type DailyLoss, type LossLimitParts } from './loss-limit.ts';

/** Reads the day's profit of one account while its market is open, and watches the limit (docs/brakes.md). */
export interface LossWatch {
  state(): DailyLoss;
  stop(): void;
}

export interface LossWatchParts extends LossFigureParts, LossLimitParts {
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** While positions are open. */
const OPEN_MS = 15_000;
/** Without any: somebody may open one in the broker's app. */
const FLAT_MS = 60_000;

/** Whether a list of positions lacks a row that the one before had: what was closed has its row all day. */
function lacksRowOf(before: readonly Position[], now: readonly Position[]): boolean {
  const nameOf = ({ instrument, product }: Position): string => `${instrument} ${product}`;
  const names = new Set(now.map(nameOf));
  return before.some((each) => !names.has(nameOf(each)));
}

export function createLossWatch(parts: LossWatchParts): LossWatch {
  const { trading, clock, scheduler, writer } = parts;
  const { broker } = trading;
  const limit = createLossLimit(broker, parts);
  /** The positions of the newest read, and when it began. */
  let positions: readonly Position[] = [];
  let readAt: { readonly at: EpochMs; readonly elapsed: ElapsedMs } | null = null;
  let triedAt: ElapsedMs | null = null;
  /** The newest read lacked a row that the one before had. */
  let isDoubted = false;
  let timer: Cancel | null = null;
  let stopped = false;

  function plan(): void {
    const ms = limit.isReached() || isDoubted ? CONFIRM_MS : OPEN_MS;
    if (!stopped) timer = scheduler.after(ms, () => void look().then(plan, failed));
  }

  /** A mistake of the gateway does not end the watch. */
  function failed(error: unknown): void {
    parts.log.error('the daily loss could not be looked at', { broker, reason: messageOf(error) });
    plan();
  }

  async function look(): Promise<void> {
    const isOpen = isOpenMarket(parts, newest());
    if (!isOpen && !mayTradeElsewhere(parts)) return limit.forget();
    if (!(isOpen ? isDue() : isLongAgo(triedAt))) return;
    const begun = { at: clock.now(), elapsed: clock.elapsed() };
    triedAt = begun.elapsed;
    const figure = await readFigure(parts);
    if (stopped) return;
    if (figure.positions !== undefined) {
      // A read can lack a row by mistake: the next one decides.
      isDoubted = !isDoubted && lacksRowOf(positions, figure.positions);
      if (isDoubted) return;
      positions = figure.positions;
      readAt = begun;
    }
    if (!isOpenMarket(parts, newest())) return limit.forget();
    if (figure.kind === 'known') await limit.note(figure.rupees);
    else await limit.noteUnread(figure.reason, figure.lacksSession !== true || holds());
  }

  const isLongAgo = (at: ElapsedMs | null): boolean =>
    at === null || clock.elapsed() - at >= FLAT_MS;

  const isDue = (): boolean =>
    limit.isUnread() ||
    limit.isReached() ||
    isDoubted ||
    holds() ||
    isLongAgo(readAt?.elapsed ?? null);

  /** The positions as they were read last, by this watch or for another part of the gateway. */
  function newest(): readonly Position[] {
    const known = writer.state.portfolios.get(broker);
    const isNewer = known !== undefined && (readAt === null || known.readAt > readAt.at);
    return isNewer ? known.positions : positions;
  }

  const holds = (): boolean => newest().some(({ quantity }) => quantity !== 0);

  plan();
  return {
    state: limit.state,
    stop() {
      stopped = true;
      timer?.();
    },
  };
}
