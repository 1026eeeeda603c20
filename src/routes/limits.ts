import { z } from 'zod';
import type { BrokerLimits, Gateway } from '../router/gateway.ts';
import {
  answeringBroker,
  type BrokerInputs,
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  type Route,
  success,
  time,
} from './define-route.ts';

const window = z.object({
  seconds: z
    .number()
    .meta({ description: 'Length of the rolling window in seconds; 86400 is a ' + 'day' }),
  limit: z.int(),
  left: z.int().meta({ description: 'Calls that the window still allows now' }),
});

const brokerLimitsSchema = z
  .object({
    broker: answeringBroker,
    buckets: z.array(
      z.object({
        name: z.string().meta({ description: 'Which calls count towards it: orders, quotes, …' }),
        windows: z.array(window),
        waiting: z.int().meta({ description: 'Calls that wait for a place' }),
        pausedUntil: time
          .nullable()
          .meta({ description: 'No call leaves before this time; null ' + 'without a pause' }),
      }),
    ),
  })
  .meta({ id: 'BrokerLimits' });

export function limitRoutes(gateway: Gateway, { brokerQuery }: BrokerInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/limits',
      scope: 'read',
      summary: "What is left of the brokers' rate limits, as the gateway counts them",
      query: brokerQuery,
      replies: {
        200: { description: 'Limits', schema: enveloped(z.array(brokerLimitsSchema)) },
      },
      handler: ({ query }) => json(200, success(gateway.getLimits(query).map(view))),
    }),
  ];
}

function view({ broker, buckets }: BrokerLimits): z.output<typeof brokerLimitsSchema> {
  return {
    broker,
    buckets: buckets.map(({ name, windows, waiting, pausedUntil }) => ({
      name,
      windows: windows.map(({ perMs, limit, left }) => ({ seconds: perMs / 1000, limit, left })),
      waiting,
      pausedUntil: isoOrNull(pausedUntil),
    })),
  };
}
