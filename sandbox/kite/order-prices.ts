import type { Exchange } from '../exchange/exchange.ts';
import type { Trigger } from '../exchange/exchange-order.ts';
import type { Instrument, Side } from '../exchange/instrument.ts';
import { tickOf } from '../exchange/instrument.ts';
import { priceField } from './form-fields.ts';
import { badInput, rupees } from './refusal.ts';

/** Checks tick and band; returns the price in whole paise. */
export function checkedPrice(exchange: Exchange, instrument: Instrument, paise: number): number {
  const tick = tickOf(instrument, paise);
  const whole = Math.round(paise / tick) * tick;
  if (Math.abs(whole - paise) > 0.0001) {
    throw badInput(
      `Tick size for this script is ${(tick / 100).toFixed(2)}. Kindly enter price in the multiple of tick size for this script`,
    );
  }
  const { lower, upper } = exchange.prices.bands(instrument, exchange.clock.now());
  if (whole < lower || whole > upper) {
    throw badInput(
      `Price is out of circuit limits. The range is ${rupees(lower)} to ${rupees(upper)}.`,
    );
  }
  return whole;
}

/** The worst price of an order without a price, from its market protection. */
export function protectedLimit(
  exchange: Exchange,
  instrument: Instrument,
  side: Side,
  protection: number,
  from: number,
): number {
  const share = protection === -1 ? 0.03 : protection / 100;
  const raw = from * (side === 'BUY' ? 1 + share : 1 - share);
  const tick = tickOf(instrument, raw);
  const onTick = (side === 'BUY' ? Math.floor(raw / tick) : Math.ceil(raw / tick)) * tick;
  const { lower, upper } = exchange.prices.bands(instrument, exchange.clock.now());
  return Math.min(upper, Math.max(lower, onTick));
}

export function protectionOf(form: URLSearchParams): number {
  const protection = Number(form.get('market_protection') ?? 0);
  if (protection === -1 || (protection > 0 && protection <= 100)) return protection;
  throw badInput(
    'Market orders without market protection are not allowed via API. Please set market protection.',
  );
}

export interface PricedOrder {
  limit: number;
  trigger: Trigger | null;
  extras: Record<string, unknown>;
}

/** Limit and trigger of an order of this type, checked, with the fields that its row repeats. */
export function pricesOf(
  exchange: Exchange,
  instrument: Instrument,
  side: Side,
  orderType: string,
  form: URLSearchParams,
): PricedOrder {
  const last = exchange.prices.last(instrument, exchange.clock.now());
  const stops = orderType === 'SL' || orderType === 'SL-M';
  const triggerPrice = stops ? priceField(form, 'trigger_price') : null;
  if (stops && triggerPrice === null) throw badInput('Trigger price is required for this order.');
  const at = triggerPrice === null ? null : checkedPrice(exchange, instrument, triggerPrice);
  const trigger = at === null ? null : { price: at, rises: side === 'BUY' };
  if (at !== null && (side === 'BUY' ? at <= last : at >= last)) {
    throw badInput(
      `Trigger price for stoploss ${side.toLowerCase()} orders should be ${side === 'BUY' ? 'above' : 'below'} the last traded price.`,
    );
  }
  if (orderType === 'MARKET' || orderType === 'SL-M') {
    const protection = protectionOf(form);
    const limit = protectedLimit(exchange, instrument, side, protection, at ?? last);
    return { limit, trigger, extras: { price: 0, market_protection: protection } };
  }
  const price = priceField(form, 'price');
  if (price === null) throw badInput('Price is required for limit orders.');
  const limit = checkedPrice(exchange, instrument, price);
  return { limit, trigger, extras: { price: rupees(limit), market_protection: 0 } };
}
