import { z } from 'zod';
import { realId } from '../../domain/broker-order.ts';
import { parseIstWallTime } from '../../domain/ist.ts';
import { beginningOf, isTooLong, LONGEST_NUMBER, LONGEST_TAG, statusOf } from '../kit/row-texts.ts';
import { type BrokerOrderId, epochMs, type EpochMs } from '../../units/branded.ts';

/**
 * Rows are read tolerantly: every field may be absent, null, a number or a string, under its
 * present name or an older one. The mapping decides which fields a row must have.
 */
export type Row = Record<string, unknown>;

/** A number of a row: null when the row has none, `unreadable` when it is not a number. */
export type NumberReading = number | null | 'unreadable';

/**
 * Texts without which a row could be that of another instrument, order or trade: where one of them is too
 * long, the row cannot be read whole. Those that name the instrument come first.
 */
const NAMING_TEXTS = [
  ...['exchange', 'exch', 'exchange_segment', 'segment'],
  ...['security_id', 'symbol', 'trading_symbol', 'scrip_code'],
];
const EXCHANGE_IDS = ['exch_order_id', 'exchange_order_id'];
const PRODUCT_TEXTS = ['product', 'product_type'];
const ORDER_TEXTS = [...NAMING_TEXTS, ...EXCHANGE_IDS, ...PRODUCT_TEXTS, 'order_type', 'validity'];
const FILL_TEXTS = [...NAMING_TEXTS, ...EXCHANGE_IDS, 'order_id'];
const HOLDING_TEXTS = [...NAMING_TEXTS, 'isin'];
const POSITION_TEXTS = [...HOLDING_TEXTS, ...PRODUCT_TEXTS];

/** Whether the instrument of a row is known all the same, given which of its texts is too long. */
export const namesInstrument = ({ tooLong }: { readonly tooLong: string | null }): boolean =>
  tooLong === null || !NAMING_TEXTS.includes(tooLong);

/** The row is not copied: books are read all day, and the transforms below pick their fields. */
const row = z.custom<Row>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const orderRow = row.transform((fields) => ({
  tooLong: tooLong(fields, ORDER_TEXTS) ?? tooLong(fields, ['remarks'], LONGEST_TAG),
  hasId: first(fields, 'id', 'order_id') !== undefined,
  id: orderId(fields, 'id', 'order_id'),
  exchangeOrderId: realId(text(fields, 'exch_order_id', 'exchange_order_id')),
  side: text(fields, 'txn_type', 'transaction_type', 'side'),
  securityId: securityId(fields),
  exchange: exchange(fields),
  segment: text(fields, 'segment'),
  product: text(fields, 'product', 'product_type'),
  orderType: text(fields, 'order_type'),
  validity: text(fields, 'validity'),
  requested: quantity(fields, 'requested_qty', 'quantity', 'qty'),
  traded: quantity(fields, 'traded_qty', 'filled_qty', 'filled_quantity'),
  price: price(fields, 'requested_price', 'limit_price', 'price'),
  averagePrice: price(fields, 'traded_price', 'average_price', 'avg_price'),
  triggerPrice: price(fields, 'sl_trigger_price', 'trigger_price', 'tgt_trigger_price'),
  stopLoss: {
    trigger: price(fields, 'sl_trigger_price'),
    limit: price(fields, 'sl_limit_price'),
  },
  target: {
    trigger: price(fields, 'tgt_trigger_price'),
    limit: price(fields, 'tgt_limit_price'),
  },
  status: words(fields, statusOf, 'status', 'order_status'),
  reason: words(fields, beginningOf, 'extra_info'),
  isin: text(fields, 'isin'),
  userId: text(fields, 'user_id'),
  marketType: text(fields, 'mkt_type'),
  offMarket: flag(fields.off_mkt_flag),
  remarks: words(fields, (given) => (isTooLong(given, LONGEST_TAG) ? '' : given), 'remarks'),
  createdAt: instant(fields, 'created_at'),
  updatedAt: instant(fields, 'updated_at'),
  isTimed: isTimed(fields),
}));
export type OrderRow = z.infer<typeof orderRow>;

export const fillRow = row.transform((fields) => ({
  tooLong: tooLong(fields, FILL_TEXTS),
  fillId: realId(text(fields, 'fill_id', 'exchange_trade_id', 'trade_id')),
  exchangeOrderId: realId(text(fields, 'exch_order_id', 'exchange_order_id')),
  brokerOrderId: orderId(fields, 'order_id'),
  exchange: exchange(fields) ?? scripExchange(text(fields, 'scrip_code')),
  quantity: quantity(fields, 'quantity', 'qty', 'traded_qty'),
  price: price(fields, 'price', 'traded_price'),
  at: instant(fields, 'trade_date', 'trade_timestamp'),
}));

