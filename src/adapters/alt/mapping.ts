import {
  type BrokerFill,
  type BrokerOrder,
  realId,
  type UnreadRow,
} from '../../domain/broker-order.ts';
import { parseIstWallTime } from '../../domain/ist.ts';
import { fieldOf } from '../../platform/values.ts';
import { isTooLong, LONGEST_NUMBER, LONGEST_TAG, MOST_TAGS } from '../kit/row-texts.ts';
import { instrumentOfRow, plainWord, rowInstrument, rowSide } from '../kit/row-words.ts';
import { icebergLeg } from './iceberg.ts';
import type { OrderRow, TradeRow } from './schemas.ts';
import { classOfText } from './errors.ts';
import { rowStatus } from './status.ts';
import { isFinalRow, type RowStatus } from '../../domain/order.ts';
import { earlier, type EpochMs } from '../../units/branded.ts';

/** Rows of orders and trades (docs/spec/kite-payloads.md), from the reply's own text. */
export function toBrokerOrder(row: OrderRow): BrokerOrder {
  const filled = filledQuantity(row);
  const orderAt = wallTime(row.order_timestamp);
  const exchangeAt = wallTime(row.exchange_timestamp);
  const status = rowStatus(row.status, filled);
  const iceberg = icebergLeg(row.variety, row.meta);
  const reason = row.status_message || row.status_message_raw || null;
  return {
    brokerOrderId: row.order_id,
    exchangeOrderId: row.exchange_order_id,
    instrument: instrumentOfRow(row.exchange, row.tradingsymbol),
    side: row.transaction_type,
    quantity: row.quantity,
    filledQuantity: filled,
    ...mostLeftField(row, status, filled),
    averagePrice: positive(row.average_price),
    orderType: plainWord(row.order_type),
    product: toProduct(row.product),
    validity: plainWord(row.validity),
    price: positive(row.price),
    triggerPrice: positive(row.trigger_price),
    status,
    rawStatus: row.status,
    reason,
    ...(status === 'rejected' ? { rejection: classOfText(reason ?? '') } : {}),
    tags: tagsOf(row),
    ...(iceberg === undefined ? {} : { iceberg }),
    ...timesOf(orderAt, exchangeAt, wallTime(row.exchange_update_timestamp)),
  };
}

/** Null, never a guess, where the row has no quantity or contradicts itself: the trades decide. */
function filledQuantity(row: OrderRow): number | null {
  const filled = row.filled_quantity;
  if (typeof filled !== 'number' || !Number.isInteger(filled)) return null;
  if (filled < 0 || filled > row.quantity) return null;
  const complete = row.status.trim().toUpperCase() === 'COMPLETE';
  return complete && filled < row.quantity ? null : filled;
}

/**
 * What an open order may still fill at most, where its row contradicts itself. An order of nothing does not rest, and
 * of what is pending no more than what is left of the quantity can be: of two figures the larger one counts.
 */
function mostLeftField(
  row: OrderRow,
  status: RowStatus,
  filled: number | null,
): Pick<BrokerOrder, 'mostLeft'> {
  if (isFinalRow(status)) return {};
  const pending = wholeNumber(row.pending_quantity);
  if (pending !== null && pending > row.quantity - (filled ?? 0)) return { mostLeft: pending };
  return row.quantity === 0 ? { mostLeft: null } : {};
}

function tagsOf({ tag, tags }: Pick<OrderRow, 'tag' | 'tags'>): readonly string[] {
  const written = [tag ?? '', ...(tags ?? [])].map((each) => each.trim());
  return [...new Set(written.filter((each) => each !== ''))];
}

