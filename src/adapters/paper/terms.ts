import type { Instrument } from '../../domain/instrument.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import { refused, type Outcome } from '../../domain/outcome.ts';
import type { Quote } from '../../domain/quote.ts';
import { decimal } from '../../domain/money.ts';

/**
 * What is wrong with an order whatever the account has: its shape, lot, freeze quantity, tick, and
 * the circuit where the quote has one (docs/spec/paper.md). Null when nothing is.
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
    return refused('other', `${instrument.name} is an index, and cannot be traded`);
  }
  if (!Number.isSafeInteger(quantity) || quantity <= 0) {
    return refused('other', `the quantity has to be a whole number above 0, not ${quantity}`);
  }
  if (quantity % instrument.lotSize !== 0) {
    return refused(
      'other',
      `${instrument.name} trades in lots of ${instrument.lotSize}: ${quantity} is not whole lots`,
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
    return refused('price', `a ${orderType} order has to have a price`);
  }
  if (needsTrigger(orderType) && trigger === null) {
    return refused('price', `a ${orderType} order has to have a trigger price`);
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
    return refused('price', `the ${what} has to be above 0, not ${price}`);
  }
  const tick = instrument.tickSize;
  if (tick !== null && tick > 0 && !decimal(price).mod(tick).eq(0)) {
    return refused('price', `the ${what} ${price} is not a multiple of the tick ${tick}`);
  }
  // Zero is how some feeds say that there is none.
  const lower = quote?.lowerCircuit ?? 0;
  const upper = quote?.upperCircuit ?? 0;
  if ((lower > 0 && price < lower) || (upper > 0 && price > upper)) {
    return refused('price', `the ${what} ${price} is outside the circuit, ${lower} to ${upper}`);
  }
  return null;
}
