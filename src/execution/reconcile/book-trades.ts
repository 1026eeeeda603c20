import {
  type BrokerFill,
  type BrokerOrder,
  realId,
  type UnreadRow,
} from '../../domain/broker-order.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { lastBookDay } from '../order/order-day.ts';
import { bindingOf, type OrderRecord } from '../order/order.ts';
import {
  exchangeGroup,
  fillKey,
  type FillRecord,
  isSameTrade,
  namesExchange,
  writtenFillKey,
} from '../order/fills.ts';
import type { BookObservation } from './book-observation.ts';
import { withoutRow } from './lost-rows.ts';
import { orderOfRow } from './matching.ts';
import { isOthersTrade } from './own-rows.ts';

/**
 * Adds the fills that are new; returns the orders that they belong to. Of trades of one order under one id,
 * the first is a fill; where a later one has another quantity or price, a person is told.
 */
export function takeFills(
  unit: UnitOfWork,
  observation: Pick<BookObservation, 'broker' | 'rows' | 'unread' | 'isOther'>,
  fills: readonly BrokerFill[],
  day: TradingDay,
): Set<OrderId> {
  const touched = new Set<OrderId>();
  const { broker, rows, isOther } = observation;
  const orderOfTrade = orderNamed(observation, goneRows(unit, observation, day));
  for (const fill of fills) {
    const named = realId(fill.brokerOrderId);
    const brokerOrderId = named ?? orderOfTrade(fill);
    if (brokerOrderId === null) continue;
    const orderId = orderOfRow(unit, broker, day, brokerOrderId);
    if (orderId === null || !unit.state.orders.has(orderId)) continue;
    const order = unit.order(orderId);
    const ownExchange = exchangeOf(order.terms.instrument);
    const trade = { ...fill, broker, day: dayOfTrade(fill, order, day), brokerOrderId };
    const key = fillKey(trade, ownExchange);
    // Checked first, because nearly all trades of a read are known already.
    const known = unit.fill(key) ?? unit.fill(writtenFillKey(trade, ownExchange));
    if (known && isAlike(known, trade)) continue;
    if (isOthersTrade(unit, { broker, rows, isOther }, order, trade, day)) continue;
    if (known) {
      tellOfDifference(unit, known, trade);
      continue;
    }
    const record: FillRecord = {
      key,
      orderId,
      broker,
      day: trade.day,
      exchange: fill.exchange ?? ownExchange,
      brokerOrderId,
      fillId: fill.fillId,
      quantity: fill.quantity,
      price: fill.price,
      at: fill.at ?? unit.at,
      ...(named === null ? { joined: true } : {}),
    };
    const earlier = knownFromEarlier(unit, record);
    if (earlier) {
      if (!isAlike(earlier, trade)) tellOfDifference(unit, earlier, trade);
      continue;
    }
    unit.putFill(record);
    touched.add(orderId);
  }
  return touched;
}

/** A book that a wrong clock dates is of the order's day all the same where its trade says so too. */
const dayOfTrade = ({ at }: BrokerFill, order: OrderRecord, day: TradingDay): TradingDay =>
  at !== null && tradingDay(at) === order.day ? order.day : day;

type NamedRow = Pick<BrokerOrder, 'brokerOrderId' | 'exchangeOrderId' | 'instrument'>;

type RowsByExchangeId = ReadonlyMap<string | null, readonly NamedRow[]>;

const byExchangeId = (rows: readonly NamedRow[]): RowsByExchangeId =>
  Map.groupBy(rows, (row) => realId(row.exchangeOrderId));

/** Rows that earlier books of the day have shown with the exchange's id of their order, and this one does not. */
interface GoneRows {
  /** Those of open orders, and those that are there without that id. */
  readonly ofOpen: () => readonly NamedRow[];
  /** Those of ended orders: a trade can come after the end. */
  readonly ofEnded: () => readonly NamedRow[];
}

const NONE_GONE: GoneRows = { ofOpen: () => [], ofEnded: () => [] };

const isNamed = (row: UnreadRow): row is UnreadRow & NamedRow =>
  row.brokerOrderId !== null && row.instrument !== null;

/**
 * Finds the order of a trade that names none, by the exchange's id; null where no row has that. Exchanges
 * count their ids apart: rows of another exchange than the trade's are not meant, and where the trade does
 * not tell its exchange and rows of several have the id, nobody knows which is. Of rows at one exchange the
 * last counts. A row that cannot be read whole tells it as well, where it has both ids and its instrument;
 * so do `gone` rows, as earlier books have shown them, those of ended orders where no other row has the id.
 */
