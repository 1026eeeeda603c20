import type { ExitStop } from '../../domain/exit.ts';
import { tradingDay } from '../../domain/ist.ts';
import { plus } from '../../units/branded.ts';
import { type Accounts, FILL_SHOWN_MS } from '../reconcile/accounts.ts';
import { isContradictory } from '../reconcile/believed-rows.ts';
import type { BesidePositions } from '../reconcile/beside-positions.ts';
import { missingOf } from '../reconcile/missing-rows.ts';
import {
  type IsinOf,
  openingOf,
  shownTraded,
  type Shares,
  unclearRowOf,
} from '../reconcile/held.ts';
import { type OutgoingOrder, reducible } from '../submit/reduce-only.ts';
import { otherAccountNow } from './exit-account.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import type { Over } from './exit-run.ts';
import type { ExitRecord } from './exit.ts';

/** Ends at which an order may be open, or may have filled more than is known: the rounds do not look at the account then. */
const ENDS: readonly (ExitStop | null)[] = [
  'leg_uncertain',
  'fill_unknown',
  'leg_not_cancelled',
  'no_bid',
];

/** How long the account may take to be read, and the positions to show what has filled. */
const ACCOUNT_MS = 5_000;

/** What the positions show of an exit's shares, and what they lack. */
export interface Shown {
  /** By positions and holdings, as they were last read; negative on the other side. */
  readonly quantity: number;
  /** Fills that the positions do not show yet. */
  readonly moved: number;
  /**
   * What may have opened the position and is not shown yet, less what is known to have ended it: where nothing is held,
   * it may be held all the same.
   */
  readonly opened: number;
  /**
   * Where nothing is held: what may have been filled of the exit's side that the row of the closed position lacks, less
   * what is known to have opened it. The position may be on the other side.
   */
  readonly crossed: number;
  /** What the last read lacks of it that the one before had, a few seconds ago; negative on the other side. */
  readonly missing: number;
  /** The most that is held by any reading of the positions, and by the fills that they do not show yet. */
  readonly most: number;
}

export function shownOf(
  accounts: Accounts,
  state: ExitParts['writer']['state'],
  order: OutgoingOrder,
): Shown {
  const beside = accounts.beside(order);
  const { moved, isinOf } = beside;
  const opening = accounts.beside({ ...order, terms: openingOf(order.terms) });
  const quantity = reducible(state, order, isinOf);
  // Trades that no row explains can hide what a fill of ours has opened.
  const isHidden =
    quantity === 0 && (beside.isUnexplained === true || opening.isUnexplained === true);
  const openedUnshown = Math.max(opening.moved, isHidden ? (opening.recent ?? 0) : 0);
  const shown = reducible(state, order, isinOf, { most: true });
  return {
    ...{ quantity, moved },
    missing:
      missingOf(state.portfolios.get(order.broker), order.terms, isinOf) * signOf(order.terms),
    // What may have filled, and may not, makes up for nothing on the other side.
    opened: Math.max(0, openedUnshown - toldOf(beside)),
    crossed: quantity === 0 && agreesWithFills(state, order) ? moved - toldOf(opening) : 0,
    // What may have filled, and may not, neither adds to it nor takes from it.
    most: Math.max(quantity + toldOf(opening), shown) - toldOf(beside),
  };
}

/**
 * Whether a closed position of an order's shares must agree with what was filled today: an intraday one, which begins
 * each day at 0, and any whose row tells what was traded. Other closed positions may have been carried over, and a
 * broker may leave them out: then nothing tells which fills are shown. Delivery shares are never short.
 */
function agreesWithFills(state: ExitParts['writer']['state'], order: OutgoingOrder): boolean {
  const { broker, at, day = tradingDay(at) } = order;
  const of = (shares: Shares): number => shownTraded(state.portfolios.get(broker), shares, day);
  const { product } = order.terms;
  return (
    product !== 'CNC' &&
    (product === 'INTRADAY' || of(order.terms) + of(openingOf(order.terms)) > 0)
  );
}

const signOf = ({ side }: Shares): number => (side === 'SELL' ? 1 : -1);

const toldOf = ({ told, moved }: BesidePositions): number => told ?? moved;

/**
 * Adds to an end how much is still held, by the positions alone, once they can show what was filled last. Null where the
 * account or its row cannot be read, and while the positions lack fills: a number that is too high would be sold twice.
 */
export function createHeldAtEnd(parts: ExitParts): (exit: ExitRecord, over: Over) => Promise<Over> {
  const { clock, accounts } = parts;
  const { state } = parts.writer;
  const isinOf: IsinOf = (name) => parts.instruments.byName(name)?.isin ?? null;

  return async function withHeld(exit, over) {
    if (over.held !== null || !ENDS.includes(over.why)) return over;
    return { ...over, held: await heldOf(exit) };
  };

  async function heldOf(exit: ExitRecord): Promise<number | null> {
    const { broker, product } = exit;
    const terms = sharesOf(exit);
    const shown = (): Shown => {
      const day = accounts.today(broker);
      return shownOf(accounts, state, { broker, terms, orderId: '', at: clock.now(), day });
    };
    const isShown = (): boolean =>
      shown().moved + shown().opened === 0 &&
      shown().missing === 0 &&
      !isContradictory(state.portfolios.get(broker), terms);
    const why = await accounts.refreshForExit({
      ...{ broker, terms, passes: isShown },
      // An order that is on its way may have filled until now.
      since: plus(clock.elapsed(), FILL_SHOWN_MS),
      until: plus(clock.elapsed(), ACCOUNT_MS),
    });
    if (why !== null || (await otherAccountNow(parts, exit)) !== null) return null;
    if (unclearRowOf(state.portfolios.get(broker), terms, isinOf) !== null || !isShown())
      return null;
    const { quantity } = shown();
    // Delivery shares are never short: more was sold today than the holdings show yet.
    return product === 'CNC' && quantity < 0 ? null : quantity;
  }
}
