import { z } from 'zod';
import { type BrokerId, MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { toFourDecimals } from '../domain/money.ts';
import {
  needsPrice,
  needsTrigger,
  ORDER_TYPES,
  type OrderModification,
  type OrderRequest,
  type OrderResponse,
  type OrderType,
  type Product,
  SIDES,
  VALIDITIES,
} from '../domain/order.ts';
import type { OrderFill } from '../router/gateway.ts';
import { algoIdAsked, marketProtectionAsked } from './key-schemas.ts';
import { brokerOrderView } from './broker-order-fields.ts';
import type { orderSchema } from './order-fields.ts';
import { fillPriceShown, MODE, ORDER_TYPE, PRODUCT, SIDE, VALIDITY } from './order-fields.ts';
import { CHANGE_IN_DOCUMENT, ORDER_IN_DOCUMENT } from './order-body-rules.ts';
import {
  atOrNull,
  type BrokerInputs,
  brokerInputs,
  count,
  idempotencyKey,
  instrument,
  isoOrNull,
  printable,
  text,
} from './define-route.ts';

const MOST = 10_000_000;

/** Other names of the products; the alternative broker uses some of them. */
export const PRODUCT_KEYS = ['CNC', 'INTRADAY', 'MARGIN', 'MIS', 'NRML'] as const;
const PRODUCT_NAMES: Readonly<Record<(typeof PRODUCT_KEYS)[number], Product>> = {
  CNC: 'CNC',
  INTRADAY: 'INTRADAY',
  MARGIN: 'MARGIN',
  MIS: 'INTRADAY',
  NRML: 'MARGIN',
};

export const productOf = (key: (typeof PRODUCT_KEYS)[number]): Product => PRODUCT_NAMES[key];

export const productAsked = z.enum(PRODUCT_KEYS).meta({
  description: `${PRODUCT}; MIS is another name of INTRADAY, and NRML of MARGIN`,
});

export const quantity = z
  .int('takes a whole number')
  .positive('takes a number above 0')
  .max(MOST, `takes at most ${MOST}`)
  .meta({ description: 'Shares or units, not lots' });

export const price = z
  .number()
  .positive('takes a price above 0')
  .max(MOST, `takes at most ${MOST}`)
  .refine((value) => toFourDecimals(value) === value, 'takes at most 4 decimals')
  .meta({ description: 'Rupees, with at most 4 decimals' });

const orderBodyOf = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      instrument,
      side: z.enum(SIDES).meta({ description: SIDE }),
      quantity,
      orderType: z.enum(ORDER_TYPES).meta({ description: ORDER_TYPE }),
      product: productAsked,
      price: price.nullish().meta({ description: 'Rupees; with LIMIT and SL only' }),
      triggerPrice: price.nullish().meta({ description: 'Rupees; with SL and SL-M only' }),
      validity: z
        .enum(VALIDITIES)
        .optional()
        .meta({ description: `${VALIDITY}; DAY when absent` }),
      amo: z.boolean().optional().meta({ description: 'After-market order' }),
      ...{ algoId: algoIdAsked, marketProtection: marketProtectionAsked },
      tag: printable(64)
        .nullish()
        .meta({ description: 'Your own label; it is not sent to the ' + 'broker' }),
      clientOrderId: idempotencyKey.optional(),
      broker: brokerName.optional().meta({
        description: 'The only broker to use, also when it is not in the route',
      }),
      mode: z.enum(MODES).optional().meta({ description: MODE }),
      force: z.boolean().optional().meta({
        description:
          'With an admin key: lets an exit pass the kill switch where its account cannot be read',
      }),
    })
    .superRefine((body, context) => {
      for (const [path, message] of priceRules(body.orderType, body)) {
        context.addIssue({ code: 'custom', path: [path], message });
      }
    })
    .meta({ id: 'OrderRequest', ...ORDER_IN_DOCUMENT });
export type OrderBody = z.output<ReturnType<typeof orderBodyOf>>;

const modificationBodyOf = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      quantity: quantity.nullish().meta({
        description: 'Shares or units that the order is for from now on, with what has filled',
      }),
      price: price.nullish().meta({ description: 'The new limit, in rupees' }),
      triggerPrice: price.nullish().meta({ description: 'The new trigger price, in rupees' }),
      orderType: z.enum(ORDER_TYPES).nullish().meta({ description: ORDER_TYPE }),
      validity: z.enum(VALIDITIES).nullish().meta({ description: VALIDITY }),
      broker: brokerName.optional().meta({
        description: 'The broker of the order: another one is refused',
      }),
    })
    .superRefine((body, context) => {
      if (Object.values(modificationOf(body)).every((change) => change === null)) {
        context.addIssue({
          code: 'custom',
          message: 'contains no change: name at least one ' + 'field to change',
        });
      }
      if (!body.orderType) return;
      for (const [path, message] of forbidden(body.orderType, body)) {
        context.addIssue({ code: 'custom', path: [path], message });
      }
    })
    .meta({ id: 'OrderModification', ...CHANGE_IN_DOCUMENT });
