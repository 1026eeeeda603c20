import type { MarginQuery } from '../../domain/margin.ts';
import { PRODUCTS, varietyOf } from './request.ts';
import type { SdkParams } from './sdk.ts';

/** The broker takes 0 where there is no price. */
export function marginParams(order: MarginQuery): SdkParams {
  const { price, triggerPrice } = order.terms;
  return { ...aboutOf(order), price: price ?? 0, trigger_price: triggerPrice ?? 0 };
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
