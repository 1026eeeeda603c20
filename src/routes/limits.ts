import { z } from 'zod';
import type { BrokerLimits, Gateway } from '../router/gateway.ts';
import { defineRoute, json, type Route } from './define-route.ts';
import { answeringBroker, enveloped, success } from './envelope.ts';
import type { BrokerInputs } from './inputs.ts';
import { isoOrNull, time } from './time.ts';

const window = z.object({
  seconds: z.number().meta({ description: 'Any so many seconds, rolling; 86400 is a day' }),
  limit: z.int(),
  left: z.int().meta({ description: 'Calls that could still leave now' }),
});

const brokerLimitsSchema = z
  .object({
    broker: answeringBroker,
    buckets: z.array(
      z.object({
        name: z.string().meta({ description: 'What counts towards it: orders, quotes, …' }),
        windows: z.array(window),
        waiting: z.int().meta({ description: 'Calls that wait for a place' }),
        pausedUntil: time.nullable().meta({ description: 'No call leaves before; null when none' }),
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
      summary: "What is left of the brokers' limits on calls, as the gateway keeps them",
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
