import type { BrokerId } from '../../domain/broker.ts';
import { lacksSession } from '../../domain/outcome.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { Trading } from '../../domain/ports.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { earlier, later, LONG_AGO, plus, type ElapsedMs } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { brokerOrderIdOf, fillOf, isOver, type OrderRecord } from '../order/order.ts';
import { isAlike } from '../submit/reduce-only.ts';
import type { PortfolioWatch } from './portfolio-watch.ts';

/** What the exit guard and the kill switch know of the accounts, beside their last known portfolios. */
export interface Accounts {
  /** The accounts with real money that are set up. */
  live(): readonly BrokerId[];
  /** Whether the account was read within ACCOUNT_AGE_MS. */
  isRecent(broker: BrokerId): boolean;
  /**
   * Shares of the same instrument, product and side that our orders have moved and that the newest read
   * of the account may not show: those that we got to know of after FILL_SHOWN_MS before it began.
   */
  moved(broker: BrokerId, terms: OrderTerms): number;
  /**
   * Reads the account now, unless a recent read shows all that our orders of this kind have moved.
   * Resolves at `until` at the latest; null once there is such a read, else why not.
   * `patient` first waits until a read can show the last fill.
   */
  refresh(need: AccountNeed): Promise<string | null>;
}

export interface AccountNeed {
  readonly broker: BrokerId;
  readonly terms: OrderTerms;
  readonly until: ElapsedMs;
  readonly patient: boolean;
}

/** A portfolio read longer ago is not relied on: people trade in the broker's own app as well. */
export const ACCOUNT_AGE_MS = 60_000;
/** So long after its book or postback has told of a fill, a broker may not show it in the positions. */
export const FILL_SHOWN_MS = 1_000;

export interface AccountsParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly watches: ReadonlyMap<BrokerId, PortfolioWatch>;
  readonly tradingOf: (broker: BrokerId) => Trading | null;
}

export function createAccounts(parts: AccountsParts): Accounts {
  const { clock, scheduler, watches, tradingOf } = parts;
  const begunOf = (broker: BrokerId): ElapsedMs => watches.get(broker)?.readBegun() ?? LONG_AGO;
  const moves = createMoves(parts, begunOf);

  const oldestRecent = (): ElapsedMs => plus(clock.elapsed(), -ACCOUNT_AGE_MS);

  /** When a read must have begun to be recent and show all moves; may be to come. */
  function neededFrom(broker: BrokerId, terms: OrderTerms): ElapsedMs {
    return later(oldestRecent(), plus(moves.lastAt(broker, terms), FILL_SHOWN_MS));
  }

  async function refresh({ broker, terms, until, patient }: AccountNeed): Promise<string | null> {
    const watch = watches.get(broker);
    const trading = tradingOf(broker);
    if (!watch || !trading) return `${broker} is not set up`;
    const blocked = trading.blocked();
    const isOther = await isAnotherAccount(watch, trading);
    const from = isOther ? clock.elapsed() : neededFrom(broker, terms);
    if (begunOf(broker) >= from) return null;
    if (blocked && lacksSession(blocked)) return blocked.reason;
    const over = new AbortController();
    try {
      const wait = earlier(from, until) - clock.elapsed();
      if (patient && wait > 0) await sleep(scheduler, wait);
      const left = Math.max(0, until - clock.elapsed());
      const late = sleep(scheduler, left, over.signal).then(() => 'it took too long');
      const since = earlier(from, clock.elapsed());
      const why = await Promise.race([watch.read(since).then(() => null, messageOf), late]);
      // A read of before may be recent all the same: what has moved since is counted beside it.
      return why !== null && isRecent(broker) && !isOther ? null : why;
    } finally {
      over.abort();
    }
  }

  const isRecent = (broker: BrokerId): boolean => begunOf(broker) >= oldestRecent();

  return {
    live: () => [...watches.keys()].filter((broker) => tradingOf(broker)?.mode === 'live'),
    isRecent,
    moved: (broker, terms) => moves.since(broker, terms, plus(begunOf(broker), -FILL_SHOWN_MS)),
    refresh,
  };
}

/** Whether another user has logged in since the account was read. */
async function isAnotherAccount(watch: PortfolioWatch, trading: Trading): Promise<boolean> {
  const [read, now] = [watch.accountRead(), (await trading.account?.()) ?? null];
  return read !== null && now !== null && read !== now;
}

interface Move {
  /** When we got to know of it. */
  readonly at: ElapsedMs;
  readonly terms: OrderTerms;
  readonly quantity: number;
}

/** How much our orders have filled, in the order in which the journal got to know of it. */
interface Moves {
  /** Shares that orders like this one have moved after `at`. */
  since(broker: BrokerId, terms: OrderTerms, at: ElapsedMs): number;
  /** When an order of the same instrument and product, of either side, last filled; LONG_AGO if none has. */
  lastAt(broker: BrokerId, terms: OrderTerms): ElapsedMs;
}

/**
 * Goes by what the rows of the orders say, not by the times of trades: those are another clock's, and
 * trades can be unreadable for long after a row has said that they happened.
 */
function createMoves(
  { writer, clock }: Pick<AccountsParts, 'writer' | 'clock'>,
  readBegun: (broker: BrokerId) => ElapsedMs,
): Moves {
  const filled = new Map<string, number>();
  /** Oldest first; those that the newest read must show are left out. */
  const known = new Map<BrokerId, Move[]>();
  for (const order of writer.state.orders.values()) filled.set(order.id, mostFilled(order));
  writer.onChange(({ table, row }) => {
    if (table !== 'orders' || row === null || row.state.kind === 'sliced') return;
    const most = mostFilled(row);
    const before = filled.get(row.id) ?? 0;
    // A row as it was before is told of as well, and a change that is taken back has not happened.
    if (most <= before) return;
    filled.set(row.id, most);
    const moves = known.get(row.broker) ?? [];
    known.set(row.broker, moves);
    const shown = plus(readBegun(row.broker), -FILL_SHOWN_MS);
    while (moves[0] && moves[0].at <= shown) moves.shift();
    moves.push({ at: clock.elapsed(), terms: row.terms, quantity: most - before });
  });
  return {
    since(broker, terms, at) {
      let sum = 0;
      const moves = known.get(broker) ?? [];
      for (let place = moves.length - 1; place >= 0; place -= 1) {
        const move = moves[place];
        if (move === undefined || move.at <= at) break;
        if (isAlike(terms, move.terms)) sum += move.quantity;
      }
      return sum;
    },
    lastAt(broker, terms) {
      const moves = known.get(broker) ?? [];
      const last = moves.findLast(
        (move) =>
          move.terms.instrument === terms.instrument && move.terms.product === terms.product,
      );
      return last?.at ?? LONG_AGO;
    },
  };
}

/** What an order may have filled: all of it where it is over and nobody knows how much. */
function mostFilled(order: OrderRecord): number {
  const { filledQuantity } = fillOf(order);
  if (filledQuantity !== null) return filledQuantity;
  return isOver(order) && brokerOrderIdOf(order) !== null ? order.terms.quantity : 0;
}
