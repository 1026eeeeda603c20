import type { BrokerId } from '../../domain/broker.ts';
import { lacksSession } from '../../domain/outcome.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { Trading } from '../../domain/ports.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import {
  type BrokerOrderId,
  earlier,
  type ElapsedMs,
  type EpochMs,
  later,
  LONG_AGO,
  plus,
  type TradingDay,
} from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { isContradictory } from './believed-rows.ts';
import type { BookPoller } from './book-poller.ts';
import { createCountBeside } from './count-beside.ts';
import { type BesidePositions, type OrderOfAccount, whenAsked } from './beside-positions.ts';
import { heldOf, isinsOf, type Shares } from './held.ts';
import type { PortfolioWatch } from './portfolio-watch.ts';
import { type AccountNeed, createRefreshForExit, type ExitNeed } from './refresh-for-exit.ts';
import { createTraded } from './traded.ts';
import { lostTwin } from './unknown-tags.ts';

/** What the exit guard and the kill switch know of the accounts, beside their last known portfolios. */
export interface Accounts {
  /** The accounts with real money that are set up. */
  live(): readonly BrokerId[];
  /** Whether the account was read within ACCOUNT_AGE_MS. */
  isRecent(broker: BrokerId): boolean;
  /** The broker's day now. */
  today(broker: BrokerId): TradingDay;
  /**
   * What its last known positions do not say of the shares that an order moves, as it is when it is first
   * read.
   */
  beside(order: OrderOfAccount): BesidePositions;
  /** What orders of the gateway have filled today of the same instrument, product and side. */
  filledToday(broker: BrokerId, shares: Shares): number;
  /** The row of a lost order of the same terms; see unknown-tags.ts. */
  lostTwin(order: OrderOfAccount): BrokerOrderId | null;
  /**
   * Reads the account now, unless a recent read began a second after the last fill of our orders of
   * this kind, or with `since` one that began then or later. Resolves at `until` at the latest; null once there is
   * such a read, else why not.
   */
  refresh(need: AccountNeed & Pick<ExitNeed, 'since'>): Promise<string | null>;
  /**
   * The same for an order under the kill switch: waits until a read can show the last fill, and reads the order
   * book as well. Where the order does not pass (`passes`), it reads the account again: if the read is a few seconds
   * old, and while the positions lack fills or have figures that contradict one another. A book that cannot be read is
   * no reason: it counts as it was last read.
   */
  refreshForExit(need: ExitNeed): Promise<string | null>;
}

/** A portfolio read longer ago is not relied on: people trade in the broker's own app as well. */
export const ACCOUNT_AGE_MS = 60_000;
/** A read of the positions begins so long after a fill is known: before, most brokers do not show it. */
export const FILL_SHOWN_MS = 1_000;

export interface AccountsParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly watches: ReadonlyMap<BrokerId, PortfolioWatch>;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly pollerOf: (broker: BrokerId) => BookPoller | null;
  /** See PollerSettings. */
  readonly tagMark: string;
}

export function createAccounts(parts: AccountsParts): Accounts {
  const { clock, scheduler, watches, pollerOf } = parts;
  const { state } = parts.writer;
  const begunOf = (broker: BrokerId): ElapsedMs => watches.get(broker)?.readBegun() ?? LONG_AGO;
  const tradingOf = (broker: BrokerId): Trading | null => pollerOf(broker)?.trading ?? null;
  const nowAt = (broker: BrokerId): EpochMs => pollerOf(broker)?.now() ?? clock.now();
  const traded = createTraded(parts);
  const countBeside = createCountBeside({ state, clock, traded, begunOf, nowAt, pollerOf });

  const oldestRecent = (): ElapsedMs => plus(clock.elapsed(), -ACCOUNT_AGE_MS);

  /** When a read must have begun to be recent and show all moves; may be to come. */
  function neededFrom(broker: BrokerId, terms: OrderTerms): ElapsedMs {
    return later(oldestRecent(), plus(traded.lastAt(broker, terms), FILL_SHOWN_MS));
  }

  async function readAccount(
    { broker, terms, until, since: asked }: AccountNeed & Pick<ExitNeed, 'since'>,
    isPatient: boolean,
    readFrom: ElapsedMs | null = null,
  ): Promise<string | null> {
    const watch = watches.get(broker);
    const trading = tradingOf(broker);
    if (!watch || !trading) return `${broker} is not set up`;
    const blocked = trading.blocked();
    const isOther = await isAnotherAccount(watch, trading);
    const from = readFrom ?? (isOther ? clock.elapsed() : neededFrom(broker, terms));
    if (begunOf(broker) >= from) return null;
    if (blocked && lacksSession(blocked)) return blocked.reason;
    const over = new AbortController();
    try {
      const wait = earlier(from, until) - clock.elapsed();
      if (isPatient && wait > 0) await sleep(scheduler, wait);
      const left = Math.max(0, until - clock.elapsed());
      const late = sleep(scheduler, left, over.signal).then(() => 'it took too long');
      const since = earlier(from, clock.elapsed());
      const why = await Promise.race([watch.read(since).then(() => null, messageOf), late]);
      // A read of before may be recent all the same: what has moved since is counted beside it.
      const mayBeOlder = asked === undefined && isRecent(broker) && !isOther;
      return mayBeOlder ? null : why;
    } finally {
      over.abort();
    }
  }

  const isRecent = (broker: BrokerId): boolean => begunOf(broker) >= oldestRecent();

  function beside(order: OrderOfAccount): BesidePositions {
    const isinOf = isinsOf(parts.instruments);
    return whenAsked(isinOf, () => countBeside(order, isinOf));
  }

  /** Whether positions lack fills, or show more than the gateway's own count. */
  function lacksMoves({ broker, terms }: AccountNeed): boolean {
    const { moved, left = Infinity, isinOf } = beside({ broker, terms, orderId: '' });
    return moved > 0 || left < Math.abs(heldOf(state.portfolios.get(broker), terms, isinOf));
  }

  return {
    live: () => [...watches.keys()].filter((broker) => tradingOf(broker)?.mode === 'live'),
    isRecent,
    today: (broker) => tradingDay(nowAt(broker)),
    beside,
    filledToday: (broker, shares) => traded.ofDay(broker, shares, tradingDay(nowAt(broker))),
    lostTwin({ broker, terms }) {
      const read = pollerOf(broker)?.lastRead() ?? null;
      return read && lostTwin(state, parts.tagMark, read.rows, terms);
    },
    refresh: (need) => readAccount(need, false, need.since ?? null),
    refreshForExit: createRefreshForExit({
      ...{ clock, scheduler, pollerOf, begunOf, readAccount },
      isBehind: (need) =>
        isContradictory(state.portfolios.get(need.broker), need.terms) || lacksMoves(need),
    }),
  };
}

/** Whether another user has logged in since the account was read. */
async function isAnotherAccount(watch: PortfolioWatch, trading: Trading): Promise<boolean> {
  const [read, now] = [watch.accountRead(), (await trading.account?.()) ?? null];
  return read !== null && now !== null && read !== now;
}
