import {
  needsPrice,
  needsTrigger,
  type CancelAttempt,
  type ModifyAttempt,
  type PlaceAttempt,
} from '../../domain/order.ts';
import {
  type BuiltRequest,
  isPrice,
  isQuantity,
  offTick,
  orderPlace,
  orderSegment,
  unsendable,
} from './mapping.ts';
import { smartPlaceRequest } from './smart-order-request.ts';

export type { BuiltRequest } from './mapping.ts';

/**
 * `smart`: a smart order waits at the broker. `plain`: a field of an ordinary order, which the
 * broker may ignore.
 */
export type StopOrders = 'smart' | 'plain';

export interface PlaceSettings {
  /** Whether to send our tag as `remarks`. */
  readonly remarks: boolean;
  readonly stopOrders: StopOrders;
}

export function placeRequest(attempt: PlaceAttempt, settings: PlaceSettings): BuiltRequest {
  const { terms, instrument } = attempt;
  const stop = needsTrigger(terms.orderType);
  // The broker was seen to ignore a `trigger_price` on /order, so that the order fires at once.
  // Only a setting allows it.
  if (stop && settings.stopOrders === 'smart') return smartPlaceRequest(attempt, settings.remarks);
  const place = orderPlace(instrument);
  if (place === null) return unsendable(`this broker takes no orders in ${instrument.name}`);
  const { quantity, price, triggerPrice } = terms;
  if (!isQuantity(quantity)) return unsendable('the quantity is not a whole number above 0');
  const limited = needsPrice(terms.orderType);
  if (limited && !isPrice(price)) {
    return unsendable(`a ${terms.orderType} order requires a price above 0`);
  }
  if (stop && !isPrice(triggerPrice))
    return unsendable('a stop order requires a trigger price above 0');
  for (const value of [limited ? price : null, stop ? triggerPrice : null]) {
    const refused = value === null ? null : offTick(value, instrument);
    if (refused) return refused;
  }
  return {
    kind: 'built',
    path: '/order',
    body: {
      txn_type: terms.side,
      exchange: place.exchange,
      segment: place.segment,
      product: terms.product,
      order_type: limited ? 'LIMIT' : 'MARKET',
      validity: terms.validity,
      security_id: place.securityId,
      qty: quantity,
      ...(limited ? { limit_price: price } : {}),
      ...(stop ? { trigger_price: triggerPrice } : {}),
      is_amo: terms.amo,
      algo_id: place.algoId,
      ...(settings.remarks ? { remarks: attempt.tag } : {}),
    },
  };
}

export type CancelPath = '/order/cancel' | '/smart/order/cancel';

export function cancelRequest(attempt: CancelAttempt, path: CancelPath): BuiltRequest {
  const segment = orderSegment(attempt.instrument);
  if (segment === null) return unsendable('this broker takes no orders in an index');
  return { kind: 'built', path, body: { order_id: attempt.brokerOrderId, segment } };
}

/** All four fields are mandatory, so what does not change is sent unchanged. */
export function modifyRequest(attempt: ModifyAttempt): BuiltRequest {
  const { terms, changes, instrument } = attempt;
  const segment = orderSegment(instrument);
  if (segment === null) return unsendable('this broker takes no orders in an index');
  const fixed =
    (changes.triggerPrice === null || changes.triggerPrice === terms.triggerPrice) &&
    (changes.orderType === null || changes.orderType === terms.orderType) &&
    (changes.validity === null || changes.validity === terms.validity);
  if (!fixed) return unsendable('this broker changes only the quantity and the price of an order');
  const quantity = changes.quantity ?? terms.quantity;
  const price = changes.price ?? terms.price;
  if (!isQuantity(quantity)) return unsendable('the quantity is not a whole number above 0');
  if (!isPrice(price)) return unsendable('this broker requires a price above 0 to modify an order');
  // An unchanged price was accepted by the broker already.
  const refused = price === terms.price ? null : offTick(price, instrument);
  if (refused) return refused;
  return {
    kind: 'built',
    path: '/order/modify',
    body: { order_id: attempt.brokerOrderId, segment, qty: quantity, limit_price: price },
  };
}
