import { type BrokerOrder, realId } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { plainAverage, weightedAverage } from '../../domain/money.ts';
import { type FillPriceSource, isFinalRow, needsPrice, needsTrigger } from '../../domain/order.ts';
import {
  isCancelByGateway,
  isCancelWanted,
  reasonOf,
  unrecognisedSinceOf,
  type FillProgress,
  type OrderIn,
  type OrderRecord,
  type OrderState,
} from './order.ts';
import { parentExchange } from '../../domain/instrument.ts';
import { datedBy, newestRow } from './newest-row.ts';
import { type OrderSize, sizeOf } from './order-size.ts';
import type { BrokerOrderId, EpochMs, OrderId, TradingDay } from '../../units/branded.ts';

/** One execution of an order of ours. */
export interface FillRecord {
  /** Unique: broker, day, exchange, broker order, exchange fill id; see `fillKey`. */
  readonly key: string;
  readonly orderId: OrderId;
  readonly broker: BrokerId;
  readonly day: TradingDay;
  readonly exchange: string;
  readonly brokerOrderId: BrokerOrderId;
  readonly fillId: string;
  readonly quantity: number;
  /** Rupees. */
  readonly price: number;
  /** Epoch ms by the broker's clock; when the gateway read it, if the broker does not say. */
  readonly at: EpochMs;
  /** The broker named no order with it: it was joined by the exchange's id of the order. */
  readonly joined?: true;
}

type TradeName = Pick<FillRecord, 'broker' | 'day' | 'brokerOrderId' | 'fillId'> & {
  /** Null where the broker names none: then it is that of the order. */
  readonly exchange: string | null;
};

/**
 * The key of a trade of an order at `ownExchange`. One trade is written in several ways: NSE, NSE_EQ and
 * NFO are one exchange, and a numeric id may have leading zeros.
 */
export function fillKey(trade: TradeName, ownExchange: string): string {
  return keyOf(trade, exchangeGroup(trade.exchange ?? ownExchange), plainId(trade.fillId));
}

const plainId = (fillId: string): string => fillId.replace(/^0+(?=\d+$)/, '');

/** Whether two fills of an order are one trade, in books of whatever days. */
export function isSameTrade(one: FillRecord, other: FillRecord): boolean {
  const isOneExchange = exchangeGroup(one.exchange) === exchangeGroup(other.exchange);
  return isOneExchange && plainId(one.fillId) === plainId(other.fillId);
}

/** The key as journals have it that were written before: exchange and id as the broker wrote them. */
export function writtenFillKey(trade: TradeName, ownExchange: string): string {
  return keyOf(trade, trade.exchange ?? ownExchange, trade.fillId);
}

const keyOf = ({ broker, day, brokerOrderId }: TradeName, exchange: string, id: string): string =>
  `${broker}|${day}|${exchange}|${brokerOrderId}|${id}`;

/** The exchange that takes the orders of an exchange or segment, however a broker writes it. */
export function exchangeGroup(exchange: string): string {
  return parentExchange(NAMED_EXCHANGE.exec(exchange)?.[0] ?? exchange);
}

/** Whether a broker's word for an exchange is one that tells which it is. */
export const namesExchange = (exchange: string): boolean => NAMED_EXCHANGE.test(exchange);

const NAMED_EXCHANGE = /^(?:NSE|NFO|BSE|BFO|MCX|CDS|BCD)/;

interface ReductionOptions {
  /** Reads agree about the row: it is believed though it takes back an end, or is older (docs/orders.md, "Watching"). */
  readonly isBelieved?: boolean | undefined;
  /** Reads lack it, so that the last one tells only the least that has filled. */
  readonly rowIsOld?: boolean | undefined;
  /** The quantities that it was asked to have; see `sizeOf`. */
  readonly asked?: readonly number[] | undefined;
}

/** An order that a row of a book belongs to. */
export type OrderAtBroker = OrderIn<'working' | 'filled' | 'partial' | 'cancelled' | 'rejected'>;
type KindAtBroker = OrderAtBroker['state']['kind'];

/**
 * What an order is, given what its broker last said and all fills known of it. Pure, and the same
 * whatever the order in which observations come, however late and however often
 * (docs/spec/derived-fills.md, docs/spec/statuses.md).
 */
export function reduceOrder(
  order: OrderAtBroker,
  shown: BrokerOrder | null,
  fills: readonly FillRecord[],
  at: EpochMs,
  { isBelieved = false, rowIsOld = false, asked = [] }: ReductionOptions = {},
): OrderRecord {
  const { binding, fill, kind: before } = order.state;
  const row = shown && datedBy(shown, at);
  const newest = isBelieved ? row : newestRow(binding.row && datedBy(binding.row, at), row);
  const traded = quantityOf(fills);
  // Fills reported by a stale row still count.
  const seen = Math.max(traded, row?.filledQuantity ?? 0, newest?.filledQuantity ?? 0);
  const told = fill.filledQuantity ?? fill.atLeast ?? 0;
  const isTold = told > 0 || (row?.filledQuantity ?? 0) > 0;
  const size = sizeOf(order.terms.quantity, newest, { seen, told, asked });
  const filled = filledQuantity(newest, size, { isTold, rowIsOld });
  const some = seen > 0 || told > 0 || before === 'partial';
  const kind = newest
    ? kindOf(newest, filled, some, size)
    : kindWithoutRow(before, traded, Math.max(size.total, ...asked));
  // Nothing is estimated while the order works: its next row may tell.
  const reference = kind === 'working' ? null : (newest?.price ?? order.terms.price);
  const progress = {
    filledQuantity: filled,
    ...(filled === null && told > 0 ? { atLeast: told } : {}),
    ...averagePrice(newest, fills, filled, reference),
  };
  const bound = {
    ...binding,
    row: newest,
    exchangeOrderId: realId(newest?.exchangeOrderId) ?? binding.exchangeOrderId,
  };
  return {
    ...order,
    terms: newest ? termsAtBroker(order, newest, size.total) : order.terms,
    state: stateOf(order, kind, bound, progress, at),
  };
}

