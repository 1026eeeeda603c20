import type { Account } from '../exchange/account.ts';
import type { OrderManagement } from '../exchange/order-management.ts';
import type { OrderTicket, Product } from '../exchange/managed-order.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument, Side } from '../exchange/instrument.ts';
import { orderMargin } from '../exchange/required-margin.ts';
import type { RmsRejects } from '../kernel/settings.ts';
import { oneOf, wholeNumber } from './form-fields.ts';
import { pricesOf } from './order-prices.ts';
import { KiteRefusal, badInput } from './refusal.ts';
import { VARIETIES, icebergOf, minutesToLive, varietyExtras } from './variety-fields.ts';

export interface KiteParts {
  exchange: Exchange;
  account: Account;
  orders: OrderManagement;
}

const products: Record<string, Product> = {
  CNC: 'delivery',
  MIS: 'intraday',
  NRML: 'carry',
  MTF: 'delivery',
};

export function checkQuantity(instrument: Instrument, quantity: number): void {
  if (quantity % instrument.lot !== 0) {
    throw badInput(`Quantity should be a multiple of the lot size ${instrument.lot}.`);
  }
  if (quantity > instrument.freeze) {
    throw badInput(`Order quantity exceeds the freeze quantity of ${instrument.freeze}.`);
  }
}

/** The refusal of risk management after the acknowledgement; null when it accepts the order. */
export function riskRefusal(
  parts: KiteParts,
  ticket: Pick<OrderTicket, 'instrument' | 'side' | 'quantity' | 'product' | 'limit'>,
): { message: string; raw: string; kind: 'MarginException' | 'HoldingException' } | null {
  const working = parts.orders.working();
  if (ticket.product === 'delivery' && ticket.side === 'SELL') {
    const held = parts.account.sellable(ticket.instrument, working);
    if (held >= ticket.quantity) return null;
    return {
      kind: 'HoldingException',
      message: `Insufficient holding quantity. You have ${Math.max(0, held)} shares to sell.`,
      raw: `RMS:Rule: Check holdings including BTST quantity,Required:${ticket.quantity}, Available:${held}`,
    };
  }
  const required = orderMargin(ticket, parts.account.positions());
  const { available } = parts.account.funds(working);
  if (required <= available) return null;
  const [need, have] = [required, available].map((paise) => (paise / 100).toFixed(2));
  return {
    kind: 'MarginException',
    message: `Insufficient funds. Required margin is ${need} but available margin is ${have}. Check the orderbook for open orders.`,
    raw: `RMS:Margin Exceeds,Required:${need}, Available:${have} for entity account-sandbox across exchange across segment across product `,
  };
}

/** The instrument, side, size and product of an order form, checked. */
export function sizeOf(
  exchange: Exchange,
  form: URLSearchParams,
): { instrument: Instrument; side: Side; quantity: number; product: Product; word: string } {
  const place = oneOf(form, 'exchange', ['NSE', 'BSE', 'NFO']);
  const instrument = exchange.listing.byKey(`${place}:${form.get('tradingsymbol') ?? ''}`);
  if (!instrument || instrument.kind === 'index') {
    throw badInput(
      'The instrument you are placing an order for has either expired or does not exist.',
    );
  }
  const side = oneOf(form, 'transaction_type', ['BUY', 'SELL']);
  const quantity = wholeNumber(form, 'quantity');
  checkQuantity(instrument, quantity);
  const word = oneOf(form, 'product', ['CNC', 'MIS', 'NRML', 'MTF']);
  const isOption = instrument.kind === 'option';
  if (isOption ? word === 'CNC' || word === 'MTF' : word === 'NRML') {
    throw badInput(`Product \`${word}\` is not allowed for this instrument.`);
  }
  return { instrument, side, quantity, product: products[word] ?? 'delivery', word };
}

/** The ticket of `POST /orders/{variety}`, without its receipt. */
export function kiteTicket(
  parts: KiteParts,
  variety: string,
  form: URLSearchParams,
  rmsRejects: RmsRejects,
): Omit<OrderTicket, 'receipt' | 'placedBy' | 'lateMs'> & {
  refusal: ReturnType<typeof riskRefusal>;
} {
  const { exchange } = parts;
  const now = exchange.clock.now();
  if (!VARIETIES.includes(variety)) {
    throw badInput(`The sandbox does not offer the variety \`${variety}\`.`);
  }
  const tag = form.get('tag');
  if (tag !== null && !/^[A-Za-z0-9]{0,20}$/.test(tag)) {
    throw badInput('Invalid `tag`. It should be alphanumeric and at most 20 characters.');
  }
  const { instrument, side, quantity, product, word: productWord } = sizeOf(exchange, form);
  const orderType = oneOf(form, 'order_type', ['MARKET', 'LIMIT', 'SL', 'SL-M']);
  const word = oneOf(form, 'validity', ['DAY', 'IOC', 'TTL'], 'DAY');
  const minutes = minutesToLive(form);
  const priced = pricesOf(exchange, instrument, side, orderType, form);
  const afterMarket = variety === 'amo';
  const { calendar } = exchange;
  const place = instrument.exchange;
  if (afterMarket ? !calendar.acceptsAfterMarket(now) : !calendar.accepts(now, place)) {
    throw badInput(
      afterMarket
        ? 'After market orders are not accepted now.'
        : 'Markets are closed right now. Use AMO or GTT for placing orders instead.',
    );
  }
  const risk = riskRefusal(parts, { instrument, side, quantity, product, limit: priced.limit });
  if (risk && rmsRejects === 'answer') throw new KiteRefusal(400, risk.kind, risk.message);
  const extras = varietyExtras(exchange, instrument, variety, side, form);
  return {
    instrument,
    side,
    // The legs of an iceberg are placed one after the other.
    quantity: icebergOf(extras)?.leg_quantity ?? quantity,
    product,
    orderType,
    validity: word === 'IOC' ? 'IOC' : 'DAY',
    limit: priced.limit,
    trigger: priced.trigger,
    tag: tag === '' ? null : tag,
    remarks: null,
    afterMarket,
    refusal: risk,
    extras: {
      ...priced.extras,
      variety,
      product: productWord,
      disclosed_quantity: Number(form.get('disclosed_quantity') ?? 0),
      ...(minutes === null ? {} : { validity: 'TTL', validity_ttl: minutes }),
      ...extras,
    },
  };
}
