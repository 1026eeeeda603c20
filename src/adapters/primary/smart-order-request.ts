import type { ModifyAttempt, PlaceAttempt } from '../../domain/order.ts';
import {
  type BuiltRequest,
  isPrice,
  isQuantity,
  offTick,
  orderPlace,
  unsendable,
} from './mapping.ts';

/**
 * A stop order as a smart order that waits for its trigger (docs/spec/primary-brokerage.md, "Stop
 * orders"). An order that a smart order cannot express is refused before it is sent; the gateway
 * never sends a different one instead.
 */
export function smartPlaceRequest(attempt: PlaceAttempt, remarks: boolean): BuiltRequest {
  const { terms, instrument } = attempt;
  const place = orderPlace(instrument);
  if (place === null) return unsendable(`this broker takes no orders in ${instrument.name}`);
  if (place.exchange !== 'NSE') {
    return unsendable(`this broker takes stop orders on NSE only, not on ${place.exchange}`);
  }
  if (terms.validity !== 'DAY') {
    return unsendable(`this broker takes stop orders for the DAY only, not ${terms.validity}`);
  }
  if (terms.amo) return unsendable('this broker takes no after-market stop orders');
  if (terms.orderType === 'SL-M') {
    return unsendable(
      'this broker has no stop orders without a limit: send SL, with a price that may be worse ' +
        'than the trigger',
    );
  }
  const { price, triggerPrice, quantity } = terms;
  if (!isQuantity(quantity)) return unsendable('the quantity is not a whole number above 0');
  if (!isPrice(triggerPrice)) return unsendable('a stop order requires a trigger price above 0');
  if (!isPrice(price)) return unsendable('an SL order requires a price above 0');
  const refused = offTick(price, instrument) ?? offTick(triggerPrice, instrument);
  if (refused) return refused;
  return {
    kind: 'built',
    path: '/smart/order',
    body: {
      txn_type: terms.side,
      exchange: place.exchange,
      segment: place.segment,
      product: terms.product,
      order_type: 'TRIGGER',
      validity: 'DAY',
      security_id: place.securityId,
      qty: quantity,
      trigger_price: triggerPrice,
      trigger_limit_price: price,
      algo_id: place.algoId,
      ...(remarks ? { remarks: attempt.tag } : {}),
    },
  };
}

/** Prices of a pair go together: where one changes, the other is sent unchanged beside it. */
export function smartModifyRequest(attempt: ModifyAttempt): BuiltRequest {
  const { terms, changes, instrument } = attempt;
  const place = orderPlace(instrument);
  if (place === null) return unsendable(`this broker takes no orders in ${instrument.name}`);
  const { orderType, validity } = changes;
  if (
    (orderType !== null && orderType !== terms.orderType) ||
    (validity !== null && validity !== terms.validity)
  ) {
    return unsendable('this broker changes only the quantity and the prices of a stop order');
  }
  const quantity = changed(changes.quantity, terms.quantity);
  const price = changed(changes.price, terms.price);
  const trigger = changed(changes.triggerPrice, terms.triggerPrice);
  if (quantity === null && price === null && trigger === null) {
    return unsendable('nothing of the order would change');
  }
  if (quantity !== null && !isQuantity(quantity)) {
    return unsendable('the quantity is not a whole number above 0');
  }
  const pair = { trigger: trigger ?? terms.triggerPrice, limit: price ?? terms.price };
  const priced = price !== null || trigger !== null;
  if (priced && !(isPrice(pair.trigger) && isPrice(pair.limit))) {
    return unsendable('a stop order requires a price and a trigger price above 0');
  }
  for (const value of [price, trigger]) {
    const refused = value === null ? null : offTick(value, instrument);
    if (refused) return refused;
  }
  return {
    kind: 'built',
    path: '/smart/order/modify',
    body: {
      order_id: attempt.brokerOrderId,
      segment: place.segment,
      algo_id: place.algoId,
      ...(quantity === null ? {} : { qty: quantity }),
      ...(priced ? { trigger_price: pair.trigger, trigger_limit_price: pair.limit } : {}),
    },
  };
}

function changed<T>(wanted: T | null, stands: T | null): T | null {
  return wanted === stands ? null : wanted;
}
