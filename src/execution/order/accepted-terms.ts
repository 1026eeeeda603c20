import type { BrokerOrder } from '../../domain/broker-order.ts';
import {
  needsPrice,
  needsTrigger,
  type OrderMarks,
  type OrderModification,
  type OrderTerms,
  type OrderType,
  type Validity,
} from '../../domain/order.ts';
import type { EpochMs } from '../../units/branded.ts';
import {
  answeredAt,
  type AttemptRecord,
  BOOK_LAG_MS,
  CLOCK_SKEW_MS,
  placedTerms,
} from './attempt.ts';
import { datedBy } from './newest-row.ts';
import { bindingOf, fillOf, isOver, type OrderRecord } from './order.ts';

export type Figure = 'quantity' | 'price' | 'triggerPrice';

/** What a change can ask for, and what an order has of it. */
export type Changeable = Pick<OrderModification, Figure | 'orderType'>;

/** A change of one field that its broker has taken, or may have taken. */
export interface AskedValue<Value> {
  readonly value: Value;
  readonly isUncertain: boolean;
  /** Whether the row that is known was changed at the broker since the change was answered. */
  readonly isRowLater: boolean;
  /** When it was answered (epoch ms). */
  readonly answeredAt: number;
}

/** The row that is known of an order: its figures, and when it was changed at the broker last. */
interface KnownRow {
  readonly terms: Pick<OrderTerms, Figure>;
  readonly updatedAt: EpochMs | null;
}

/**
 * Whether a row was changed at its broker after the answer to a request: by both clocks, since a row has the broker's
 * time, which may be ahead of this computer's.
 */
function isRowLater(updatedAt: EpochMs | null, attempt: AttemptRecord): boolean {
  const { state } = attempt;
  const byBroker = state.kind === 'acknowledged' ? (state.brokerAt ?? -Infinity) : -Infinity;
  return updatedAt !== null && updatedAt > Math.max(answeredAt(attempt), byBroker) + CLOCK_SKEW_MS;
}

/** The values of one field that the broker has taken, or may have taken, first to last. */
export function askedValues<Value>(
  attempts: readonly AttemptRecord[],
  updatedAt: EpochMs | null,
  fieldOf: (changes: Changeable) => Value | null,
): AskedValue<Value>[] {
  return attempts.flatMap((attempt) => {
    if (attempt.kind !== 'modify' || !mayBeTaken(attempt)) return [];
    const value = fieldOf(attempt.changes);
    if (value === null) return [];
    return [
      {
        value,
        isUncertain: attempt.state.kind === 'uncertain',
        isRowLater: isRowLater(updatedAt, attempt),
        answeredAt: answeredAt(attempt),
      },
    ];
  });
}

/**
 * The quantities that an order was asked to have by some of its requests, in their order: by its placing,
 * and by modifications, unless they are known not to have been taken.
 */
export function askedQuantities(attempts: Iterable<AttemptRecord>): number[] {
  const asked: number[] = [];
  for (const attempt of attempts) {
    const { kind } = attempt.state;
    if (kind === 'refused' || kind === 'not_sent') continue;
    if (attempt.kind === 'place') {
      const { quantity } = placedTerms(attempt);
      if (quantity !== null && Number.isInteger(quantity)) asked.push(quantity);
    }
    if (attempt.kind === 'modify' && attempt.changes.quantity !== null) {
      asked.push(attempt.changes.quantity);
    }
  }
  return asked;
}

/**
 * The values that were asked for and that the row does not show yet, first to last: a book can lag behind
 * an answer. Those that were asked for before the value that it shows are over.
 */
function unshownIn(
  attempts: readonly AttemptRecord[],
  { terms, updatedAt }: KnownRow,
  figure: Figure,
): AskedValue<number>[] {
  const asked = askedValues(attempts, updatedAt, (changes) => changes[figure]);
  return asked.slice(asked.findLastIndex(({ value }) => value === terms[figure]) + 1);
}

/**
 * An order as callers see it: by its row, with what its broker has accepted and the row does not show yet.
 * `asOf` is when the book was asked for that was read last (epoch ms), null before one. What has filled is the
 * row's alone. An order that is over is its row.
 */
export function asShown(
  order: OrderRecord,
  attempts: readonly AttemptRecord[],
  asOf: EpochMs | null,
): OrderRecord {
  if (!attempts.some(mayBeTaken)) return order;
  const row = bindingOf(order)?.row ?? null;
  const shown = row ? withKindOfRow(order, attempts, row) : order;
  if (isOver(order)) return shown;
  const known = { terms: shown.terms, updatedAt: row?.updatedAt ?? null };
  const changes = acceptedChanges(attempts, known, row, asOf);
  if (changes === null) return shown;
  const { quantity, ...terms } = termsAfter(shown.terms, changes);
  // Lowering it to less than has filled meanwhile ends the order with what has filled.
  const least = fillOf(order).filledQuantity ?? 0;
  return { ...shown, terms: { ...terms, quantity: Math.max(quantity, least) } };
}

/** The same of the row of an order placed elsewhere, which is all that is known of it. */
export function rowAsShown(
  row: BrokerOrder,
  attempts: readonly AttemptRecord[],
  asOf: EpochMs | null,
): BrokerOrder {
  const { updatedAt } = asOf === null ? row : datedBy(row, asOf);
  const changes = acceptedChanges(attempts, { terms: row, updatedAt }, row, asOf);
  if (changes === null) return row;
  const { price, triggerPrice, orderType, validity } = changes;
  return {
    ...row,
    quantity: Math.max(changes.quantity ?? row.quantity, row.filledQuantity ?? 0),
    price: price ?? row.price,
    triggerPrice: triggerPrice ?? row.triggerPrice,
    orderType: orderType ?? row.orderType,
    validity: validity ?? row.validity,
  };
}

