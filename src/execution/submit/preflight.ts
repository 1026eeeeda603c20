import type { Instrument } from '../../domain/instrument.ts';
import { closeOf, isMarketOpen } from '../../domain/market-hours.ts';
import { isMultipleOf, toFourDecimals } from '../../domain/money.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { MarketHours } from '../order/order-day.ts';
import { MOST_SLICES, sliceQuantities } from './slices.ts';

/**
 * The checks of a new order that need no broker (docs/orders.md, "Before anything is sent"). Throws a
 * GatewayProblem that says what would be right; a caller's price is never rounded.
 */
export function checkNewOrder(
  terms: OrderTerms,
  instrument: Instrument,
  now: { readonly at: number; readonly marketHours: MarketHours },
): void {
  checkTerms(terms, instrument);
  const { price, triggerPrice } = terms;
  if (price !== null && triggerPrice !== null) {
    const wrong = terms.side === 'BUY' ? triggerPrice > price : triggerPrice < price;
    const where = terms.side === 'BUY' ? 'at or below' : 'at or above';
    if (wrong) invalid(`the trigger of a stop to ${terms.side} is ${where} its price`);
  }
  if (now.marketHours === 'exchange' && !terms.amo && !isMarketOpen(now.at, instrument.exchange)) {
    throw new GatewayProblem({
      code: 'market_closed',
      detail:
        `${instrument.exchange} takes orders on trading days from 09:00 to ` +
        `${closeOf(instrument.exchange)} IST; amo: true asks for an after-market order`,
      mayHaveExecuted: false,
      retrySafe: true,
    });
  }
}

/**
 * The part of them that holds for an order that is changed as well. Where a stop has triggered, its
 * trigger says nothing any more of what its price may be.
 */
export function checkTerms(terms: OrderTerms, instrument: Instrument): void {
  const { quantity, orderType, price, triggerPrice } = terms;
  if (instrument.segment === 'INDEX') invalid(`${instrument.name} is an index: it is not traded`);
  if (!Number.isSafeInteger(quantity) || quantity <= 0)
    invalid('quantity is a whole number above 0');
  if (quantity % instrument.lotSize !== 0) {
    invalid(
      `${instrument.name} is traded in lots of ${instrument.lotSize}: ${quantity} is not whole lots`,
    );
  }
  const { freezeQuantity, lotSize } = instrument;
  if (sliceQuantities(quantity, freezeQuantity, lotSize).length > MOST_SLICES) {
    invalid(
      `the exchange takes at most ${freezeQuantity} of ${instrument.name} in one order, ` +
        `and an order is cut into ${MOST_SLICES} slices at most`,
    );
  }
  const priced = needsPrice(orderType);
  if (priced !== (price !== null)) {
    invalid(`a ${orderType} order ${priced ? 'needs a price' : 'has no price'}`);
  }
  const triggered = needsTrigger(orderType);
  if (triggered !== (triggerPrice !== null)) {
    invalid(`a ${orderType} order ${triggered ? 'needs a trigger price' : 'has no trigger price'}`);
  }
  checkTick('price', price, instrument);
  checkTick('triggerPrice', triggerPrice, instrument);
}

function invalid(detail: string): never {
  throw new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
}

function checkTick(name: string, price: number | null, instrument: Instrument): void {
  const { tickSize } = instrument;
  if (price === null || tickSize === null) return;
  // An instrument list may write 0 where it has no tick: then only the decimals are limited.
  const fits = tickSize > 0 ? isMultipleOf(price, tickSize) : toFourDecimals(price) === price;
  if (!fits) {
    invalid(`${name} ${price} is not a multiple of the tick of ${instrument.name}, ${tickSize}`);
  }
}
