import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { toFourDecimals } from '../domain/money.ts';
import {
  needsPrice,
  needsTrigger,
  ORDER_TYPES,
  SIDES,
  VALIDITIES,
  type OrderModification,
  type OrderRequest,
  type OrderType,
  type Product,
} from '../domain/order.ts';
import { idempotencyKey, instrument, printable, type BrokerInputs } from './inputs.ts';

const MOST = 10_000_000;

/** Other names of the products; the alternative broker uses some of them. */
const PRODUCT_KEYS = ['CNC', 'INTRADAY', 'MARGIN', 'MIS', 'NRML'] as const;
const PRODUCT_NAMES: Readonly<Record<(typeof PRODUCT_KEYS)[number], Product>> = {
  CNC: 'CNC',
  INTRADAY: 'INTRADAY',
  MARGIN: 'MARGIN',
  MIS: 'INTRADAY',
  NRML: 'MARGIN',
};

const quantity = z
  .int('takes a whole number')
  .positive('takes a number above 0')
  .max(MOST, `takes at most ${MOST}`)
  .meta({ description: 'Shares or units, not lots' });

const price = z
  .number()
  .positive('takes a price above 0')
  .max(MOST, `takes at most ${MOST}`)
  .refine((value) => toFourDecimals(value) === value, 'takes at most 4 decimals')
  .meta({ description: 'Rupees' });

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
      tag: printable(64)
        .nullish()
        .meta({ description: 'Your own label; it is not sent to the ' + 'broker' }),
      clientOrderId: idempotencyKey.optional(),
      broker: brokerName.optional().meta({
        description: 'The only broker to use, also when it is not in the route',
      }),
      mode: z.enum(MODES).optional().meta({ description: '`live` excludes the paper account' }),
    })
    .superRefine((body, context) => {
      for (const [path, message] of priceRules(body.orderType, body)) {
        context.addIssue({ code: 'custom', path: [path], message });
      }
    })
    .meta({ id: 'OrderRequest' });
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
    .meta({ id: 'OrderModification' });
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
    product: PRODUCT_NAMES[body.product],
    validity: body.validity ?? 'DAY',
    price: body.price ?? null,
    triggerPrice: body.triggerPrice ?? null,
    amo: body.amo ?? false,
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
