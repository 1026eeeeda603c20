import type { InstrumentName } from '../../domain/instrument.ts';
import {
  closingKey,
  shortBlockOf,
  type LedgerState,
  type PaperAccount,
  type PaperFill,
  type PaperHolding,
  type PaperOrder,
  type PaperPosition,
} from './state.ts';

/** A row before and after a change; null stands for no row. */
interface Image<Row> {
  readonly before: Row | null;
  readonly after: Row | null;
}

/** An order that leaves the book of the day; it stays on disk. */
export interface BookEntry {
  readonly order: PaperOrder;
  readonly fills: PaperFill[];
}

/**
 * Every change holds a row before and after it, so that undoing it is swapping the two, and nothing
 * is computed twice: disk and memory hold the same rows.
 */
export type Change =
  | { readonly kind: 'account'; readonly before: PaperAccount; readonly after: PaperAccount }
  | ({ readonly kind: 'order' } & Image<PaperOrder>)
  | ({ readonly kind: 'fill' } & Image<PaperFill>)
  | ({ readonly kind: 'position'; readonly key: string } & Image<PaperPosition>)
  | ({ readonly kind: 'holding'; readonly instrument: InstrumentName } & Image<PaperHolding>)
  | ({ readonly kind: 'book' } & Image<BookEntry>);

/** Applies a change in place. Returns the changes that undo it. */
export function apply(state: LedgerState, change: Change): readonly Change[] {
  switch (change.kind) {
    case 'account':
      state.account = change.after;
      return [{ ...change, before: change.after, after: change.before }];
    case 'order':
      applyOrder(state, change);
      return [{ ...change, before: change.after, after: change.before }];
    case 'fill':
      applyFill(state, change);
      return [{ ...change, before: change.after, after: change.before }];
    case 'position':
      state.shortBlocked = state.shortBlocked
        .minus(shortBlockOf(change.before))
        .plus(shortBlockOf(change.after));
      put(state.positions, change.key, change.after);
      return [{ ...change, before: change.after, after: change.before }];
    case 'holding':
      put(state.holdings, change.instrument, change.after);
      return [{ ...change, before: change.after, after: change.before }];
    case 'book':
      applyBook(state, change);
      return [{ ...change, before: change.after, after: change.before }];
  }
}

function put<Key, Row>(rows: Map<Key, Row>, key: Key, row: Row | null): void {
  if (row === null) rows.delete(key);
  else rows.set(key, row);
}

function applyOrder(state: LedgerState, { before, after }: Image<PaperOrder>): void {
  if (before !== null && after === null) {
    forget(state, before);
    state.nextOrder = before.number;
  }
  if (before === null && after !== null) state.nextOrder = after.number + 1;
  if (before?.status === 'working') rest(state, before, -1);
  if (after === null) return;
  remember(state, after);
  if (after.status === 'working') rest(state, after, 1);
}

function remember(state: LedgerState, order: PaperOrder): void {
  state.orders.set(order.id, order);
  state.byAttempt.set(order.attemptId, order.id);
  if (order.tag !== '') state.byTag.set(order.tag, order.id);
}

function forget(state: LedgerState, order: PaperOrder): void {
  state.orders.delete(order.id);
  state.byAttempt.delete(order.attemptId);
  state.byTag.delete(order.tag);
}

/** Adds a working order to the sums (`sign` 1), or removes it from them (-1). */
function rest(state: LedgerState, order: PaperOrder, sign: 1 | -1): void {
  const expiring = state.expiries.get(order.expiresAt) ?? new Set();
  if (sign === 1) {
    state.resting.set(order.id, order);
    state.expiries.set(order.expiresAt, expiring.add(order.id));
    state.reserved = state.reserved.plus(order.reserved);
  } else {
    state.resting.delete(order.id);
    expiring.delete(order.id);
    if (expiring.size === 0) state.expiries.delete(order.expiresAt);
    state.reserved = state.reserved.minus(order.reserved);
  }
  if (order.closing === 0) return;
  const key = closingKey(order);
  const closing = (state.closing.get(key) ?? 0) + sign * order.closing;
  put(state.closing, key, closing === 0 ? null : closing);
}

function applyFill(state: LedgerState, { before, after }: Image<PaperFill>): void {
  if (after !== null) {
    const fills = state.fills.get(after.orderId);
    if (fills === undefined) state.fills.set(after.orderId, [after]);
    else fills.push(after);
    state.nextFill = after.number + 1;
  } else if (before !== null) {
    // Changes are undone in reverse order, so the fill is the last one of its order.
    const fills = state.fills.get(before.orderId);
    fills?.pop();
    if (fills?.length === 0) state.fills.delete(before.orderId);
    state.nextFill = before.number;
  }
}

function applyBook(state: LedgerState, { before, after }: Image<BookEntry>): void {
  if (before !== null) {
    forget(state, before.order);
    state.fills.delete(before.order.id);
  }
  if (after !== null) {
    remember(state, after.order);
    if (after.fills.length > 0) state.fills.set(after.order.id, after.fills);
  }
}
