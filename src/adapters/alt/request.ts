import {
  needsPrice,
  type ModifyAttempt,
  type OrderTerms,
  type OrderType,
  type PlaceAttempt,
} from '../../domain/order.ts';
import type { OrderRow } from './schemas.ts';
import type { SdkParams } from './sdk.ts';

/** What the gateway's words are called by the broker (docs/spec/kite-orders.md). */
export const PRODUCTS: Readonly<Record<OrderTerms['product'], string>> = {
  CNC: 'CNC',
  INTRADAY: 'MIS',
  MARGIN: 'NRML',
};

/** The SDK puts ids and varieties into paths as they are. */
export function isOrderId(text: string): boolean {
  return /^\d{1,32}$/.test(text);
}

export function varietyOf(terms: OrderTerms): string {
  return terms.amo ? 'amo' : 'regular';
}

/**
 * The variety under which the broker changes the order of a row; null when the row names none. Any
 * word that a path can hold is taken: an order made elsewhere is changed the way that its row says.
 */
export function varietyOfRow({ variety, exchange_order_id }: OrderRow): string | null {
  if (!variety || !/^[a-z][a-z_-]{0,19}$/.test(variety)) return null;
  // Once the exchange has it, an after-market order is an ordinary one, though its row goes on saying
  // what it was placed as: changed under that name, the request times out (docs/spec/kite-orders.md).
  return variety === 'amo' && exchange_order_id ? 'regular' : variety;
}

export function placeParams({ terms, instrument, tag }: PlaceAttempt): SdkParams {
  return {
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    transaction_type: terms.side,
    quantity: terms.quantity,
    product: PRODUCTS[terms.product],
    order_type: terms.orderType,
    validity: terms.validity,
    ...(terms.price === null ? {} : { price: terms.price }),
    ...(terms.triggerPrice === null ? {} : { trigger_price: terms.triggerPrice }),
    ...protection(terms.orderType),
    tag,
  };
}

/** Only what changes; the broker keeps the rest. */
export function modifyParams({ terms, changes }: ModifyAttempt): SdkParams {
  const { quantity, price, triggerPrice, orderType, validity } = changes;
  return {
    ...(quantity === null ? {} : { quantity }),
    ...(price === null ? {} : { price }),
    ...(triggerPrice === null ? {} : { trigger_price: triggerPrice }),
    ...(orderType === null ? {} : { order_type: orderType }),
    ...(validity === null ? {} : { validity }),
    ...protection(orderType ?? terms.orderType),
  };
}

/** The second leg of a cover order is changed, and exited, under the name of the first as well. */
export function parentParams(parentOrderId: string | null): SdkParams {
  return parentOrderId === null ? {} : { parent_order_id: parentOrderId };
}

/** Without it the broker takes 0, and refuses the order: -1 lets it choose the distance itself. */
function protection(orderType: OrderType): SdkParams {
  return needsPrice(orderType) ? {} : { market_protection: -1 };
}
