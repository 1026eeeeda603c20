import { z } from 'zod';
import { istIso } from '../domain/ist.ts';
import type { OrderTimes } from '../domain/order-times.ts';
import type { Gateway } from '../router/gateway.ts';
import { plus } from '../units/branded.ts';
import {
  answeringBroker,
  type BrokerInputs,
  defineRoute,
  enveloped,
  json,
  orderId,
  type Route,
  success,
  time,
} from './define-route.ts';
import { mustBeAt } from './orders.ts';
import { ORDER_READS } from './declared-problems.ts';

const timesSchema = z
  .object({
    receivedAt: time.meta({ description: 'When the gateway had read the request' }),
    committedAt: time.meta({ description: 'When the order was on disk' }),
    sentAt: time
      .nullable()
      .meta({ description: 'When the request was written to the broker; null where it never was' }),
    answeredAt: time.meta({
      description: 'When its answer was there, or it was clear that there is none',
    }),
    committedMs: z.number().meta({ description: 'Received to committed, ms' }),
    sentMs: z
      .number()
      .nullable()
      .meta({ description: 'Committed to sent, ms; null where it never was' }),
    answeredMs: z
      .number()
      .nullable()
      .meta({ description: 'Sent to answered, ms; null where it never was sent' }),
  })
  .meta({ id: 'OrderTimes' });

const placingSchema = z
  .object({
    attemptId: z
      .string()
      .meta({ description: 'The id of the attempt, as in the history of the order' }),
    orderId: z.string().meta({ description: 'The order, or the slice of it that was sent' }),
    broker: answeringBroker,
    outcome: z
      .enum(['sending', 'acknowledged', 'refused', 'not_sent', 'uncertain', 'absent'])
      .meta({
        description:
          '`uncertain`: not known whether the broker has it; `absent`: then called not placed',
      }),
    times: timesSchema.nullable().meta({
      description: 'Null while it is on its way, and where the gateway stopped before the answer',
    }),
  })
  .meta({ id: 'Placing', description: 'One request to place an order, and how long it took' });

/** How long an order took, part by part (docs/operations.md). */
export function orderTimesRoutes(
  gateway: Pick<Gateway, 'getOrder' | 'getOrderTimes'>,
  { brokerQuery }: BrokerInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/orders/{id}/latency',
      scope: 'read',
      operationId: 'getOrderLatency',
      tag: 'Orders',
      summary: 'How long each request to place an order took, for orders of the last seven days',
      params: z.strictObject({ id: orderId }),
      query: brokerQuery,
      problems: ORDER_READS,
      replies: {
        200: {
          description: 'The requests, oldest first',
          schema: enveloped(z.array(placingSchema)),
        },
      },
      handler: async ({ params: { id }, query }) => {
        await mustBeAt(gateway, id, query.broker ?? null);
        const placings = await gateway.getOrderTimes(id);
        const data = placings.map(({ times, ...rest }) => ({
          ...rest,
          times: times && view(times),
        }));
        return json(200, success(data));
      },
    }),
  ];
}

function view({
  receivedAt,
  committedMs,
  sentMs,
  answeredMs,
}: OrderTimes): z.output<typeof timesSchema> {
  const after = (ms: number): string => istIso(plus(receivedAt, Math.round(ms)));
  return {
    receivedAt: after(0),
    committedAt: after(committedMs),
    sentAt: sentMs === null ? null : after(sentMs),
    answeredAt: after(answeredMs),
    committedMs,
    sentMs: sentMs === null ? null : microseconds(sentMs - committedMs),
    answeredMs: sentMs === null ? null : microseconds(answeredMs - sentMs),
  };
}

/** A difference of two decimals has digits that mean nothing. */
const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000;
