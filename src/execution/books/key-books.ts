import type { OrderId, TradingDay } from '../../units/branded.ts';
import { must } from '../../platform/values.ts';
import {
  type BookLine,
  isInDoubt,
  lineKey,
  type OrderFacts,
  type OrderShare,
  shareOf,
} from './order-share.ts';
import {
  type Carried,
  type DayPosition,
  isNothing,
  minusSums,
  NO_SUMS,
  NOTHING_CARRIED,
  plusSums,
  positionOf,
  type Sums,
} from './sums.ts';

/** One position of a key on a day. */
export interface KeyPosition extends DayPosition {
  readonly line: BookLine;
  /** What was open when the day began. */
  readonly carried: Carried;
  /** What was traded on the day. */
  readonly today: Sums;
}

/** What has left memory: the position with which a line of a book goes into the days that are in memory. */
export interface OpeningLine {
  readonly line: BookLine;
  readonly carried: Carried;
}

/** What the books have at a start beside the orders in memory. */
export interface Opening {
  readonly lines: readonly OpeningLine[];
  /** Orders whose rows cannot be read: what they have filled is not known. */
  readonly unread: readonly { readonly orderId: OrderId; readonly caller: string }[];
}

export const NO_OPENING: Opening = { lines: [], unread: [] };

/** The facts of an order in memory; null where it is in memory no more. */
export type FactsOf = (orderId: OrderId) => OrderFacts | null;

interface Line {
  readonly line: BookLine;
  readonly opening: Carried;
  readonly days: Map<TradingDay, Sums>;
}

/**
 * The books of all keys: what the orders of each have bought and sold. They follow from the orders in memory and
 * from what is carried over of those that are not, and from nothing else, so that they are the same after
 * a restart. A change of an order only notes its id: its share is computed when a book is read.
 */
export class KeyBooks {
  readonly #changed = new Set<OrderId>();
  readonly #shares = new Map<OrderId, OrderShare>();
  readonly #doubts = new Map<OrderId, string>();
  readonly #lines = new Map<string, Line>();
  readonly #unread: Opening['unread'];

  constructor({ lines, unread }: Opening = NO_OPENING) {
    this.#unread = unread;
    for (const { line, carried } of lines) {
      this.#lines.set(lineKey(line), { line, opening: carried, days: new Map() });
    }
  }

  /** Something of the order has changed, or it was put in or taken out. */
  touch(orderId: OrderId): void {
    this.#changed.add(orderId);
  }

  /** Positions on a day that have something open, carried over or traded; `keep` names the lines. */
  positions(
    facts: FactsOf,
    day: TradingDay,
    keep: (line: BookLine) => boolean,
  ): readonly KeyPosition[] {
    this.#settle(facts);
    return [...this.#lines.values()]
      .filter(({ line }) => keep(line))
      .map((line) => positionOn(line, day))
      .filter(({ carried, today }) => carried.quantity !== 0 || !isNothing(today));
  }

  /** The orders of a key of which it is not known how much they have filled; of all keys without one. */
  doubts(facts: FactsOf, caller?: string): readonly OrderId[] {
    this.#settle(facts);
    const all = [
      ...this.#doubts,
      ...this.#unread.map((each) => [each.orderId, each.caller] as const),
    ];
    return all
      .filter(([, by]) => caller === undefined || by === caller)
      .map(([orderId]) => orderId);
  }

  #settle(facts: FactsOf): void {
    for (const orderId of this.#changed) {
      const found = facts(orderId);
      const share = found && shareOf(found);
      const before = this.#shares.get(orderId);
      if (before) this.#add(before, minusSums);
      if (share) {
        this.#add(share, plusSums);
        this.#shares.set(orderId, share);
      } else this.#shares.delete(orderId);
      if (found && isInDoubt(found.order)) this.#doubts.set(orderId, found.order.caller);
      else this.#doubts.delete(orderId);
    }
    this.#changed.clear();
  }

  #add({ line, day, sums }: OrderShare, combine: typeof plusSums): void {
    const key = lineKey(line);
    const known = this.#lines.get(key) ?? { line, opening: NOTHING_CARRIED, days: new Map() };
    this.#lines.set(key, known);
    const after = combine(known.days.get(day) ?? NO_SUMS, sums);
    if (isNothing(after)) known.days.delete(day);
    else known.days.set(day, after);
  }
}

/** Whether what is open at the end of a day goes on: brokers close what is intraday, the paper account does not. */
export const isCarriedOver = ({
  product,
  mode,
}: {
  readonly product: string;
  readonly mode: BookLine['mode'];
}): boolean => product !== 'INTRADAY' || mode === 'paper';

/** What is carried over after days, oldest first. */
export function carryOver(line: BookLine, opening: Carried, days: readonly Sums[]): Carried {
  if (!isCarriedOver(line)) return NOTHING_CARRIED;
  return days.reduce((carried: Carried, sums) => {
    const { quantity, cost } = positionOf(carried, sums);
    return { quantity, cost };
  }, opening);
}

function positionOn({ line, opening, days }: Line, day: TradingDay): KeyPosition {
  const before = [...days.keys()].filter((each) => each < day).sort();
  const carried = carryOver(
    line,
    opening,
    before.map((each) => must(days.get(each), 'a day of the line')),
  );
  const today = days.get(day) ?? NO_SUMS;
  return { line, carried, today, ...positionOf(carried, today) };
}