function stateOf(
  order: OrderAtBroker,
  kind: KindAtBroker,
  binding: OrderAtBroker['state']['binding'],
  fill: FillProgress,
  at: EpochMs,
): OrderState {
  switch (kind) {
    case 'working': {
      const isUnknown = binding.row?.status === 'unrecognised';
      return {
        kind,
        binding,
        fill,
        cancelWanted: isCancelWanted(order),
        ...(isCancelByGateway(order) ? { cancelByGateway: true } : {}),
        unrecognisedSince: isUnknown ? (unrecognisedSinceOf(order) ?? at) : null,
      };
    }
    case 'filled':
      return { kind, binding, fill };
    default: {
      const known = order.state.kind === kind ? reasonOf(order) : null;
      return { kind, binding, fill, reason: binding.row?.reason ?? known };
    }
  }
}

/**
 * Null while unknown. Without a figure in the row, or with one that is old, what is known is a lower
 * bound: it stands while the order works, and says nothing of how much an order that has ended filled in
 * all. `isTold`: a row has told of fills, or a caller was.
 */
function filledQuantity(
  row: BrokerOrder | null,
  { least, total }: OrderSize,
  { isTold, rowIsOld }: { readonly isTold: boolean; readonly rowIsOld: boolean },
): number | null {
  const unknown = row === null || row.filledQuantity === null || rowIsOld;
  if (!unknown || least >= total) return least;
  const ended = row !== null && isFinalRow(row.status) && row.status !== 'filled';
  const isKnown = rowIsOld ? least > 0 : isTold;
  return isKnown && !ended ? least : null;
}

/**
 * Quantities overrule the status, but for a quantity that is in doubt: then the row's status stands. What
 * was filled by its trades works again when a row shows that it had been made larger: the rest may still
 * fill. `some`: something is known to have filled.
 */
function kindOf(
  row: BrokerOrder,
  filled: number | null,
  some: boolean,
  { total, isDoubtful }: OrderSize,
): KindAtBroker {
  const isWhole = filled !== null && filled >= total && total > 0;
  if (isWhole && (!isDoubtful || row.status === 'filled')) return 'filled';
  switch (row.status) {
    case 'working':
    case 'unrecognised':
      return 'working';
    case 'filled':
      // The row says whole, the quantities do not (yet): still to be read, never guessed.
      return 'working';
    case 'partial':
      return 'partial';
    case 'cancelled':
    case 'rejected':
      return some || (filled !== null && filled > 0) ? 'partial' : row.status;
  }
}

/**
 * Without any row, trades that make up the largest quantity that the order may have leave nothing open. Fewer than that
 * end nothing.
 */
const kindWithoutRow = (before: KindAtBroker, traded: number, most: number): KindAtBroker =>
  before === 'working' && most > 0 && traded >= most ? 'filled' : before;

/** The price follows the broker's row, as the quantity does: a modification, ours or by hand, shows there. */
function termsAtBroker(
  order: OrderRecord,
  row: BrokerOrder,
  quantity: number,
): OrderRecord['terms'] {
  const { terms } = order;
  const priced = needsPrice(terms.orderType);
  const triggered = needsTrigger(terms.orderType);
  return {
    ...terms,
    quantity,
    price: priced && row.price ? row.price : terms.price,
    triggerPrice: triggered && row.triggerPrice ? row.triggerPrice : terms.triggerPrice,
  };
}

/**
 * The first of the five steps that applies (docs/spec/derived-fills.md). Trades that name their order
 * come before the row, those that were joined to it by the exchange's id alone after it. `reference`
 * is the price that the order was sent at or asked for, where an estimate may be given.
 */
function averagePrice(
  row: BrokerOrder | null,
  fills: readonly FillRecord[],
  filled: number | null,
  reference: number | null,
): { averagePrice: number | null; fillPriceSource: FillPriceSource | null } {
  const own = fills.filter((fill) => fill.joined !== true);
  const joined = fills.filter((fill) => fill.joined === true);
  if (own.length > 0 && quantityOf(own) === filled) {
    return { averagePrice: weightedAverage(own), fillPriceSource: 'trades' };
  }
  if (row?.averagePrice && (filled === null || filled > 0)) {
    return { averagePrice: row.averagePrice, fillPriceSource: 'order_row' };
  }
  if (joined.length > 0)
    return { averagePrice: weightedAverage(joined), fillPriceSource: 'trade_book' };
  if (own.length > 0) {
    return {
      averagePrice: plainAverage(own.map(({ price }) => price)),
      fillPriceSource: 'average',
    };
  }
  if (reference !== null && filled !== null && filled > 0) {
    return { averagePrice: reference, fillPriceSource: 'estimate' };
  }
  return { averagePrice: null, fillPriceSource: null };
}

export function quantityOf(fills: readonly FillRecord[]): number {
  return fills.reduce((sum, fill) => sum + fill.quantity, 0);
}
