import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type ElapsedMs,
  type EpochMs,
  LONG_AGO,
  plus,
  type TradingDay,
} from '../../units/branded.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { BookPoller } from './book-poller.ts';
import { type OthersShares, othersShares } from './book-shares.ts';
import type { IsinOf } from './delivered-shares.ts';
import type { BesidePositions, OrderOfAccount } from './beside-positions.ts';
import { heldOf, openingOf, shownTraded } from './held.ts';
import { createKnownLeft } from './known-left.ts';
import { movedElsewhere, type Traded } from './traded.ts';
import { unshownSales } from './under-other-names.ts';
import { createUnexplained } from './unexplained.ts';
import { createUntoldFills, POSITIONS_SHOW_MS } from './untold-fills.ts';

type Counted = Omit<BesidePositions, 'isinOf'>;

/** What is known at one moment. */
interface Now {
  readonly day: TradingDay;
  readonly now: EpochMs;
  /** When the read of the account began. */
  readonly begun: ElapsedMs;
  readonly portfolio: PortfolioRecord | undefined;
  readonly isinOf: IsinOf;
}

/** What has filled on the side of an order, and what the positions show of it. */
interface Filled {
  readonly others: OthersShares;
  /** By orders of ours, and by all that are known. */
  readonly own: number;
  readonly all: number;
  readonly isUnexplained: boolean;
  readonly isUnsure: boolean;
  /** See BesidePositions. */
  readonly recent: number;
  readonly notShown: number;
  /** The part of it that the positions are known to lack. */
  readonly lacked: number;
}

export interface CountParts {
  readonly state: ExecutionState;
  readonly clock: Clock;
  readonly traded: Traded;
  readonly begunOf: (broker: BrokerId) => ElapsedMs;
  readonly nowAt: (broker: BrokerId) => EpochMs;
  readonly pollerOf: (broker: BrokerId) => BookPoller | null;
}

/** Counts what the last known positions do not say of the shares that an order moves. */
export function createCountBeside(
  parts: CountParts,
): (order: OrderOfAccount, isinOf: IsinOf) => Counted {
  const { state, clock, traded, begunOf, nowAt, pollerOf } = parts;
  const untold = createUntoldFills(clock);
  const knownLeft = createKnownLeft();
  const unexplainedBy = createUnexplained();

  function nowOf(broker: BrokerId, isinOf: IsinOf): Now {
    const now = nowAt(broker);
    const begun = begunOf(broker);
    // The clock that nobody sets tells whether a read of this process is of today.
    const readAt = begun === LONG_AGO ? {} : { readAt: plus(now, begun - clock.elapsed()) };
    const known = state.portfolios.get(broker);
    const portfolio = known && { ...known, ...readAt };
    return { now, begun, day: tradingDay(now), portfolio, isinOf };
  }

  /**
   * Where the positions show other trades than the fills that are known, and what no row explained before, they do not tell
   * which fills they show: those of ours that are younger than a read can be sure to show count as not shown.
   */
  function filledOf(order: OrderOfAccount, at: Now): Filled {
    const { broker, terms } = order;
    const { day, portfolio } = at;
    const poller = pollerOf(broker);
    // Nobody else places orders in the paper account.
    const book = poller?.trading.isLocal === true ? null : (poller?.lastRead() ?? null);
    // What later reads of the positions do not show was not filled after all.
    const earlier = (book?.earlier ?? []).filter(
      ({ shownAt }) => at.begun < plus(shownAt, POSITIONS_SHOW_MS),
    );
    const others = othersShares(state, order, book && { ...book, earlier }, at);
    const own = traded.ofDay(broker, terms, day);
    const all = own + (others.filled.get(terms.instrument) ?? 0);
    const unexplained = unexplainedBy.of(broker, terms, {
      ...{ day, excess: shownTraded(portfolio, terms, day) - all },
      ...settled(order, at, others),
    });
    const lacking = all + (unexplained ?? 0) - shownTraded(portfolio, terms, day);
    const recent = traded.since(broker, terms, plus(at.begun, -POSITIONS_SHOW_MS));
    // Before anything is remembered, what is shown may be a trade that no row explains in place of one of ours.
    const isUnsure = unexplained === null && recent > 0 && poller?.trading.isLocal !== true;
    const isUnexplained = lacking !== 0 || isUnsure;
    const notShown = Math.max(0, lacking, isUnexplained ? recent : 0);
    const lacked = isUnsure ? Math.max(0, lacking) : notShown;
    return { others, own, all, isUnexplained, isUnsure, recent, notShown, lacked };
  }

  function settled(
    order: OrderOfAccount,
    { begun, day, now }: Now,
    others: OthersShares,
  ): { readonly isQuiet: boolean; readonly isSettled: boolean } {
    const { broker, terms } = order;
    const ownAt = traded.lastAt(broker, terms);
    const bookBegun = pollerOf(broker)?.lastRead()?.begun ?? LONG_AGO;
    const filled = untold.lastFill(others.untold, { broker, day, begun, bookBegun, ownAt, now });
    const isQuiet = Math.min(bookBegun, begun) >= plus(filled, POSITIONS_SHOW_MS);
    return { isQuiet, isSettled: isQuiet && bookBegun >= begun };
  }

  function leftOf(order: OrderOfAccount, at: Now, reduced: Filled, lacking: number): number {
    const { broker, terms } = order;
    const sign = terms.side === 'SELL' ? 1 : -1;
    const most = heldOf(at.portfolio, terms, at.isinOf, { most: true }) * sign;
    if (most <= 0) return Infinity;
    const opened = filledOf({ ...order, terms: openingOf(terms) }, at);
    return knownLeft.of(broker, terms, {
      ...{ day: at.day, begun: at.begun, most: most + opened.lacked - lacking },
      ...{ opened: opened.all, reduced: reduced.own },
      reducedAt: traded.lastOfSide(broker, terms),
    });
  }

  return function countBeside(order, isinOf) {
    const { broker, terms } = order;
    const at = nowOf(broker, isinOf);
    const { day, portfolio, begun, now } = at;
    const filled = filledOf(order, at);
    const { others, isUnexplained, isUnsure, recent } = filled;
    const ofOthers = movedElsewhere(traded, {
      ...{ broker, terms, day, portfolio, isinOf, others: others.filled },
    });
    const sales = unshownSales(portfolio, terms, { isinOf, day });
    const moved = Math.max(filled.notShown + ofOthers, sales);
    // What may be shown after all lowers no count of what is left.
    const lacking = Math.max(filled.lacked + ofOthers, sales);
    const ownAt = traded.lastAt(broker, terms);
    const book = pollerOf(broker)?.lastRead() ?? null;
    const bookBegun = book?.begun ?? LONG_AGO;
    const lacked = untold.mayLack(others.untold, { broker, day, begun, bookBegun, ownAt, now });
    const { resting, unread } = others;
    return {
      ...{ moved: moved + lacked, untold: lacked, told: moved, resting, unread },
      bookAt: book?.begunAt ?? null,
      ...{ isUnexplained, isUnsure, recent, left: leftOf(order, at, filled, lacking) },
    };
  };
}
