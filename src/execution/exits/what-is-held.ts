import type { OrderStatus } from '../../domain/order.ts';
import { type OrderId, plus } from '../../units/branded.ts';
import { callerKey } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { fillOf, isOver, mostFilled, type OrderRecord, statusOf } from '../order/order.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/delivered-shares.ts';
import { heldUnderOtherNames } from '../reconcile/under-other-names.ts';
import { openingOf, unclearRowOf } from '../reconcile/held.ts';
import { notCovered } from './not-covered.ts';
import { freeToReduce, type OutgoingOrder, whatIsUnread } from '../submit/reduce-only.ts';
import { otherAccountNow } from './exit-account.ts';
import { filledBy } from './filled-by-caller.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import { type ExitRecord, type KnownAtBegin, legKey } from './exit.ts';
import { type Shown, shownOf } from './held-at-end.ts';
import { unknownOfTriggers, unseenOfTriggers } from './orders-of-triggers.ts';
import { createClearResting, lastBookLacks, type NotYet } from './resting-orders.ts';

/** What an exit found before a leg, so that nothing is sold twice. */
export type Found =
  | NotYet
  /** An order of the same shares whose filled quantity nobody knows. */
  | { readonly kind: 'fill_unknown'; readonly orderId: OrderId }
  /** A leg that had ended has not after all: its refusal may have been wrong, or it works again. */
  | { readonly kind: 'leg_alive'; readonly orderId: OrderId; readonly status: OrderStatus }
  | { readonly kind: 'held'; readonly held: Held };

/** Shares that the exit's side reduces. */
export interface Held extends Shown {
  /** What the next leg may have: less what other open orders would still take, and what was asked for. */
  readonly free: number;
  /** What orders may still take that triggers have placed by now, and that no book has shown. */
  readonly unseen: number;
  /** See BesidePositions. */
  readonly isUnsure: boolean;
  /** What is left of the quantity that was asked for; null where all was. */
  readonly askedLeft: number | null;
  /** What the legs of the exit have filled. */
  readonly sold: number;
  /** What other orders of the gateway have filled beside the legs since the first of them. */
  readonly soldBeside: number;
  /** What is left of all that was known to be held; null before the first leg. */
  readonly knownLeft: number | null;
  /** See KnownAtBegin. */
  readonly missingBefore: number;
  /** The same of all orders of the gateway, for a while after they have filled (known-left.ts); Infinity where nothing is counted. */
  readonly countedLeft: number;
  /** What orders of the gateway have filled today, as it was when all of this was looked at. */
  readonly filledToday: Required<Omit<KnownAtBegin, 'most' | 'missing'>>;
  /** What has begun to rest since the exit has cancelled what rested, for people; null where nothing has. */
  readonly newer: string | null;
  /** Open orders that would take of what is held, for people. */
  readonly holders: readonly string[];
  /** Rows of the book that cannot be read and may be orders that take any part of what is held; for people. */
  readonly hidden: readonly string[];
  /** What is held of the same shares that no leg can sell: under MTF, pledged, or in a row that cannot be read. */
  readonly elsewhere: readonly string[];
  /** The same delivery shares under the names of other exchanges, not counted as held; for people. */
  readonly otherNames: readonly string[];
}

const ACCOUNT_MS = 5_000;