export function orderNamed(
  { rows, unread }: Pick<BookObservation, 'rows' | 'unread'>,
  gone: GoneRows = NONE_GONE,
): (fill: BrokerFill) => BrokerOrderId | null {
  let shown: RowsByExchangeId | null = null;
  let ended: RowsByExchangeId | null = null;
  return ({ exchangeOrderId, exchange }) => {
    const sought = realId(exchangeOrderId);
    if (sought === null) return null;
    shown ??= byExchangeId([...gone.ofOpen(), ...rows, ...unread.filter(isNamed)]);
    let named = shown.get(sought);
    if (named === undefined) {
      ended ??= byExchangeId(gone.ofEnded());
      named = ended.get(sought) ?? [];
    }
    const own = exchange !== null && namesExchange(exchange) ? exchangeGroup(exchange) : null;
    const groupOf = (row: NamedRow): string => exchangeGroup(exchangeOf(row.instrument));
    const traded = own === null ? named : named.filter((row) => groupOf(row) === own);
    if (new Set(traded.map(groupOf)).size !== 1) return null;
    return traded.at(-1)?.brokerOrderId ?? null;
  };
}

/** The trades of a read that name no order, and that no row explains: each may be of any order that it does not contradict. */
export function unjoinedTrades(
  unit: UnitOfWork,
  observation: Pick<BookObservation, 'broker' | 'rows' | 'unread' | 'fills'>,
  day: TradingDay,
): BrokerFill[] {
  const orderOfTrade = orderNamed(observation, goneRows(unit, observation, day));
  const fills = observation.fills ?? [];
  return fills.filter((fill) => realId(fill.brokerOrderId) === null && orderOfTrade(fill) === null);
}

function goneRows(
  unit: UnitOfWork,
  { broker, rows }: Pick<BookObservation, 'broker' | 'rows'>,
  day: TradingDay,
): GoneRows {
  const { watched, ordersOfDay, orders } = unit.state;
  const named = (gone: readonly OrderRecord[]): NamedRow[] =>
    gone.flatMap((order) => {
      const binding = bindingOf(order);
      if (binding === null) return [];
      const { brokerOrderId, exchangeOrderId } = binding;
      return [{ brokerOrderId, exchangeOrderId, instrument: order.terms.instrument }];
    });
  return {
    ofOpen() {
      const open = [...watched]
        .map((id) => unit.order(id))
        .filter((order) => order.broker === broker && lastBookDay(order) === day);
      const bare = rows.flatMap((row) => {
        if (realId(row.exchangeOrderId) !== null) return [];
        const order = orders.get(orderOfRow(unit, broker, day, row.brokerOrderId) ?? '');
        return order ? [unit.order(order.id)] : [];
      });
      return named([...withoutRow(open, rows), ...bare]);
    },
    ofEnded() {
      const ended = [...(ordersOfDay.get(day)?.values() ?? [])].filter(
        (order) => order.broker === broker && !watched.has(order.id),
      );
      return named(withoutRow(ended, rows));
    },
  };
}

/**
 * The same trade in a book of another day: that of the other day of an after-market order, or the same book while a
 * clock that was wrong dated it.
 */
function knownFromEarlier(unit: UnitOfWork, fill: FillRecord): FillRecord | undefined {
  const { terms, day } = unit.order(fill.orderId);
  const known =
    terms.amo || day !== fill.day ? unit.fillsOf(fill.orderId) : unit.otherDayFillsOf(fill.orderId);
  return known.find((each) => isSameTrade(each, fill));
}

type Figures = Pick<FillRecord, 'quantity' | 'price'>;

/** Rupees: a smaller difference is one of rounding. */
const ROUNDING = 0.01;

const isAlike = (one: Figures, other: Figures): boolean =>
  one.quantity === other.quantity && Math.abs(one.price - other.price) < ROUNDING;

/**
 * Tells of two trades under one id, once for each order and day. Either the broker has corrected the trade, or
 * it has given two trades one id: nobody can say which, so that what is recorded stays.
 */
function tellOfDifference(
  unit: UnitOfWork,
  known: FillRecord,
  trade: BrokerFill & Pick<FillRecord, 'broker' | 'day' | 'brokerOrderId'>,
): void {
  const { broker, day, brokerOrderId, fillId } = trade;
  const seen = unit.observed(broker, day, brokerOrderId);
  if (seen === undefined || seen.tradesDiffer === true) return;
  unit.putObserved({ ...seen, tradesDiffer: true });
  const figures = ({ quantity, price }: Figures): string => `${quantity} at ${price}`;
  const message =
    `the trades of ${broker} show order ${known.orderId} (${brokerOrderId}) twice under trade id ${fillId}, as ` +
    `${figures(known)} and as ${figures(trade)}: only the first counts as a fill, and the order's row tells how ` +
    "much has filled. Compare the order's trades with the broker's app";
  unit.alert('critical', known.orderId, message);
}