/** The most that an order placed elsewhere may have been made by changes that its row may not show yet. */
export function mostAsked(
  row: Pick<BrokerOrder, 'quantity' | 'updatedAt'>,
  attempts: readonly AttemptRecord[],
  asOf: EpochMs,
): number {
  const asked = askedValues(attempts.map(onItsWay), row.updatedAt, ({ quantity }) => quantity);
  const open = asked.filter(
    ({ isUncertain, isRowLater: isShown, answeredAt: at }) =>
      !isShown && (isUncertain || mayLag(asOf, at)),
  );
  return Math.max(row.quantity, ...open.map(({ value }) => value));
}

/** A change that is on its way may be taken, as one whose outcome is open. */
export const onItsWay = (attempt: AttemptRecord): AttemptRecord =>
  attempt.kind === 'modify' && attempt.state.kind === 'sending'
    ? { ...attempt, state: { kind: 'uncertain', settledAt: attempt.sentAt, reason: '' } }
    : attempt;

export const mayBeTaken = ({ kind, state }: AttemptRecord): boolean =>
  kind === 'modify' && (state.kind === 'acknowledged' || state.kind === 'uncertain');

/** Whether a book that was asked for at `asOf` (epoch ms) may lag behind an answer. */
export const mayLag = (asOf: EpochMs | null, answered: number): boolean =>
  asOf === null || asOf < answered + BOOK_LAG_MS;

/** What was accepted and the row does not show yet, while it may lag behind that; null for nothing. */
function acceptedChanges(
  attempts: readonly AttemptRecord[],
  known: KnownRow,
  row: Pick<BrokerOrder, 'orderType' | 'validity'> | null,
  asOf: EpochMs | null,
): OrderModification | null {
  const last = (figure: Figure): number | null =>
    unshownIn(attempts, known, figure).findLast(
      (each) => !each.isUncertain && !each.isRowLater && mayLag(asOf, each.answeredAt),
    )?.value ?? null;
  const lagging = attempts.filter(
    (attempt) => !isRowLater(known.updatedAt, attempt) && mayLag(asOf, answeredAt(attempt)),
  );
  const { orderType, validity } = acceptedKind(lagging);
  const changes = {
    quantity: last('quantity'),
    price: last('price'),
    triggerPrice: last('triggerPrice'),
    orderType: orderType === row?.orderType ? null : orderType,
    validity: validity === row?.validity ? null : validity,
  };
  return Object.values(changes).every((value) => value === null) ? null : changes;
}

/**
 * Figures are those of the row, and so are type and validity once the row shows what was asked for. A row that
 * shows another type proves nothing: a broker may hold a MARKET order as a LIMIT one.
 */
function withKindOfRow(
  order: OrderRecord,
  attempts: readonly AttemptRecord[],
  row: BrokerOrder,
): OrderRecord {
  const asked = attempts.flatMap((each) =>
    each.kind === 'modify' && mayBeTaken(each) ? [each.changes] : [],
  );
  let { terms } = order;
  for (const { validity } of asked) {
    if (validity !== null && validity === row.validity) terms = { ...terms, validity };
  }
  for (const { orderType } of asked) {
    if (orderType !== null && orderType === row.orderType) terms = ofType(terms, orderType, row);
  }
  return terms === order.terms ? order : { ...order, terms };
}

/** The terms of an order that is of another type now, at the prices that its row has. */
function ofType(
  terms: OrderTerms,
  orderType: OrderType,
  row: { readonly price: number | null; readonly triggerPrice: number | null },
): OrderTerms {
  return {
    ...terms,
    orderType,
    price: needsPrice(orderType) ? (row.price ?? terms.price) : null,
    triggerPrice: needsTrigger(orderType) ? (row.triggerPrice ?? terms.triggerPrice) : null,
  };
}

/** Type and validity of the last changes of them that the broker has accepted; null without one. */
function acceptedKind(
  attempts: readonly AttemptRecord[],
): Pick<OrderModification, 'orderType' | 'validity'> {
  let orderType: OrderType | null = null;
  let validity: Validity | null = null;
  for (const attempt of attempts) {
    if (attempt.kind !== 'modify' || attempt.state.kind !== 'acknowledged') continue;
    orderType = attempt.changes.orderType ?? orderType;
    validity = attempt.changes.validity ?? validity;
  }
  return { orderType, validity };
}

/** What its request carried of an order besides its terms: nothing where none has left. */
export const sentMarks = (attempts: readonly AttemptRecord[]): OrderMarks =>
  attempts
    .filter((attempt) => attempt.kind === 'place')
    .findLast(({ state, marks }) => state.kind !== 'not_sent' && marks !== undefined)?.marks ?? {};

/** The terms that an order would have after a change. A type without a price has none any more. */
export function termsAfter(present: OrderTerms, changes: OrderModification): OrderTerms {
  const orderType = changes.orderType ?? present.orderType;
  const kept = changes.orderType === null;
  const price = kept || needsPrice(orderType) ? present.price : null;
  const triggerPrice = kept || needsTrigger(orderType) ? present.triggerPrice : null;
  return {
    ...present,
    orderType,
    quantity: changes.quantity ?? present.quantity,
    price: changes.price ?? price,
    triggerPrice: changes.triggerPrice ?? triggerPrice,
    validity: changes.validity ?? present.validity,
  };
}
