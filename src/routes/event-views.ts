import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { ORDER_STATUSES, SIDES, type OrderResponse } from '../domain/order.ts';
import { EXAMPLE_EVENT_ID, eventIdOf } from '../events/event-cursor.ts';
import type { StoredEvent } from '../events/event-log.ts';
import { epochMs } from '../units/branded.ts';
import { time } from './define-route.ts';
import { fillSchema, fillView, orderSchema, orderView } from './order-schemas.ts';

/** An event as readers get it (docs/events.md): the same text from a stream, a list and a webhook. */
export const eventSchema = z
  .object({
    id: z.string().meta({
      description: 'Stays the same however often the event is sent; also the cursor after it',
      example: EXAMPLE_EVENT_ID,
    }),
    type: z.string().meta({
      description: 'Ignore types that you do not know: further ones may be added',
      example: 'order.updated',
    }),
    at: time.meta({ description: 'When it happened, or was noticed' }),
    data: z
      .looseObject({
        order: orderSchema.nullable().optional().meta({
          description:
            'The whole order as the change left it, without what the book of its broker tells beside',
        }),
        fill: fillSchema
          .optional()
          .meta({ description: 'The fill that the event tells of; absent of other events' }),
      })
      .meta({ description: 'What happened; its fields follow from the type (docs/events.md)' }),
  })
  .meta({ id: 'Event' });
export type EventView = z.output<typeof eventSchema>;

const instant = z.number().transform(epochMs);
const text = z.string();
const maybeText = text.nullable();
const figure = z.number().nullable();

/** An order as events keep it. */
const keptOrder = z.object({
  id: text,
  clientOrderId: maybeText,
  broker: text,
  mode: z.enum(MODES),
  ...{ brokerOrderId: maybeText, exchangeOrderId: maybeText },
  instrument: text,
  side: z.enum(SIDES),
  quantity: z.number(),
  ...{ filledQuantity: figure, remainingQuantity: figure, averagePrice: figure },
  fillPriceSource: z.enum(['trades', 'order_row', 'trade_book', 'average', 'estimate']).nullable(),
  ...{ orderType: text, product: text, validity: text, price: figure, triggerPrice: figure },
  amo: z.boolean(),
  status: z.enum(ORDER_STATUSES),
  ...{ reason: maybeText, tag: maybeText },
  ...{ algoId: text.exactOptional(), marketProtection: z.number().exactOptional() },
  boundBy: z.enum(['id', 'tag', 'fingerprint', 'person']).nullable(),
  absentSince: instant.nullable(),
  parentId: maybeText,
  external: z.boolean(),
  brokerTags: z.array(text).exactOptional(),
  brokerStatus: maybeText.exactOptional(),
  ...{ createdAt: instant, updatedAt: instant },
}) satisfies z.ZodType<OrderResponse>;

const keptFill = z.object({ fillId: text, quantity: z.number(), price: z.number(), at: instant });

const views = new WeakMap<StoredEvent, EventView>();

/** Made once for each event, however many readers it has. */
export function eventView(event: StoredEvent): EventView {
  const known = views.get(event);
  if (known !== undefined) return known;
  const { type, at } = event;
  const view = { id: eventIdOf(event), type, at: istIso(at), data: dataOf(event) };
  views.set(event, view);
  return view;
}

function dataOf({ type, orderId, data }: StoredEvent): EventView['data'] {
  const { order, ...rest } = data;
  const told = order === undefined ? {} : { order: orderOf(order) };
  switch (type) {
    case 'order.fill': {
      const fill = keptFill.safeParse(data);
      if (!fill.success || orderId === null) return told;
      const { fillId: id, quantity, price, at } = fill.data;
      return { fill: fillView({ id, orderId, quantity, price, at }), ...told };
    }
    case 'exit.updated':
      return { exit: withTimes(data) };
    case 'closing.updated':
      return { closing: withTimes(data) };
    case 'kill_switch.changed': {
      const { engaged, reason, changedBy } = data;
      return { engaged, reason, changedBy };
    }
    case 'alert':
      return orderId === null ? rest : { ...rest, orderId };
    default: {
      const known = withTimes(rest);
      return { ...(typeof known === 'object' ? known : {}), ...told };
    }
  }
}

/** Null where an event cannot be read: those after it go on. */
function orderOf(order: unknown): EventView['data']['order'] {
  const read = keptOrder.safeParse(order);
  return read.success ? orderView(read.data) : null;
}

const TIME_NAME = /^at$|At$/;

/** Instants are kept as epoch ms, and shown as texts. */
function withTimes(value: unknown, name = ''): unknown {
  if (typeof value === 'number' && TIME_NAME.test(name)) return istIso(epochMs(value));
  if (Array.isArray(value)) return value.map((each) => withTimes(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withTimes(each, key)]),
  );
}
