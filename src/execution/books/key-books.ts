import type { TradingDay } from '../../units/branded.ts';
import { must } from '../../platform/values.ts';
import { type BookLine, lineKey, type OrderShare } from './order-share.ts';
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
  /** Orders and triggers whose rows cannot be read: what they have filled is not known. */
  readonly unread: readonly { readonly id: TradedId; readonly caller: string }[];
}

export const NO_OPENING: Opening = { lines: [], unread: [] };

/** The id of what trades under a key: of an order, or of a trigger with the orders that the broker has placed by it. */
export type TradedId = string;

/** What the books go by. */
export interface Traded {
  /** The id of the key. */
  readonly caller: string;
  /** What it has filled, as far as it is known. */
  readonly shares: readonly OrderShare[];
  /** Whether it may have filled more than that. */
  readonly isInDoubt: boolean;
}

/** What an order or a trigger in memory has filled; null where it is in memory no more. */
export type FactsOf = (id: TradedId) => Traded | null;

interface Line {
  readonly line: BookLine;
  readonly opening: Carried;
  readonly days: Map<TradingDay, Sums>;
}

/**
 * The books of all keys: what the orders of each, and of its triggers, have bought and sold. They follow from the
 * orders and triggers in memory and from what is carried over of those that are not, and from nothing else, so that
 * they are the same after a restart. A change only notes the id: the shares are computed when a book is read.
 */
export class KeyBooks {
  readonly #changed = new Set<TradedId>();
  readonly #shares = new Map<TradedId, readonly OrderShare[]>();
  readonly #doubts = new Map<TradedId, string>();
  readonly #lines = new Map<string, Line>();
  readonly #unread: Opening['unread'];

  constructor({ lines, unread }: Opening = NO_OPENING) {
    this.#unread = unread;
    for (const { line, carried } of lines) {
      this.#lines.set(lineKey(line), { line, opening: carried, days: new Map() });
    }
  }

  /** Something of the order or the trigger has changed, or it was put in or taken out. */
  touch(id: TradedId): void {
    this.#changed.add(id);
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

  /** The orders and triggers of a key of which it is not known how much they have filled; of all keys without one. */
  doubts(facts: FactsOf, caller?: string): readonly TradedId[] {
    this.#settle(facts);
    const all = [...this.#doubts, ...this.#unread.map((each) => [each.id, each.caller] as const)];
    return all.filter(([, by]) => caller === undefined || by === caller).map(([id]) => id);
  }

  /** Whose order or trigger it is whose row could not be read at the start; null for any other. */
  callerOfUnread(id: TradedId): string | null {
    return this.#unread.find((each) => each.id === id)?.caller ?? null;
  }

  #settle(facts: FactsOf): void {
    for (const id of this.#changed) {
      const found = facts(id);
      for (const before of this.#shares.get(id) ?? []) this.#add(before, minusSums);
      const shares = found?.shares ?? [];
      for (const share of shares) this.#add(share, plusSums);
      if (shares.length > 0) this.#shares.set(id, shares);
      else this.#shares.delete(id);
      if (found?.isInDoubt === true) this.#doubts.set(id, found.caller);
      else this.#doubts.delete(id);
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
