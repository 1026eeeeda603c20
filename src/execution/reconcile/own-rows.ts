import { type BrokerFill, type BrokerOrder, realId } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { bindingOf, isIn, type OrderRecord } from '../order/order.ts';
import type { BookNews } from './book-memory.ts';
import type { BookObservation } from './book-observation.ts';
import { isRowOfDay } from './lost-rows.ts';
import { orderOfRow } from './matching.ts';
import { orderOfRowsTag } from './orders-of-tags.ts';
import { disputeOrderOfTag } from './tagged-rows.ts';

/**
 * Which of the rows and trades under an order's id are the order's. An id alone tells nothing: a broker may
 * count ids in each segment of an exchange, or use one again (docs/orders.md, "Another order's row under
 * the id").
 */

type ReadParts = Pick<BookObservation, 'broker' | 'rows' | 'isOther'>;

/** What a row or a trade says of its instrument and side; absent where it says nothing. */
type Named = Pick<Partial<BrokerOrder>, 'instrument' | 'side'>;

/** Whether nothing that a row or a trade under an order's id says makes it another order's. */
export function isAlike(
  order: OrderRecord,
  named: Named,
  { isOther }: Pick<ReadParts, 'isOther'>,
): boolean {
  const { instrument, side } = named;
  const isSame =
    (side === undefined || side === order.terms.side) &&
    (instrument === undefined || !isOther(order, { instrument }));
  const binding = bindingOf(order);
  if (isSame || binding?.by !== 'person') return isSame;
  const { row, isForced } = binding;
  // A person has said that it is this order, whatever it is of. Who did not say so had seen a row like the order.
  if (row === null) return isForced === true;
  return row.side === (side ?? row.side) && row.instrument === (instrument ?? row.instrument);
}

/** The order of ours that is bound to the id of a row; null where there is none that can be read. */
function orderUnder(
  unit: UnitOfWork,
  broker: BrokerId,
  day: TradingDay,
  row: BrokerOrder,
): OrderRecord | null {
  const orderId = orderOfRow(unit, broker, day, row.brokerOrderId);
  // One whose record does not fit the schema owns its row, but nothing else is known of it.
  return orderId !== null && unit.state.orders.has(orderId) ? unit.order(orderId) : null;
}

/** What a read is once the rows of others under the ids of our orders are left out. */
interface OwnRead<Read extends ReadParts> {
  readonly observation: Read;
  readonly news: BookNews;
}

/**
 * Leaves out the rows that stand under the id of an order of ours and are not its: of another instrument or
 * side, and, where one of them carries its tag, those without it. Where no row of the order's own is left, an
 * open order is disputed; nothing of the others is credited to it. Until a book has shown a row of the order,
 * and where a row carries another order's tag, a single row is left in: the checks of an acknowledged id
 * decide about it.
 */
export function withoutOthersRows<Read extends ReadParts>(
  unit: UnitOfWork,
  observation: Read,
  news: BookNews,
  day: TradingDay,
): OwnRead<Read> {
  const others = othersRows(unit, observation, news.rows, day);
  if (others.size === 0) return { observation, news };
  const own = (rows: readonly BrokerOrder[]): readonly BrokerOrder[] =>
    rows.filter((row) => !others.has(row));
  return {
    observation: { ...observation, rows: own(observation.rows) },
    news: {
      ...news,
      rows: own(news.rows),
      rowsWith: (brokerOrderIds) => own(news.rowsWith(brokerOrderIds)),
    },
  };
}

function othersRows(
  unit: UnitOfWork,
  read: ReadParts,
  rows: readonly BrokerOrder[],
  day: TradingDay,
): ReadonlySet<BrokerOrder> {
  const others = new Set<BrokerOrder>();
  const byOrder = new Map<OrderId, BrokerOrder[]>();
  for (const row of rows) {
    const order = orderUnder(unit, read.broker, day, row);
    if (order === null) continue;
    const sharing = byOrder.get(order.id);
    if (sharing) sharing.push(row);
    else byOrder.set(order.id, [row]);
  }
  for (const [orderId, under] of byOrder) {
    const order = unit.order(orderId);
    const [first, ...more] = under;
    if (first && more.length === 0 && isAlike(order, first, read)) continue;
    for (const row of othersAmong(unit, read, order, under, day)) others.add(row);
  }
  return others;
}