/** Looks at the book first, cancels what rests, and only then at what the account holds (the spec's rule 5). */
export function createWhatIsHeld(
  parts: ExitParts,
): (exit: ExitRecord, mayCancel: () => boolean) => Promise<Found> {
  const { clock, accounts } = parts;
  const { state } = parts.writer;
  const isinOf: IsinOf = (name) => parts.instruments.byName(name)?.isin ?? null;
  const resting = createClearResting(parts, isinOf);

  return async function whatIsHeld(exit: ExitRecord, mayCancel: () => boolean): Promise<Found> {
    const other = await otherAccountNow(parts, exit);
    if (other !== null) return notRead(other);
    const uncleared = await resting.clear(exit, mayCancel);
    if (uncleared !== null) return uncleared;
    const { broker } = exit;
    const terms = sharesOf(exit);
    const held = (): Held => heldNow(exit, terms);
    const why = await accounts.refreshForExit({
      ...{ broker, terms },
      // The book was read before: what fills between the two reads counts twice, and is never missed.
      since: clock.elapsed(),
      until: plus(clock.elapsed(), ACCOUNT_MS),
      passes: () => held().moved === 0,
    });
    if (why !== null) return notRead(`what ${broker} holds cannot be read (${why})`);
    const lacking = lastBookLacks(parts, exit);
    if (lacking !== null) return lacking;
    // Somebody may have logged in meanwhile.
    const readOther = await otherAccountNow(parts, exit);
    if (readOther !== null) return notRead(readOther);
    const unclear = unclearRowOf(state.portfolios.get(broker), terms, isinOf);
    if (unclear !== null) {
      return notRead(
        `a row of the ${unclear.list} at ${broker} cannot be read (${unclear.reason})`,
      );
    }
    const alive = legsOf(state, exit).find((order) => !isOver(order));
    if (alive) return { kind: 'leg_alive', orderId: alive.id, status: statusOf(alive) };
    const open = openReplaced(exit);
    if (open !== null) {
      const why = `how much of order ${open.id}, which is ${statusOf(open)}, has filled is not known`;
      return { kind: 'not_yet', what: 'resting', why };
    }
    const unknown = unknownFill(exit);
    return unknown === null
      ? { kind: 'held', held: held() }
      : { kind: 'fill_unknown', orderId: unknown };
  };

  function heldNow(exit: ExitRecord, terms: OutgoingOrder['terms']): Held {
    const { broker } = exit;
    const order = { broker, terms, orderId: '', at: clock.now(), day: accounts.today(broker) };
    const beside = accounts.beside(order);
    const askedLeft = askedLeftOf(state, exit);
    const unseen = unseenOfTriggers(state, exit, isinOf);
    const portfolio = state.portfolios.get(broker);
    const elsewhere = notCovered(portfolio, terms, isinOf);
    const otherNames = heldUnderOtherNames(portfolio, terms, isinOf);
    const sold = soldBy(state, exit);
    const filledToday = {
      opened: accounts.filledToday(broker, openingOf(terms)),
      ended: accounts.filledToday(broker, terms),
    };
    const { knownLeft, soldBeside } = knownLeftOf(exit, sold, filledToday);
    const most = Math.min(askedLeft ?? Infinity, knownLeft ?? Infinity);
    return {
      ...shownOf(accounts, state, order),
      free: Math.min(freeToReduce(state, order, beside) - unseen, most),
      newer: resting.newer(exit),
      holders: resting.holders(exit),
      hidden: beside.unread.map((row) => whatIsUnread(broker, terms, row)),
      ...{ unseen, askedLeft, elsewhere, otherNames, sold, soldBeside, knownLeft, filledToday },
      missingBefore: exit.known?.missing ?? 0,
      ...{ countedLeft: beside.left ?? Infinity, isUnsure: beside.isUnsure === true },
    };
  }

  /**
   * The order that the exit takes the place of, while nobody knows whether the broker has it: what it has sold would
   * be sold twice. Resolving goes on meanwhile.
   */
  function openReplaced({ orderId }: ExitRecord): OrderRecord | null {
    const order = orderId === null ? null : required(state.orders, orderId, 'order');
    return order === null || isOver(order) || fillOf(order).filledQuantity !== null ? null : order;
  }

  /** An order of the same shares that is over, of that day, and nobody knows how much of it has filled. */
  function unknownFill(exit: ExitRecord): OrderId | null {
    const shares = sharesOf(exit);
    for (const order of state.ordersOfDay.get(accounts.today(exit.broker))?.values() ?? []) {
      if (order.broker !== exit.broker || !isOver(order) || order.state.kind === 'sliced') continue;
      if (fillOf(order).filledQuantity !== null) continue;
      if (isSameShares(shares, order.terms, isinOf)) return order.id;
    }
    return unknownOfTriggers(state, exit, { isinOf, today: accounts.today(exit.broker) });
  }
}

/**
 * The gateway's own count, which needs no figure of the broker's: legs never sell more in all than what was known to be
 * held before the first of them, with what orders of the gateway have added since, and without what others of them have sold.
 */
function knownLeftOf(
  { known }: ExitRecord,
  sold: number,
  { opened, ended }: Held['filledToday'],
): Pick<Held, 'knownLeft' | 'soldBeside'> {
  if (!known) return { knownLeft: null, soldBeside: 0 };
  const soldBeside = Math.max(0, ended - (known.ended ?? ended) - sold);
  const added = Math.max(0, opened - known.opened);
  return { knownLeft: known.most + added - sold - soldBeside, soldBeside };
}

const notRead = (why: string): NotYet => ({ kind: 'not_yet', what: 'account', why });

/** What is left of the quantity that was asked for, or of the order that the exit takes the place of. */
function askedLeftOf(state: ExecutionState, exit: ExitRecord): number | null {
  const sold = soldBy(state, exit);
  if (exit.orderId === null) {
    if (exit.quantity === null) return null;
    return exit.quantity - Math.max(sold, filledSince(state, exit));
  }
  const replaced = required(state.orders, exit.orderId, 'order');
  const rest = replaced.terms.quantity - (fillOf(replaced).filledQuantity ?? 0);
  return Math.min(exit.quantity ?? Infinity, rest) - sold;
}

/** What all orders that count have filled since the quantity was worked out, the legs of the exit among them. */
function filledSince(state: ExecutionState, exit: ExitRecord): number {
  if (exit.filledBefore === undefined) return 0;
  const { quantity, byAll } = exit.filledBefore;
  return filledBy(state, byAll === true ? { ...exit, caller: null } : exit) - quantity;
}

const soldBy = (state: ExecutionState, exit: ExitRecord): number =>
  legsOf(state, exit).reduce((sum, order) => sum + mostFilled(order), 0);

function legsOf(state: ExecutionState, { id, caller, legs }: ExitRecord): readonly OrderRecord[] {
  return legs.flatMap(({ number }) => {
    const known = state.orderByKey.get(callerKey(caller, legKey(id, number)));
    return known === undefined ? [] : required(state.orders, known, 'order');
  });
}