/** What can be read of a row that is no whole row. */
export function restOfRow(row: unknown): Omit<UnreadRow, 'reason'> {
  const text = (name: string, most?: number): string | null => {
    const value = fieldOf(row, name);
    if (typeof value !== 'string' || isTooLong(value, most)) return null;
    return value.trim() || null;
  };
  const [exchange, symbol] = [text('exchange'), text('tradingsymbol')];
  const tags = fieldOf(row, 'tags');
  const [product, status] = [text('product'), text('status')];
  // The row of an iceberg has the quantity of one leg: nobody knows how much more follows.
  const isIceberg = text('variety')?.toLowerCase() === 'iceberg';
  return {
    brokerOrderId: realId(text('order_id')),
    exchangeOrderId: realId(text('exchange_order_id')),
    instrument: rowInstrument(exchange, symbol),
    side: rowSide(text('transaction_type')),
    quantity: isIceberg ? null : wholeNumber(fieldOf(row, 'quantity')),
    ...(product === null ? {} : { product: toProduct(product) }),
    ...(status === null ? {} : { status: rowStatus(status, null) }),
    ...timingOf(row),
    tags: tagsOf({
      tag: text('tag', LONGEST_TAG),
      tags: Array.isArray(tags) ? tags.slice(0, MOST_TAGS).filter(isTag) : [],
    }),
  };
}

/** Nothing where any part of it is there and cannot be read. */
function timingOf(row: unknown): Pick<UnreadRow, 'timing'> {
  const given = (name: string): unknown => fieldOf(row, name) ?? null;
  const times = ['order_timestamp', 'exchange_timestamp', 'exchange_update_timestamp'].map(given);
  const [validity, triggerPrice] = [given('validity'), given('trigger_price') ?? 0];
  if (typeof validity !== 'string' || isTooLong(validity)) return {};
  if (typeof triggerPrice !== 'number') return {};
  const isTime = (time: unknown): time is string | null =>
    time === null || (typeof time === 'string' && (time === '' || wallTime(time) !== null));
  if (!times.every(isTime)) return {};
  const [orderAt, exchangeAt, changedAt] = times.map(wallTime);
  const all = timesOf(orderAt ?? null, exchangeAt ?? null, changedAt ?? null);
  return { timing: { ...all, validity, triggerPrice: positive(triggerPrice) } };
}

/** A change or a cancel moves the first of them on, and leaves the second. */
const timesOf = (
  orderAt: EpochMs | null,
  exchangeAt: EpochMs | null,
  changedAt: EpochMs | null,
): Pick<BrokerOrder, 'createdAt' | 'updatedAt'> => ({
  createdAt: orderAt !== null && exchangeAt !== null ? earlier(orderAt, exchangeAt) : orderAt,
  updatedAt: changedAt ?? exchangeAt ?? orderAt,
});

const isTag = (value: unknown): value is string =>
  typeof value === 'string' && !isTooLong(value, LONGEST_TAG);

/** A whole number above 0, also one that is written as text; null for anything else. */
function wholeNumber(value: unknown): number | null {
  if (isTooLong(value, LONGEST_NUMBER)) return null;
  const read = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof read === 'number' && Number.isSafeInteger(read) && read > 0 ? read : null;
}

export function toBrokerFill(row: TradeRow): BrokerFill {
  const exchange = plainWord(row.exchange ?? '');
  const instrument = rowInstrument(exchange, row.tradingsymbol);
  const side = rowSide(row.transaction_type);
  return {
    fillId: row.trade_id,
    brokerOrderId: row.order_id,
    exchangeOrderId: row.exchange_order_id,
    exchange: exchange || null,
    ...(instrument === null ? {} : { instrument }),
    ...(side === null ? {} : { side }),
    quantity: row.quantity,
    price: row.average_price,
    at: wallTime(row.fill_timestamp) ?? wallTime(row.exchange_timestamp),
  };
}

/** Products that the gateway does not know pass through, in capitals. */
export function toProduct(given: string): string {
  const product = plainWord(given);
  if (product === 'MIS') return 'INTRADAY';
  if (product === 'NRML') return 'MARGIN';
  return product;
}

/** The broker writes 0 where there is no price. */
export function positive(value: number | null | undefined): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}

/** IST wall time to epoch ms. The SDK would read it in the host's time zone. */
export function wallTime(text: string | null | undefined): EpochMs | null {
  return text ? parseIstWallTime(text) : null;
}
