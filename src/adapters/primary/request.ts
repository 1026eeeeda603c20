import { parentExchange, type Instrument } from '../../domain/instrument.ts';
import type { CancelAttempt, ModifyAttempt, PlaceAttempt } from '../../domain/order.ts';

/** A body in the broker's words, or why the gateway sends none. */
export type BuiltRequest =
  | {
      readonly kind: 'built';
      readonly path: string;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'unsendable'; readonly reason: string };

/** The exchange's id for orders that come through the API (docs/spec/primary-brokerage.md). */
const ALGO_IDS: Readonly<Record<string, string>> = { NSE: '99999', BSE: '9999999999999999' };

/** Rows of smart orders, which have a cancel of their own; ids do not tell, types do. */
const SMART_ORDER = /^(OCO|TRIGGER|GTT)/i;

export function placeRequest(attempt: PlaceAttempt, remarks: boolean): BuiltRequest {
  const { terms, instrument } = attempt;
  if (terms.orderType === 'SL' || terms.orderType === 'SL-M') {
    // `trigger_price` on /order is lost, and the order would fire at once.
    return unsendable(
      'stop orders on this broker come through smart orders, which this version does not place',
    );
  }
  const segment = orderSegment(instrument);
  const exchange = parentExchange(instrument.exchange);
  const algoId = ALGO_IDS[exchange];
  if (instrument.securityId === null || segment === null || algoId === undefined) {
    return unsendable(`this broker takes no orders in ${instrument.name}`);
  }
  if (!isQuantity(terms.quantity)) return unsendable('the quantity is not a whole number above 0');
  if (terms.orderType === 'LIMIT' && !isPrice(terms.price)) {
    return unsendable('a LIMIT order needs a price above 0');
  }
  return {
    kind: 'built',
    path: '/order',
    body: {
      txn_type: terms.side,
      exchange,
      segment,
      product: terms.product,
      order_type: terms.orderType,
      validity: terms.validity,
      security_id: instrument.securityId,
      qty: terms.quantity,
      ...(terms.orderType === 'MARKET' ? {} : { limit_price: terms.price }),
      is_amo: terms.amo,
      algo_id: algoId,
      ...(remarks ? { remarks: attempt.tag } : {}),
    },
  };
}

export function cancelRequest(attempt: CancelAttempt): BuiltRequest {
  const segment = orderSegment(attempt.instrument);
  if (segment === null) return unsendable('this broker has no orders in an index');
  const smart =
    attempt.brokerOrderType === null
      ? attempt.brokerOrderId.startsWith('GTT-')
      : SMART_ORDER.test(attempt.brokerOrderType);
  return {
    kind: 'built',
    path: smart ? '/smart/order/cancel' : '/order/cancel',
    body: { order_id: attempt.brokerOrderId, segment },
  };
}

/** All four fields are mandatory, so what does not change is sent as it stands. */
export function modifyRequest(attempt: ModifyAttempt): BuiltRequest {
  const { terms, changes } = attempt;
  const segment = orderSegment(attempt.instrument);
  if (segment === null) return unsendable('this broker has no orders in an index');
  const fixed =
    (changes.triggerPrice === null || changes.triggerPrice === terms.triggerPrice) &&
    (changes.orderType === null || changes.orderType === terms.orderType) &&
    (changes.validity === null || changes.validity === terms.validity);
  if (!fixed) return unsendable('this broker changes only the quantity and the price of an order');
  const quantity = changes.quantity ?? terms.quantity;
  const price = changes.price ?? terms.price;
  if (!isQuantity(quantity)) return unsendable('the quantity is not a whole number above 0');
  if (!isPrice(price)) return unsendable('this broker needs a price to modify an order');
  return {
    kind: 'built',
    path: '/order/modify',
    body: { order_id: attempt.brokerOrderId, segment, qty: quantity, limit_price: price },
  };
}

function unsendable(reason: string): BuiltRequest {
  return { kind: 'unsendable', reason };
}

function orderSegment(instrument: Instrument): 'EQUITY' | 'DERIVATIVE' | null {
  return instrument.segment === 'INDEX' ? null : instrument.segment;
}

function isQuantity(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** JSON would turn a price that is not finite into null. */
function isPrice(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0;
}
