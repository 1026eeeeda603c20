import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type ElapsedMs, LONG_AGO, plus, type TradingDay } from '../../units/branded.ts';
import type { Change, PortfolioRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { mostFilled, type OrderRecord } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import { isSameShares } from './book-shares.ts';
import { type IsinOf, type Shares, shownTraded } from './held.ts';

/** How much our orders have filled on each day, as their rows say it. */
export interface Traded {
  /** Shares that our orders of the same instrument, product and side have filled on a day. */
  ofDay(broker: BrokerId, shares: Shares, day: TradingDay): number;
  /** The same by instrument, of all that have the product and side. */
  sameProduct(
    broker: BrokerId,
    shares: Shares,
    day: TradingDay,
  ): Iterable<readonly [string, number]>;
  /** When an order of the same instrument and product, of either side, last filled; LONG_AGO if none has. */
  lastAt(broker: BrokerId, shares: Shares): ElapsedMs;
  /** The same of one side. */
  lastOfSide(broker: BrokerId, shares: Shares): ElapsedMs;
  /** What such orders of one side have filled since then; of the last RECENT_MS alone. */
  since(broker: BrokerId, shares: Shares, from: ElapsedMs): number;
}

/** A fill, when it became known. */
interface Recent {
  readonly at: ElapsedMs;
  readonly quantity: number;
}

/** Fills are told apart by their times for this long. */
const RECENT_MS = 60_000;

/**
 * Goes by what the rows of the orders say, not by the times of trades: those are another clock's, and
 * trades can be unreadable for long after a row has said that they happened.
 */
export function createTraded({
  writer,
  clock,
}: {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
}): Traded {
  const filled = new Map<string, number>();
  /** By day, broker, product and side; then by instrument. */
  const sums = new Map<string, Map<string, number>>();
  const lastFills = new Map<string, ElapsedMs>();
  /** By broker, instrument, product and side. */
  const recent = new Map<string, readonly Recent[]>();
  const keyOf = (broker: BrokerId, { product, side }: Shares, day: TradingDay): string =>
    [day, broker, product, side].join('|');
  const fillsKey = (broker: BrokerId, { instrument, product }: Shares): string =>
    [broker, instrument, product].join('|');
  const sideKey = (broker: BrokerId, shares: Shares): string =>
    [fillsKey(broker, shares), shares.side].join('|');

  function noteRecent({ broker, terms }: OrderRecord, quantity: number): void {
    const at = clock.elapsed();
    lastFills.set(fillsKey(broker, terms), at);
    const key = sideKey(broker, terms);
    const kept = recent.get(key)?.filter((fill) => fill.at >= plus(at, -RECENT_MS)) ?? [];
    recent.set(key, [...kept, { at, quantity }]);
  }

  /** Returns how much more it has filled than was known. It may be less: a change can be taken back. */
  function note(order: OrderRecord): number {
    const most = mostFilled(order);
    const before = filled.get(order.id) ?? 0;
    if (most === before) return 0;
    filled.set(order.id, most);
    const { broker, terms } = order;
    const key = keyOf(broker, terms, lastBookDay(order));
    const sum = sums.get(key) ?? new Map<string, number>();
    sums.set(key, sum);
    sum.set(terms.instrument, (sum.get(terms.instrument) ?? 0) + most - before);
    return most - before;
  }

  for (const order of writer.state.orders.values()) {
    if (order.state.kind === 'sliced') continue;
    const quantity = note(order);
    // A fill of the last seconds before a start: the positions may not show it yet.
    const isRecent = Math.abs(clock.now() - order.updatedAt) < RECENT_MS;
    if (quantity > 0 && isRecent) noteRecent(order, quantity);
  }
  writer.onChange(({ table, row }) => {
    // A listener is told of a row as it was before as well: the state has the one that counts.
    const order = table === 'orders' && row !== null ? writer.state.orders.get(row.id) : undefined;
    if (order === undefined || order.state.kind === 'sliced') return;
    const more = note(order);
    if (more > 0) noteRecent(order, more);
  });
  return {
    ofDay: (broker, shares, day) =>
      sums.get(keyOf(broker, shares, day))?.get(shares.instrument) ?? 0,
    sameProduct: (broker, shares, day) => sums.get(keyOf(broker, shares, day)) ?? [],
    lastAt: (broker, shares) => lastFills.get(fillsKey(broker, shares)) ?? LONG_AGO,
    lastOfSide: (broker, shares) => recent.get(sideKey(broker, shares))?.at(-1)?.at ?? LONG_AGO,
    since: (broker, shares, from) =>
      (recent.get(sideKey(broker, shares)) ?? [])
        .filter(({ at }) => at > from)
        .reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

/**
 * What orders of delivery shares have filled that day under the names of other exchanges, ours and those of others, and the
 * positions do not show: each name by itself, since the broker shows each as a position.
 */
export function movedElsewhere(
  traded: Traded,
  of: {
    readonly broker: BrokerId;
    readonly terms: Shares;
    readonly day: TradingDay;
    readonly portfolio: PortfolioRecord | undefined;
    readonly isinOf: IsinOf;
    /** What orders of others have filled, by instrument. */
    readonly others: ReadonlyMap<InstrumentName, number>;
  },
): number {
  const { broker, terms, day, portfolio, isinOf, others } = of;
  if (terms.product !== 'CNC') return 0;
  const filled = new Map(others);
  for (const [name, quantity] of traded.sameProduct(broker, terms, day)) {
    filled.set(name, (filled.get(name) ?? 0) + quantity);
  }
  let moved = 0;
  for (const [instrument, quantity] of filled) {
    const shares = { ...terms, instrument };
    if (instrument === terms.instrument || !isSameShares(terms, shares, isinOf)) continue;
    moved += Math.max(0, quantity - shownTraded(portfolio, shares, day));
  }
  return moved;
}
