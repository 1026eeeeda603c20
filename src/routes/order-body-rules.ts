import { needsPrice, needsTrigger, ORDER_TYPES, type OrderType } from '../domain/order.ts';

/**
 * What the document says of the fields of an order that depend on each other. The checks themselves
 * are in order-schemas.ts; zod cannot write those of several fields into a document, so a test compares
 * both.
 */

const NO_PRICE = { type: 'null' } as const;
const A_PRICE = { type: 'number' } as const;

function rulesOf(orderType: OrderType, isComplete: boolean) {
  const price = needsPrice(orderType);
  const triggerPrice = needsTrigger(orderType);
  const given = isComplete ? A_PRICE : {};
  return {
    type: 'object' as const,
    properties: {
      orderType: { const: orderType },
      price: price ? given : NO_PRICE,
      triggerPrice: triggerPrice ? given : NO_PRICE,
    },
    required: [
      'orderType',
      ...(isComplete && price ? ['price'] : []),
      ...(isComplete && triggerPrice ? ['triggerPrice'] : []),
    ],
  };
}

/** One of them for each order type: which prices it takes. */
export const PRICES_BY_TYPE = { oneOf: ORDER_TYPES.map((each) => rulesOf(each, true)) };

const CHANGES = ['quantity', 'price', 'triggerPrice', 'orderType', 'validity'] as const;

/** At least one change, and no price that the new order type does not take. */
export const CHANGE_RULES = {
  allOf: [
    {
      anyOf: CHANGES.map((name) => ({
        type: 'object' as const,
        required: [name],
        properties: { [name]: { not: NO_PRICE } },
      })),
    },
    {
      anyOf: [
        { type: 'object' as const, properties: { orderType: NO_PRICE } },
        ...ORDER_TYPES.map((each) => rulesOf(each, false)),
      ],
    },
  ],
};

const LIMIT_ORDER = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, orderType: 'LIMIT', product: 'CNC' },
  price: 1500.5,
};

export const ORDER_IN_DOCUMENT = {
  example: LIMIT_ORDER,
  description: 'A limit order and a stop order have a price, a stop order has a triggerPrice',
  override: PRICES_BY_TYPE,
};

export const BASKET_ORDER_IN_DOCUMENT = {
  ...ORDER_IN_DOCUMENT,
  example: { ...LIMIT_ORDER, clientOrderId: 'basket-1-infy' },
};

export const CHANGE_IN_DOCUMENT = {
  example: { price: 1499.5 },
  description: 'Fields that are absent or null stay as they are; at least one changes',
  override: CHANGE_RULES,
};
