import type { MarginQuery } from '../../domain/margin.ts';
import { PRODUCTS, varietyOf } from './request.ts';
import type { SdkParams } from './sdk.ts';

/** An order with the price that it filled at, or would. Rupees. */
export interface PricedOrder extends MarginQuery {
  readonly averagePrice: number;
}

/** The broker takes 0 where there is no price. */
export function marginParams(order: MarginQuery): SdkParams {
  const { price, triggerPrice } = order.terms;
  return { ...aboutOf(order), price: price ?? 0, trigger_price: triggerPrice ?? 0 };
}

/** The broker wants an order id and does not look at it; the place in the list serves. */
export function chargeParams(order: PricedOrder, place: number): SdkParams {
  return {
    order_id: String(place + 1),
    ...aboutOf(order),
    average_price: order.averagePrice,
  };
}

function aboutOf({ terms, instrument }: MarginQuery): SdkParams {
  return {
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    transaction_type: terms.side,
    variety: varietyOf(terms),
    product: PRODUCTS[terms.product],
    order_type: terms.orderType,
    quantity: terms.quantity,
  };
}
