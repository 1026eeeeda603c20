import { z } from 'zod';
import { type BrokerId, MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { toFourDecimals } from '../domain/money.ts';
import {
  needsPrice,
  needsTrigger,
  ORDER_STATUSES,
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
import { algoId, marketProtection } from './key-schemas.ts';
import { brokerOrderFields, brokerOrderView } from './broker-order-fields.ts';
import { CHANGE_IN_DOCUMENT, ORDER_IN_DOCUMENT } from './order-body-rules.ts';
import {
  answeringBroker,
  answeringMode,
  type BrokerInputs,
  brokerInputs,
  idempotencyKey,
  instrument,
  isoOrNull,
  printable,
  time,
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
      side: z.enum(SIDES),
      quantity,
      orderType: z.enum(ORDER_TYPES),
      product: z.enum(PRODUCT_KEYS),
      price: price.nullish().meta({ description: 'Rupees; with LIMIT and SL only' }),
      triggerPrice: price.nullish().meta({ description: 'Rupees; with SL and SL-M only' }),
      validity: z.enum(VALIDITIES).optional(),
      amo: z.boolean().optional().meta({ description: 'After-market order' }),
      ...{ algoId: algoId.nullish(), marketProtection: marketProtection.nullish() },
      tag: printable(64)
        .nullish()
        .meta({ description: 'Your own label; it is not sent to the ' + 'broker' }),
      clientOrderId: idempotencyKey.optional(),
      broker: brokerName.optional().meta({
        description: 'The only broker to use, also when it is not in the route',
      }),
      mode: z.enum(MODES).optional().meta({ description: '`live` excludes the paper account' }),
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
      quantity: quantity.nullish(),
      price: price.nullish(),
      triggerPrice: price.nullish(),
      orderType: z.enum(ORDER_TYPES).nullish(),
      validity: z.enum(VALIDITIES).nullish(),
      broker: brokerName.optional(),
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

const count = z.int().nonnegative();
const rupees = z.number();

/**
 * An order as callers see it. Enum values that the gateway does not know stay as the broker wrote
 * them.
 */
export const orderSchema = z
  .object({
    id: z.string(),
    clientOrderId: z.string().nullable(),
    broker: answeringBroker,
    mode: answeringMode,
    brokerOrderId: z.string().nullable(),
    exchangeOrderId: z.string().nullable(),
    instrument: z.string(),
    side: z.string(),
    quantity: count,
    filledQuantity: count.nullable().meta({ description: 'Null while unknown' }),
    remainingQuantity: count.nullable().meta({
      description: 'What may still fill: 0 once the order is over, null while unknown',
    }),
    averagePrice: rupees.nullable(),
    fillPriceSource: z
      .enum(['trades', 'order_row', 'trade_book', 'average', 'estimate'])
      .nullable(),
    orderType: z.string(),
    product: z.string(),
    validity: z.string(),
    price: rupees.nullable(),
    triggerPrice: rupees.nullable(),
    amo: z.boolean(),
    status: z.enum(ORDER_STATUSES),
    reason: z.string().nullable(),
    tag: z
      .string()
      .nullable()
      .meta({ description: 'The caller’s own label; it is not sent to ' + 'the broker' }),
    boundBy: z.enum(['id', 'tag', 'fingerprint', 'person']).nullable().meta({
      description:
        'How the gateway matched the broker’s row; `tag` is the one that the gateway sends',
    }),
    absentSince: time.nullable(),
    parentId: z.string().nullable().meta({ description: 'The order that this one is a slice of' }),
    external: z.boolean().meta({ description: 'True for orders that the gateway did not place' }),
    triggeredBy: z.string().nullable().meta({ description: 'The trigger that has placed it' }),
    brokerTags: z.array(z.string()).nullable().meta({
      description: 'The tags of the broker’s row; null while no book has shown it',
    }),
    brokerStatus: z.string().nullable().meta({ description: 'As the broker wrote it' }),
    ...brokerOrderFields,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Order' });

export const fillSchema = z
  .object({
    ...{ id: z.string(), orderId: z.string(), quantity: count, price: rupees },
    at: time.nullable().meta({ description: 'Null where the broker does not tell it' }),
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

/** The inputs that depend on the configuration: they accept only the names of its brokers. */
export function createRouteInputs(brokers: readonly BrokerId[]) {
  const inputs = brokerInputs(brokers);
  return { ...inputs, ...orderBodies(inputs) };
}
export type RouteInputs = ReturnType<typeof createRouteInputs>;