export const positionRow = row.transform((fields) => ({
  tooLong: tooLong(fields, POSITION_TEXTS),
  securityId: securityId(fields),
  symbol: text(fields, 'symbol', 'trading_symbol'),
  exchange: exchange(fields),
  segment: text(fields, 'segment') ?? segmentInCode(fields),
  product: text(fields, 'product', 'product_type'),
  netQuantity: netQuantity(fields),
  averagePrice: figure(fields, 'avg_price', 'average_price'),
  buyQuantity: figure(fields, 'buy_qty'),
  sellQuantity: figure(fields, 'sell_qty'),
  realisedPnl: figure(fields, 'realized_profit'),
  lastPrice: price(fields, 'last_traded_price'),
}));
export type PositionRow = z.infer<typeof positionRow>;

export const holdingRow = row.transform((fields) => ({
  tooLong: tooLong(fields, HOLDING_TEXTS),
  securityId: securityId(fields),
  symbol: text(fields, 'symbol', 'trading_symbol'),
  exchange: exchange(fields),
  isin: text(fields, 'isin'),
  totalQuantity: quantity(fields, 'total_qty', 'quantity'),
  usedQuantity: quantity(fields, 'used_qty', 'used_quantity'),
  t1Quantity: quantity(fields, 't1_qty', 't1_quantity'),
  averagePrice: price(fields, 'avg_price', 'average_price'),
  lastPrice: price(fields, 'last_traded_price'),
}));
export type HoldingRow = z.infer<typeof holdingRow>;

export const fundsData = z.object({ detailed_avl_balance: row }).transform((funds) => ({
  cnc: number(funds.detailed_avl_balance.eq_cnc),
  intraday: number(funds.detailed_avl_balance.eq_mis),
  marginTrading: number(funds.detailed_avl_balance.eq_mtf),
  future: number(funds.detailed_avl_balance.future),
  optionBuy: number(funds.detailed_avl_balance.option_buy),
  optionSell: number(funds.detailed_avl_balance.option_sell),
  commodityOptionBuy: number(funds.detailed_avl_balance.comm_option_buy),
}));

export const profileData = row.transform((fields) => ({
  accountId: text(fields, 'user_id'),
  userId: text(fields, 'user_id', 'client_id', 'ucc'),
  names: [text(fields, 'first_name'), text(fields, 'last_name')],
  name: text(fields, 'name'),
  email: text(fields, 'email'),
}));

export const quoteRow = row.transform((fields) => ({
  lastPrice: price(fields, 'live_price', 'ltp', 'last_price'),
  open: price(fields, 'day_open'),
  high: price(fields, 'day_high'),
  low: price(fields, 'day_low'),
  previousClose: price(fields, 'prev_close'),
  change: number(fields.day_change),
  changePercent: number(fields.day_change_percentage),
  volume: number(fields.volume),
  bid: price(fields, 'best_bid_price'),
  ask: price(fields, 'best_ask_price'),
  upperCircuit: price(fields, 'upper_circuit'),
  lowerCircuit: price(fields, 'lower_circuit'),
  yearHigh: price(fields, '52week_high'),
  yearLow: price(fields, '52week_low'),
  depth: fields.market_depth,
}));

/** A finite number, also from a string with thousands separators; null for anything else. */
export function number(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || isTooLong(value, LONGEST_NUMBER)) return null;
  const plain = value.replaceAll(',', '').trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? number(Number(plain)) : null;
}

/** The value of the first of these names that the row has. */
function first(fields: Row, ...names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => (value ?? '') !== '');
}

/**
 * An integer beyond what JSON numbers hold exactly is not returned: its last digits are lost, and
 * an id that is nearly right is that of another order. Neither is a text that is too long.
 */
export function text(fields: Row, ...names: readonly string[]): string | null {
  return words(fields, (given) => (isTooLong(given) ? '' : given), ...names);
}

/** As `text`, for a text of any length, of which `short` makes one that can be kept. */
function words(
  fields: Row,
  short: (given: string) => string,
  ...names: readonly string[]
): string | null {
  const value = first(fields, ...names);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  return short(value).trim() || null;
}