/** Those of the rows under an order's id that are others'; what it means for the order is decided here. */
function othersAmong(
  unit: UnitOfWork,
  read: ReadParts,
  order: OrderRecord,
  under: readonly BrokerOrder[],
  day: TradingDay,
): readonly BrokerOrder[] {
  const alike = under.filter((row) => isAlike(order, row, read));
  const tagged = alike.filter((row) => row.tags.some((tag) => orderOfTag(unit, tag) === order.id));
  const own = tagged.length > 0 ? tagged : alike;
  const others = under.filter((row) => !own.includes(row));
  const [other] = others;
  if (!other) return [];
  if (own.length > 0) {
    tellOnce(unit, read.broker, day, order, other.brokerOrderId, whatIs(other));
    for (const row of others) disputeOrderOfTag(unit, row, order.id);
    return others;
  }
  const binding = bindingOf(order);
  const isCheckedElsewhere =
    binding === null ||
    (binding.row === null && binding.by !== 'person') ||
    under.some((row) => row.tags.some((tag) => isOfAnother(unit, order, tag)));
  if (isCheckedElsewhere) return [];
  // In the morning an after-market order can have another id: it is looked for by its tag then.
  if (!isRowOfDay(unit, order, day)) return others;
  if (isIn(order, ['working'])) {
    const cause =
      `the book of ${read.broker} shows ${whatIs(other)} under its id ${other.brokerOrderId}, and no row ` +
      'of its own. It is what its own row says once a book shows that again; a cancel could reach the ' +
      "other order: look at both in the broker's app";
    noteShared(unit, read.broker, day, other.brokerOrderId);
    unit.dispute(order.id, cause, { othersRow: true });
  } else {
    tellOnce(unit, read.broker, day, order, other.brokerOrderId, whatIs(other));
  }
  return others;
}

const orderOfTag = ({ state }: UnitOfWork, tag: string): OrderId | undefined =>
  state.attempts.get(state.attemptByTag.get(tag) ?? '')?.orderId;

function isOfAnother(unit: UnitOfWork, order: OrderRecord, tag: string): boolean {
  const owner = orderOfTag(unit, tag);
  return owner !== undefined && owner !== order.id;
}

const whatIs = ({ side, quantity, instrument }: BrokerOrder): string =>
  `an order ${side} ${quantity} ${instrument}`;

/** Notes that others share an id of ours; whether that was news. */
function noteShared(
  unit: UnitOfWork,
  broker: BrokerId,
  day: TradingDay,
  brokerOrderId: BrokerOrderId,
): boolean {
  const seen = unit.observed(broker, day, brokerOrderId);
  if (seen === undefined || seen.shared === true) return false;
  unit.putObserved({ ...seen, shared: true });
  return true;
}

/** An alert for the first time that something of others is under an order's id; noted with the id. */
function tellOnce(
  unit: UnitOfWork,
  broker: BrokerId,
  day: TradingDay,
  order: OrderRecord,
  brokerOrderId: BrokerOrderId,
  what: string,
): void {
  if (!noteShared(unit, broker, day, brokerOrderId)) return;
  const message =
    `${broker} shows ${what} under ${brokerOrderId}, the id of order ${order.id}: it counts as placed ` +
    "elsewhere. A cancel by the id may reach either: look at both in the broker's app";
  unit.alert('warning', order.id, message);
}

/** Whether a trade under an order's id is another order's; the first one is told of. */
export function isOthersTrade(
  unit: UnitOfWork,
  read: ReadParts,
  order: OrderRecord,
  { brokerOrderId, ...trade }: BrokerFill & { readonly brokerOrderId: BrokerOrderId },
  day: TradingDay,
): boolean {
  const shared = unit.observed(read.broker, day, brokerOrderId)?.shared === true;
  const known = realId(bindingOf(order)?.exchangeOrderId);
  const told = realId(trade.exchangeOrderId);
  // Where an id is shared, a trade that tells nothing else is told by the exchange's id of its order.
  const isOfAnotherAtExchange =
    shared && trade.instrument === undefined && known !== null && told !== null && told !== known;
  if (!isOfAnotherAtExchange && isAlike(order, trade, read)) return false;
  const what = `a trade ${trade.side ?? ''} ${trade.quantity} ${trade.instrument ?? ''}`;
  tellOnce(unit, read.broker, day, order, brokerOrderId, what.replace(/ +/g, ' ').trim());
  return true;
}

/** Whether an order was disputed only because a book showed others' rows alone under its id. */
export function isOwnRowBack({ state }: OrderRecord, row: BrokerOrder): boolean {
  return (
    state.kind === 'disputed' &&
    state.othersRow === true &&
    state.binding?.brokerOrderId === row.brokerOrderId
  );
}

/** The order is what its own row says again. */
export function takeBackOthersRow(unit: UnitOfWork, order: OrderRecord, row: BrokerOrder): void {
  const binding = bindingOf(order);
  const wasAnothers = orderOfRowsTag(unit.state, order) !== null;
  if (binding === null || (wasAnothers && !hasOwnTag(unit, order, row))) return;
  const { by, isForced } = binding;
  const forced = isForced === true ? { isForced } : {};
  unit.move(order.id, { type: 'bind', brokerOrderId: row.brokerOrderId, by, ...forced });
  const message =
    `order ${order.id} was disputed because another order's row stood under its id; its own row is ` +
    'there again, so it is no longer disputed';
  unit.alert('warning', order.id, message);
}

const hasOwnTag = ({ state }: UnitOfWork, { id }: OrderRecord, { tags }: BrokerOrder): boolean =>
  tags.some((tag) => state.attempts.get(state.attemptByTag.get(tag) ?? '')?.orderId === id);
