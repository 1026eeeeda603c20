import type { Instrument } from '../../domain/instrument.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import { refused, type Outcome } from '../../domain/outcome.ts';
import type { Quote } from '../../domain/quote.ts';
import { decimal } from '../../domain/money.ts';

/**
 * Checks an order without regard to the account: shape, lot, freeze quantity, tick, and circuit
 * limits where the quote has them (docs/spec/paper.md). Null when the order passes.
 */
export function termsRefusal(
  terms: OrderTerms,
  instrument: Instrument,
  quote: Quote | null,
): Outcome | null {
  return quantityRefusal(terms, instrument) ?? pricesRefusal(terms, instrument, quote);
}

function quantityRefusal(terms: OrderTerms, instrument: Instrument): Outcome | null {
  const { quantity } = terms;
  if (instrument.segment === 'INDEX') {
    return refused('other', `${instrument.name} is an index, which cannot be traded`);
  }
  if (!Number.isSafeInteger(quantity) || quantity <= 0) {
    return refused('other', `the quantity must be a whole number above 0, not ${quantity}`);
  }
  if (quantity % instrument.lotSize !== 0) {
    return refused(
      'other',
      `${instrument.name} trades in lots of ${instrument.lotSize}: ${quantity} is not a multiple`,
    );
  }
  if (instrument.freezeQuantity !== null && quantity > instrument.freezeQuantity) {
    return refused(
      'other',
      `one order for ${instrument.name} is at most ${instrument.freezeQuantity}, not ${quantity}`,
    );
  }
  return null;
}

function pricesRefusal(
  terms: OrderTerms,
  instrument: Instrument,
  quote: Quote | null,
): Outcome | null {
  const { side, orderType } = terms;
  const price = needsPrice(orderType) ? terms.price : null;
  const trigger = needsTrigger(orderType) ? terms.triggerPrice : null;
  if (needsPrice(orderType) && price === null) {
    return refused('price', `price is required for a ${orderType} order`);
  }
  if (needsTrigger(orderType) && trigger === null) {
    return refused('price', `triggerPrice is required for a ${orderType} order`);
  }
  if (price !== null && trigger !== null) {
    const beyond = side === 'BUY' ? trigger > price : trigger < price;
    if (beyond) {
      const where = side === 'BUY' ? 'above' : 'below';
      return refused('price', `the trigger price ${trigger} is ${where} the price ${price}`);
    }
  }
  return (
    priceRefusal('price', price, instrument, quote) ??
    priceRefusal('trigger price', trigger, instrument, quote)
  );
}

function priceRefusal(
  what: string,
  price: number | null,
  instrument: Instrument,
  quote: Quote | null,
): Outcome | null {
  if (price === null) return null;
  if (!Number.isFinite(price) || price <= 0) {
    return refused('price', `the ${what} must be above 0, not ${price}`);
  }
  const tick = instrument.tickSize;
  if (tick !== null && tick > 0 && !decimal(price).mod(tick).eq(0)) {
    return refused('price', `the ${what} ${price} is not a multiple of the tick ${tick}`);
  }
  // Some feeds write 0 where there is no limit.
  const lower = quote?.lowerCircuit ?? 0;
  const upper = quote?.upperCircuit ?? 0;
  if ((lower > 0 && price < lower) || (upper > 0 && price > upper)) {
    return refused(
      'price',
      `the ${what} ${price} is outside the circuit limits, ${lower} to ${upper}`,
    );
  }
  return null;
}
