import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Decision, SingleWriter } from '../../platform/single-writer.ts';
import { type Change, isOfOtherAccount, isSameAccount } from '../journal/records.ts';
import { attemptsOfOrder, type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { bindingOf, type OrderRecord, statusOf } from '../order/order.ts';
import type { EpochMs, OrderId } from '../../units/branded.ts';
import type { BookObservation } from './book-observation.ts';

/**
 * Orders belong to an account, and a session with a broker may be another user's than the day before
 * (docs/orders.md, "Accounts"). The book of one account proves nothing about an order of another.
 */

/** The account that an order was last sent for; null where that is not known. */
export function accountOfOrder(state: ExecutionState, orderId: OrderId): string | null {
  const accounts = attemptsOfOrder(state, orderId).flatMap((attempt) =>
    attempt.kind === 'place' && attempt.account !== undefined ? [attempt.account] : [],
  );
  return accounts.at(-1) ?? null;
}

/** This broker's orders that may still change and are of another account than `account`. */
export function openOrdersOfOthers(
  state: ExecutionState,
  broker: BrokerId,
  account: string,
): OrderRecord[] {
  return [...state.watched]
    .map((id) => required(state.orders, id, 'order'))
    .filter((order) => {
      const of = accountOfOrder(state, order.id);
      return order.broker === broker && of !== null && !isSameAccount(of, account);
    });
}

/** The accounts at a broker that have orders which are not over, disputed ones among them. */
export function accountsInUse(state: ExecutionState, broker: BrokerId): string[] {
  const accounts = [...state.openOrders]
    .filter((id) => required(state.orders, id, 'order').broker === broker)
    .flatMap((id) => accountOfOrder(state, id) ?? []);
  return [...new Set(accounts)];
}

/** Tells a person, once for each account that a session is for, of the open orders of others. */
export function createOthersReport(parts: {
  readonly broker: BrokerId;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
}): (book: SessionBook) => Promise<void> {
  const { broker, writer, clock } = parts;
  let reported: string | null = null;
  return async (book) => {
    const { account } = book;
    if (account === null || account === reported) return;
    await writer.submit((current) =>
      decideReportOthers(current, { broker, account, book, at: clock.now() }),
    );
    reported = account;
  };
}

/** Alerts a person to open orders that a session of `account` can neither show nor change. */
export function decideReportOthers(
  state: ExecutionState,
  {
    broker,
    account,
    book,
    at,
  }: { broker: BrokerId; account: string; book?: SessionBook; at: EpochMs },
): Decision<Change, number> {
  const unit = new UnitOfWork(state, at);
  const orders = openOrdersOfOthers(state, broker, account).filter(
    (order) => !book || !isShownTo(state, order, account, book),
  );
  for (const order of orders) {
    const owner = accountOfOrder(state, order.id) ?? '';
    const detail =
      `order ${order.id} (${statusOf(order)}) is of account ${owner}, and the session at ${broker} is of ` +
      `${account}, whose order book does not show it: log in as ${owner} to follow it or to change ` +
      `it, or do so in the broker's own app`;
    unit.alert('critical', order.id, detail);
  }
  return { changes: unit.changes, reply: orders.length };
}

/** What was last read of the order book of a session. */
export type SessionBook = Pick<BookObservation, 'account' | 'rows' | 'tagged' | 'isOther'>;

/**
 * Whether the book of a session of `account` shows the order's own row: under its id, of its
 * instrument and side, with its tag where the broker returns tags and with no other one elsewhere.
 * Then the account is the order's, whatever it is called now.
 */
function isShownTo(
  state: ExecutionState,
  order: OrderRecord,
  account: string,
  book: SessionBook,
): boolean {
  if (book.account === null || !isSameAccount(book.account, account)) return false;
  const id = bindingOf(order)?.brokerOrderId;
  const tags = attemptsOfOrder(state, order.id).flatMap((attempt) =>
    attempt.kind === 'place' ? attempt.tag : [],
  );
  const hasTag = (row: BrokerOrder): boolean =>
    row.tags.some((tag) => tags.includes(tag)) || (!book.tagged && row.tags.length === 0);
  return book.rows.some(
    (row) =>
      row.brokerOrderId === id &&
      row.side === order.terms.side &&
      !book.isOther(order, row) &&
      hasTag(row),
  );
}

/**
 * Why a session of `account` cannot change an order; null where it can. `book` is what was read last
 * in this session; null before that. A name alone holds back nothing that this book shows: brokers
 * may call one account by several names.
 */
export function otherAccountReason(
  state: ExecutionState,
  order: OrderRecord,
  account: string | null,
  book: SessionBook | null,
): string | null {
  const owner = accountOfOrder(state, order.id);
  if (owner === null || account === null) return null;
  if (!isOfOtherAccount({ account: owner }, account)) return null;
  if (book && isShownTo(state, order, account, book)) return null;
  return (
    `order ${order.id} is of account ${owner}, and the session at ${order.broker} is of ${account}, ` +
    `whose order book does not show it: log in as ${owner} to change it, or change it in the ` +
    `broker's own app`
  );
}
