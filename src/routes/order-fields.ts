import { z } from 'zod';
import {
  ORDER_STATUSES,
  ORDER_TYPES,
  type Product,
  PRODUCTS,
  SIDES,
  VALIDITIES,
} from '../domain/order.ts';
import {
  answeringBroker,
  answeringMode,
  at,
  atOrNull,
  count,
  figure,
  flag,
  instrumentShown,
  text,
  word,
} from './answer-parts.ts';
import { brokerOrderFields } from './broker-order-fields.ts';

/**
 * Fields of orders as answers show them, each described once for all answers that have it. Words of orders that the
 * gateway did not place may be the broker's own, so the schemas are open: the descriptions name the known words.
 */

const oneOf = (all: readonly string[]): string => all.map((each) => `\`${each}\``).join(', ');
const MEANINGS: Readonly<Record<Product, string>> = {
  CNC: 'delivery',
  INTRADAY: 'ended by the broker on the same day',
  MARGIN: 'carried forward',
};
const products = PRODUCTS.map((each) => `\`${each}\` (${MEANINGS[each]})`).join(', ');
const orOwn = (all: readonly string[]): string =>
  `${oneOf(all)}; of an order placed elsewhere it may be the broker's own word`;

export const SIDE = `Whether the order buys or sells: ${oneOf(SIDES)}`;
export const ORDER_TYPE = `How the order gets its price: ${oneOf(ORDER_TYPES)}`;
export const PRODUCT = `What the position is held as: ${products}`;
export const VALIDITY = `How long the order stays at the exchange: ${oneOf(VALIDITIES)}`;
export const MODE = '`live` excludes the paper account, `paper` all others; both when absent';

export const sideShown = text(SIDE);
export const orderTypeShown = text(`How the order gets its price: ${orOwn(ORDER_TYPES)}`);
export const productShown = text(
  `${PRODUCT}; of what was not traded by the gateway it may be the broker's own word`,
);
export const validityShown = text(`How long the order stays at the exchange: ${orOwn(VALIDITIES)}`);

export const brokerOrderIdShown = word(
  "The broker's id of the order; null while the broker is not known to have it",
);
export const exchangeOrderIdShown = word(
  "The exchange's id of the order; null until the broker tells one",
);
export const clientOrderIdShown = text(
  'The idempotency key of the request: that of the caller, or the one that the gateway has made',
);
export const quantityShown = count('Shares or units that the order is for in all, not lots');
export const averagePriceShown = figure(
  'Rupees per share or unit at which it has filled on average; null where nothing has, or no price is known',
);
export const priceShown = figure('The limit of the order, in rupees; null where its type has none');
export const triggerPriceShown = figure(
  'The price that sets a stop order off, in rupees; null for any other',
);
export const fillPriceShown = z.number().meta({ description: 'Rupees per share or unit' });
export const createdAtShown = at(
  'When the gateway took the request, or under which time it lists what was made elsewhere',
);
export const updatedAtShown = at('When what is shown here last changed');

/** An order as callers see it. */
export const orderSchema = z
  .object({
    id: text('`ord_…`, or `<broker>:<brokerOrderId>` of an order placed elsewhere'),
    clientOrderId: clientOrderIdShown.nullable().meta({
      description: 'The idempotency key under which it was placed; null for one placed elsewhere',
    }),
    broker: answeringBroker,
    mode: answeringMode,
    brokerOrderId: brokerOrderIdShown,
    exchangeOrderId: exchangeOrderIdShown,
    instrument: instrumentShown,
    side: sideShown,
    quantity: quantityShown,
    filledQuantity: z.int().nonnegative().nullable().meta({
      description: 'Shares or units that have filled; null while unknown, which is not 0',
    }),
    remainingQuantity: z.int().nonnegative().nullable().meta({
      description: 'What may still fill: 0 once the order is over, null while unknown',
    }),
    averagePrice: averagePriceShown,
    fillPriceSource: z
      .enum(['trades', 'order_row', 'trade_book', 'average', 'estimate'])
      .nullable()
      .meta({
        description:
          'Where averagePrice comes from, the most exact first: all trades of the order, the row of the order, trades ' +
          "joined by the exchange's id, the plain average of the trades that are known, the price that was asked for. " +
          'Null without an averagePrice',
      }),
    orderType: orderTypeShown,
    product: productShown,
    validity: validityShown,
    price: priceShown,
    triggerPrice: triggerPriceShown,
    amo: flag(
      'Whether it is an after-market order: kept for the next session until the exchange has it',
    ),
    status: z.enum(ORDER_STATUSES).meta({
      description:
        'What is known of the order (docs/orders.md says what each promises): `uncertain` is never "not placed"',
    }),
    reason: word(
      'Why it is rejected, cancelled, not sent, uncertain or disputed, for people; null otherwise',
    ),
    tag: word('The caller’s own label; it is not sent to the broker. Null without one'),
    boundBy: z.enum(['id', 'tag', 'fingerprint', 'person']).nullable().meta({
      description:
        'How the gateway matched the broker’s row; `tag` is the one that the gateway sends. Null without a row',
    }),
    absentSince: atOrNull(
      'Since when whole reads of the order book have lacked the order; null unless it is uncertain and they do',
    ),
    parentId: word('The order that this one is a slice of; null for one that is no slice'),
    external: flag('True for orders that the gateway did not place'),
    triggeredBy: word('The trigger of the gateway that has placed it; null for any other order'),
    brokerTags: z.array(z.string()).nullable().meta({
      description: 'The tags of the broker’s row; null while no book has shown it',
    }),
    brokerStatus: word('The status as the broker wrote it; null while no book has shown the order'),
    ...brokerOrderFields,
    createdAt: createdAtShown,
    updatedAt: updatedAtShown,
  })
  .meta({ id: 'Order' });