export type ModificationBody = z.output<ReturnType<typeof modificationBodyOf>>;

/** The bodies of requests about orders; a broker in them is one of the configured instances. */
export function orderBodies({ brokerName }: Pick<BrokerInputs, 'brokerName'>) {
  return { orderBody: orderBodyOf(brokerName), modificationBody: modificationBodyOf(brokerName) };
}

interface Prices {
  readonly price?: number | null | undefined;
  readonly triggerPrice?: number | null | undefined;
}
type Rule = readonly [path: keyof Prices, message: string];

const has = (value: number | null | undefined): boolean => value !== undefined && value !== null;

/** A price that the order type does not use is refused, because it shows a misunderstanding. */
function priceRules(type: OrderType, prices: Prices): readonly Rule[] {
  const rules: Rule[] = [...forbidden(type, prices)];
  if (needsPrice(type) && !has(prices.price)) rules.push(['price', `is required for ${type}`]);
  if (needsTrigger(type) && !has(prices.triggerPrice)) {
    rules.push(['triggerPrice', `is required for ${type}`]);
  }
  return rules;
}

function forbidden(type: OrderType, prices: Prices): readonly Rule[] {
  const rules: Rule[] = [];
  if (!needsPrice(type) && has(prices.price)) rules.push(['price', `is not allowed for ${type}`]);
  if (!needsTrigger(type) && has(prices.triggerPrice)) {
    rules.push(['triggerPrice', `is not allowed for ${type}`]);
  }
  return rules;
}

export function orderRequestOf(body: OrderBody): OrderRequest {
  return {
    instrument: body.instrument,
    side: body.side,
    quantity: body.quantity,
    orderType: body.orderType,
    product: productOf(body.product),
    validity: body.validity ?? 'DAY',
    price: body.price ?? null,
    triggerPrice: body.triggerPrice ?? null,
    amo: body.amo ?? false,
    ...(body.algoId ? { algoId: body.algoId } : {}),
    ...(typeof body.marketProtection === 'number'
      ? { marketProtection: body.marketProtection }
      : {}),
    tag: body.tag ?? null,
    broker: body.broker ?? null,
    mode: body.mode ?? null,
  };
}

export function modificationOf(body: ModificationBody): OrderModification {
  return {
    quantity: body.quantity ?? null,
    price: body.price ?? null,
    triggerPrice: body.triggerPrice ?? null,
    orderType: body.orderType ?? null,
    validity: body.validity ?? null,
  };
}

export const fillSchema = z
  .object({
    id: text('The id of the trade at the exchange, unique only together with the order'),
    orderId: text('The order that it is of, or the slice of it'),
    quantity: count('Shares or units that this fill is of'),
    price: fillPriceShown,
    at: atOrNull('When the exchange made the trade; null where the broker does not tell it'),
  })
  .meta({ id: 'Fill' });

/** Field by field, so that a field added to the internal order is not published by accident. */
export function orderView(order: OrderResponse): z.output<typeof orderSchema> {
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    broker: order.broker,
    mode: order.mode,
    brokerOrderId: order.brokerOrderId,
    exchangeOrderId: order.exchangeOrderId,
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    remainingQuantity: order.remainingQuantity,
    averagePrice: order.averagePrice,
    fillPriceSource: order.fillPriceSource,
    orderType: order.orderType,
    product: order.product,
    validity: order.validity,
    price: order.price,
    triggerPrice: order.triggerPrice,
    amo: order.amo,
    status: order.status,
    reason: order.reason,
    tag: order.tag,
    boundBy: order.boundBy,
    absentSince: isoOrNull(order.absentSince),
    parentId: order.parentId,
    external: order.external,
    triggeredBy: order.triggeredBy ?? null,
    brokerTags: order.brokerTags ? [...order.brokerTags] : null,
    brokerStatus: order.brokerStatus ?? null,
    ...brokerOrderView(order),
    createdAt: istIso(order.createdAt),
    updatedAt: istIso(order.updatedAt),
  };
}

export function fillView(fill: OrderFill): z.output<typeof fillSchema> {
  return {
    id: fill.id,
    orderId: fill.orderId,
    quantity: fill.quantity,
    price: fill.price,
    at: isoOrNull(fill.at),
  };
}

export { orderSchema } from './order-fields.ts';

/** The inputs that depend on the configuration: they accept only the names of its brokers. */
export function createRouteInputs(brokers: readonly BrokerId[]) {
  const inputs = brokerInputs(brokers);
  return { ...inputs, ...orderBodies(inputs) };
}
export type RouteInputs = ReturnType<typeof createRouteInputs>;
