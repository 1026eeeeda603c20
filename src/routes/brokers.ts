import { z } from 'zod';
import { BROKERS } from '../domain/broker.ts';
import type { BrokerStatus, Gateway } from '../router/gateway.ts';
import { defineRoute, json, type Route } from './define-route.ts';
import { enveloped, success } from './envelope.ts';

const brokerStatusSchema = z
  .object({
    broker: z.enum(BROKERS),
    mode: z.enum(['live', 'paper']),
    serves: z.array(z.enum(['market_data', 'account', 'trading'])),
    available: z.boolean(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'BrokerStatus' });

export function brokerRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/brokers',
      scope: 'read',
      summary: 'Who serves what, and why',
      replies: {
        200: { description: 'Brokers', schema: enveloped(z.array(brokerStatusSchema)) },
      },
      handler: () => json(200, success(gateway.getBrokers().map(view))),
    }),
  ];
}

function view(status: BrokerStatus): z.output<typeof brokerStatusSchema> {
  return {
    broker: status.broker,
    mode: status.mode,
    serves: [...status.serves],
    available: status.available,
    reason: status.reason,
  };
}
