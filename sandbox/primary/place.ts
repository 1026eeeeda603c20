import type { Account } from '../exchange/account.ts';
import type { OrderManagement } from '../exchange/order-management.ts';
import type { OrderTicket, Product } from '../exchange/managed-order.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument, Side } from '../exchange/instrument.ts';
import { tickOf } from '../exchange/instrument.ts';
import { orderMargin } from '../exchange/required-margin.ts';
import { refused, refusedByCode } from './refusal.ts';

export interface PrimaryParts {
  exchange: Exchange;
  account: Account;
  orders: OrderManagement;
}

type Body = Record<string, unknown>;

const products: Record<string, Product> = {
  CNC: 'delivery',
  INTRADAY: 'intraday',
  MARGIN: 'carry',
};

const rejected = (message: string): Error => refused(400, 'OrderException', message);
export const invalid = (message: string): Error => refused(400, 'InputException', message);

/** A text field; the reference sends most fields as text, clients send some as numbers. */
export function textOf(body: Body, name: string): string {
  const value = body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function required(body: Body, names: readonly string[]): void {
  const missing = names.filter((name) => textOf(body, name) === '');
  if (missing.length > 0) {
    throw refusedByCode(400, 'RequestValidationException', `${missing.join(', ')} is required`);
  }
}

export function wordOf<Word extends string>(
  body: Body,
  name: string,
  words: readonly Word[],
): Word {
  const word = words.find((one) => one === textOf(body, name));
  if (word === undefined) throw invalid(`Invalid value for ${name}`);
  return word;
}

/** A price in paise; null when absent or zero. */
export function paiseOf(body: Body, name: string): number | null {
  const text = textOf(body, name);
  if (text === '') return null;
  if (!/^\d+(\.\d+)?$/.test(text)) throw invalid(`Invalid value for ${name}`);
  return Number(text) === 0 ? null : Number(text) * 100;
}

export function quantityOf(body: Body, instrument: Instrument): number {
  const text = textOf(body, 'qty');
  if (!/^\d+$/.test(text) || Number(text) < 1) throw invalid('Invalid value for qty');
  const quantity = Number(text);
  if (quantity % instrument.lot !== 0) {
    throw rejected('The quantity is not a multiple of the lot size.');
  }
  if (quantity > instrument.freeze) {
    throw rejected('QtyWithinFreezeQty: The order quantity exceeds the freeze limit.');
  }
  return quantity;
}

/** Checks tick and band; returns the price in whole paise. */
export function limitOf(exchange: Exchange, instrument: Instrument, paise: number): number {
  const tick = tickOf(instrument, paise);
  const whole = Math.round(paise / tick) * tick;
  if (Math.abs(whole - paise) > 0.0001) {
    throw rejected('Order price must be a multiple of the tick size.');
  }
  const { lower, upper } = exchange.prices.bands(instrument, exchange.clock.now());
  if (whole < lower || whole > upper) {
    throw rejected('PriceWithinRange: The price is out of the circuit limit.');
  }
  return whole;
}

/**
 * "Converted to a LIMIT at the live price": the best price, so it fills until that level is used
 * up.
 */
export function liveLimit(exchange: Exchange, instrument: Instrument, side: Side): number {
  const now = exchange.clock.now();
  const touch = exchange.book.takeable(instrument, side, now)[0];
  return touch?.price ?? exchange.prices.last(instrument, now);
}

/** Risk management refuses at once here: no order is created. */
export function checkRisk(
  parts: PrimaryParts,
  ticket: Pick<OrderTicket, 'instrument' | 'side' | 'quantity' | 'product' | 'limit'>,
): void {
  const working = parts.orders.working();
  if (ticket.product === 'delivery' && ticket.side === 'SELL') {
    const held = parts.account.sellable(ticket.instrument, working);
    if (held < ticket.quantity) {
      throw rejected(
        `RMS: Rule: Check holdings including BTST quantity, Required: ${ticket.quantity}, Available: ${held}`,
      );
    }
    return;
  }
  const need = orderMargin(ticket, parts.account.positions());
  const { available } = parts.account.funds(working);
  if (need > available) {
    const [want, have] = [need, available].map((paise) => (paise / 100).toFixed(2));
    throw rejected(`RMS: Margin exceeds, Required: ${want}, Available: ${have}`);
  }
}

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1;

/** The instrument, side, product and size that an order body names. */
export function subjectOf(
  parts: PrimaryParts,
  body: Body,
): { instrument: Instrument; side: Side; product: Product; word: string; quantity: number } {
  required(body, [
    'txn_type',
    'exchange',
    'segment',
    'product',
    'order_type',
    'validity',
    'security_id',
    'qty',
    'algo_id',
  ]);
  const place = wordOf(body, 'exchange', ['NSE', 'BSE']);
  const segment = wordOf(body, 'segment', ['EQUITY', 'DERIVATIVE']);
  if (typeof body['algo_id'] !== 'string') throw invalid('algo_id must be a string');
  const instrument = parts.exchange.listing.bySecurity(place, segment, textOf(body, 'security_id'));
  if (!instrument) throw rejected('The instrument is not tradable.');
  const side = wordOf(body, 'txn_type', ['BUY', 'SELL']);
  const word = wordOf(body, 'product', ['CNC', 'INTRADAY', 'MARGIN']);
  const isOption = instrument.kind === 'option';
  if (isOption ? word === 'CNC' : word === 'MARGIN') {
    throw rejected('RMS: Blocked for this product.');
  }
  const quantity = quantityOf(body, instrument);
  return { instrument, side, product: products[word] ?? 'delivery', word, quantity };
}

/**
 * The ticket of `POST /order`, without its receipt. A `trigger_price` is ignored, and the order
 * fires at once (docs/spec/primary-brokerage.md).
 */
export function primaryTicket(
  parts: PrimaryParts,
  body: Body,
): Omit<OrderTicket, 'receipt' | 'placedBy' | 'lateMs'> {
  const { exchange } = parts;
  const { instrument, side, product, word, quantity } = subjectOf(parts, body);
  const orderType = wordOf(body, 'order_type', ['LIMIT', 'MARKET']);
  if (wordOf(body, 'validity', ['DAY', 'IOC']) !== 'DAY') {
    throw rejected('DayValidityAllowed: Only DAY validity is allowed.');
  }
  const afterMarket = isTrue(body['is_amo']);
  const now = exchange.clock.now();
  const { calendar } = exchange;
  const place = instrument.exchange;
  if (afterMarket ? !calendar.acceptsAfterMarket(now) : !calendar.accepts(now, place)) {
    throw rejected(
      afterMarket
        ? 'RMS: Blocked for after market orders at this time.'
        : 'RMS: Blocked for the market is closed.',
    );
  }
  const asked = paiseOf(body, 'limit_price');
  if (orderType === 'LIMIT' && asked === null) throw invalid('limit_price is required');
  const limit =
    orderType === 'MARKET' || asked === null
      ? liveLimit(exchange, instrument, side)
      : limitOf(exchange, instrument, asked);
  checkRisk(parts, { instrument, side, quantity, product, limit });
  const remarks = textOf(body, 'remarks');
  return {
    instrument,
    side,
    quantity,
    product,
    orderType,
    validity: 'DAY',
    limit,
    trigger: null,
    tag: null,
    remarks: remarks === '' ? null : remarks.slice(0, 100),
    afterMarket,
    refusal: null,
    extras: { product: word, off_mkt_flag: afterMarket ? 'true' : 'false' },
  };
}
