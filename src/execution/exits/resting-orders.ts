import { externalId } from '../../domain/broker-order.ts';
import { sleep } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import type { OrderId } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import { isOver, type OrderRecord, statusOf } from '../order/order.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import { createExternalResting, type RestingRow } from './external-resting.ts';
import type { ExitRecord } from './exit.ts';
import { didNotLeave } from './unsent-cancel.ts';

/** What is not read, or not cancelled, yet. */
export interface NotYet {
  readonly kind: 'not_yet';
  readonly what: 'book' | 'resting' | 'account';
  readonly why: string;
}

const BOOK_MS = 3_000;

/** What rests for a position. */
export interface Resting {
  /** Null once nothing that the exit may cancel rests any more. */
  readonly clear: (exit: ExitRecord, mayCancel: () => boolean) => Promise<NotYet | null>;
  /**
   * Something of it that a later book has shown than the one by which `clear` has cancelled, for people; null where
   * there is nothing.
   */
  readonly newer: (exit: ExitRecord) => string | null;
  /** All open orders that would take of the same shares, whoever may cancel them; for people. */
  readonly holders: (exit: ExitRecord) => readonly string[];
}

/**
 * Reads the order book, cancels what rests for a position, and reads the book again (the spec's rules 5 and 6).
 * Resolves with null once nothing of ours rests for it any more. An exit that ends only reads: what rests then may
 * be what protects the position.
 */
export function createClearResting(parts: ExitParts, isinOf: IsinOf): Resting {
  const { state } = parts.writer;
  /** Orders for which a cancel has left, or may have, in this process: it is repeated by itself. */
  const asked = new Set<OrderId>();
  const elsewhere = createExternalResting(parts, isinOf);
  const orderOf = (id: OrderId): OrderRecord => required(state.orders, id, 'order');

  /** Rows of others that were open by the last book of `clear`. */
  let seen: ReadonlySet<string> = new Set();

  async function clear(exit: ExitRecord, mayCancel: () => boolean): Promise<NotYet | null> {
    const why = await clearSeen(exit, mayCancel);
    seen = new Set(elsewhere.open(exit).map(({ row }) => row.brokerOrderId));
    return why;
  }

  function newer(exit: ExitRecord): string | null {
    const [order] = restingOrders(exit);
    if (order) return nameOf(order);
    const rows = exit.orderId === null ? elsewhere.open(exit) : [];
    // Whose a new row is can take a list of triggers to tell.
    const fresh =
      rows.find(({ row }) => !seen.has(row.brokerOrderId)) ?? elsewhere.resting(exit)[0];
    return fresh ? nameOfRow(exit, fresh) : null;
  }

  function holders(exit: ExitRecord): readonly string[] {
    const ours = openOrders(exit, (order) => isSameShares(sharesOf(exit), order.terms, isinOf));
    return [
      ...ours.map((order) => `${nameOf(order)}, which is ${statusOf(order)}`),
      ...elsewhere.open(exit).map((row) => nameOfRow(exit, row)),
    ];
  }

  async function clearSeen(exit: ExitRecord, mayCancel: () => boolean): Promise<NotYet | null> {
    const unread = await readBook(parts, exit);
    if (unread !== null || !mayCancel()) return unread;
    const unknown = await elsewhere.explain(exit);
    if (unknown !== null) return { kind: 'not_yet', what: 'resting', why: unknown };
    if (!mayCancel()) return null;
    const resting = restingOrders(exit);
    const others = elsewhere.resting(exit);
    if (resting.length === 0 && others.length === 0) return null;
    await Promise.all([
      ...resting.map(({ id }) => cancelOnce(exit, id)),
      ...others.map(({ row }) => elsewhere.cancel(exit, row)),
    ]);
    const left = resting.find(({ id }) => !isOver(orderOf(id)));
    if (!left) {
      const unreadNow = await readBook(parts, exit);
      const [other] = elsewhere.resting(exit);
      if (unreadNow !== null || !other) return unreadNow;
      const id = externalId(exit.broker, other.row.brokerOrderId);
      const by = other.triggerId === null ? 'placed elsewhere' : `placed by ${other.triggerId}`;
      return { kind: 'not_yet', what: 'resting', why: `${id}, ${by}, still rests` };
    }
    const why = `order ${left.id}, which rests for this position, is not cancelled yet`;
    return { kind: 'not_yet', what: 'resting', why };
  }

  /** Open orders that would take of the same shares, or the one order that the exit is about. */
  function restingOrders(exit: ExitRecord): readonly OrderRecord[] {
    const shares = sharesOf(exit);
    return openOrders(exit, (order) => {
      if (!canBeCancelled(order)) return false;
      if (exit.orderId !== null)
        return order.id === exit.orderId || order.parentId === exit.orderId;
      return isSameShares(shares, order.terms, isinOf);
    });
  }

  /** Of a sliced order, the slices are what rests. */
  function openOrders(
    { id, broker }: ExitRecord,
    isMeant: (order: OrderRecord) => boolean,
  ): readonly OrderRecord[] {
    return [...state.openOrders].map(orderOf).filter((order) => {
      const isLeg = order.idempotencyKey.startsWith(`${id}#`);
      return order.broker === broker && !isLeg && order.state.kind !== 'sliced' && isMeant(order);
    });
  }

  async function cancelOnce(exit: ExitRecord, id: OrderId): Promise<void> {
    if (asked.has(id)) return parts.changed.wait(500);
    asked.add(id);
    try {
      await parts.cancel(id, exit.id);
    } catch (error) {
      const reason = messageOf(error);
      parts.log.warn('a resting order could not be cancelled for an exit', { orderId: id, reason });
      if (await didNotLeave(parts, error)) asked.delete(id);
    }
  }

  return { clear, newer, holders };
}