/** The first of these fields whose text is too long; null where there is none. */
function tooLong(fields: Row, names: readonly string[], most?: number): string | null {
  return names.find((name) => isTooLong(fields[name], most)) ?? null;
}

/** `DRV-28131451`, say: the forms are not documented (docs/spec/primary-brokerage.md). */
const ORDER_ID = /^(?=.*[1-9])[A-Z0-9][A-Z0-9_-]{0,63}$/i;

/** An order's id; null where it cannot be one: the word `null`, `-1`, or what would change a path. */
export function orderId(fields: Row, ...names: readonly string[]): BrokerOrderId | null {
  const value = text(fields, ...names);
  return value !== null && ORDER_ID.test(value) ? value : null;
}

/** The instrument lists write it without zeros before it: with them, no list would have the instrument. */
function securityId(fields: Row): string | null {
  return text(fields, 'security_id')?.replace(/^0+(?=\d+$)/, '') ?? null;
}

function quantity(fields: Row, ...names: readonly string[]): NumberReading {
  const value = first(fields, ...names);
  if (value === undefined) return null;
  const read = number(value);
  return read !== null && Number.isSafeInteger(read) && read >= 0 ? read : 'unreadable';
}

/** A price in rupees, above 0: brokers write 0 where there is none. */
export function price(fields: Row, ...names: readonly string[]): number | null {
  const read = number(first(fields, ...names));
  return read !== null && read > 0 ? read : null;
}

/** A number; null counts as 0. Null only when the row lacks the field. */
function figure(fields: Row, ...names: readonly string[]): NumberReading {
  if (names.every((name) => fields[name] === undefined)) return null;
  const value = first(fields, ...names);
  return value === undefined ? 0 : (number(value) ?? 'unreadable');
}

/**
 * The quantity of a position. Null counts as 0, as the documentation has it, unless what the row has bought and sold
 * says otherwise: then nobody knows it.
 */
function netQuantity(fields: Row): NumberReading {
  const read = figure(fields, 'net_qty', 'net_quantity');
  if (read !== 0 || first(fields, 'net_qty', 'net_quantity') !== undefined) return read;
  const of = (name: string): number => Number(first(fields, name) ?? 0);
  const isWhole = ['buy_qty', 'sell_qty'].some((name) => first(fields, name) !== undefined);
  const sums = isWhole ? [''] : ['day_', 'cf_'];
  const net = sums.reduce((sum, name) => sum + of(`${name}buy_qty`) - of(`${name}sell_qty`), 0);
  return net === 0 ? 0 : 'unreadable';
}

/** Written as text; null for anything that is neither. */
function flag(value: unknown): boolean | null {
  const word = String(value ?? '').toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : null;
}

/** `exchange`, or the older `exchange_segment` such as `NSE_EQ`. */
function exchange(fields: Row): string | null {
  const own = text(fields, 'exchange', 'exch') ?? text(fields, 'exchange_segment')?.split('_')[0];
  return own?.toUpperCase() ?? null;
}

/** The segment that the older `exchange_segment` tells, such as `NSE_EQ` and `NSE_FNO`; null for another code. */
function segmentInCode(fields: Row): string | null {
  const code = text(fields, 'exchange_segment')?.toUpperCase() ?? '';
  if (code.endsWith('_EQ')) return 'EQUITY';
  return /_(FN?O|DERIVATIVE)$/.test(code) ? 'DERIVATIVE' : null;
}

/** The instant of an ISO 8601 time; without a zone it is Indian time. */
function instant(fields: Row, ...names: readonly string[]): EpochMs | null {
  const value = text(fields, ...names);
  if (value === null) return null;
  const at = /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? Date.parse(value) : parseIstWallTime(value);
  return at === null || Number.isNaN(at) ? null : epochMs(at);
}

/** Whether the times of an order and its triggers are absent or can be read: null is not always "none". */
function isTimed(fields: Row): boolean {
  const isRead = (name: string, read: (fields: Row, name: string) => unknown): boolean =>
    first(fields, name) === undefined || read(fields, name) !== null;
  const isNumber = (of: Row, name: string): number | null => number(first(of, name));
  return (
    ['created_at', 'updated_at'].every((name) => isRead(name, instant)) &&
    ['sl_trigger_price', 'trigger_price', 'tgt_trigger_price'].every((name) =>
      isRead(name, isNumber),
    )
  );
}

function scripExchange(code: string | null): string | null {
  return /^([A-Z]{2,8})_/i.exec(code ?? '')?.[1]?.toUpperCase() ?? null;
}