/** Null once a whole book was read, begun now. */
async function readBook(parts: ExitParts, exit: ExitRecord): Promise<NotYet | null> {
  const poller = parts.poller(exit.broker);
  const notRead = (why: string): NotYet => bookNotRead(exit, why);
  if (!poller) return notRead('it is not set up');
  const over = new AbortController();
  const late = sleep(parts.scheduler, BOOK_MS, over.signal).then(() => 'it took too long');
  const read = poller
    .read(parts.clock.elapsed())
    .then(
      (book) => (showsEnough(book, exit) && !poller.recovering() ? null : ROWS_MISSING),
      messageOf,
    );
  try {
    const why = await Promise.race([read, late]);
    return why === null ? null : notRead(why);
  } finally {
    over.abort();
  }
}

const ROWS_MISSING = 'rows of it are missing';

const showsEnough = (book: BookRead, exit: ExitRecord): boolean =>
  book.complete || book.isUsable({ terms: sharesOf(exit) });

const bookNotRead = ({ broker }: ExitRecord, why: string): NotYet => ({
  kind: 'not_yet',
  what: 'book',
  why: `the order book of ${broker} cannot be read whole (${why})`,
});

/**
 * Null where the last read of the book shows what rests beside the exit. The book is read again after the positions, and a
 * copy of it that lags would free what another order is about to sell.
 */
export function lastBookLacks(parts: ExitParts, exit: ExitRecord): NotYet | null {
  const last = parts.poller(exit.broker)?.lastRead() ?? null;
  return last === null || showsEnough(last, exit) ? null : bookNotRead(exit, ROWS_MISSING);
}

const nameOf = ({ id, terms: { side, quantity } }: OrderRecord): string =>
  `order ${id} (${side} ${quantity})`;

function nameOfRow({ broker }: ExitRecord, { row, triggerId }: RestingRow): string {
  const by = triggerId === null ? 'placed elsewhere' : `placed by trigger ${triggerId}`;
  const left = row.quantity - (row.filledQuantity ?? 0);
  return `${externalId(broker, row.brokerOrderId)}, ${by} (${row.side} ${left})`;
}

/** An order whose outcome is open counts as filled until it is known. */
function canBeCancelled(order: OrderRecord): boolean {
  const status = statusOf(order);
  return status === 'working' || status === 'sending' || status === 'accepted';
}
