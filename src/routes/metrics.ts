import { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';
import { defineRoute, type Route } from './define-route.ts';

/** The figures of the gateway, for Prometheus. */
export interface MetricsText {
  text(): Promise<string>;
  readonly contentType: string;
}

/** Needs a key, unlike `/health`: the figures tell how much is traded. */
export function metricsRoutes(metrics: MetricsText): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/metrics',
      scope: 'read',
      operationId: 'getMetrics',
      tag: 'Gateway',
      summary:
        'Figures for Prometheus: requests, calls of brokers, times of orders, limits, open orders',
      problems: ['forbidden'],
      replies: {
        200: {
          description: 'The figures, in the text format of Prometheus',
          schema: z.string(),
          contentType: 'text/plain',
        },
      },
      handler: async ({ caller }) => {
        if (caller.broker !== null || caller.mode !== null) throw forConfinedKey(caller.name);
        const content = { text: await metrics.text(), type: metrics.contentType };
        return { status: 200, content: { kind: 'text', ...content } };
      },
    }),
  ];
}

/** The figures are those of every account. */
function forConfinedKey(name: string): GatewayProblem {
  const detail = `The key ${name} is confined, and the figures are those of every account: use another key.`;
  return new GatewayProblem({ code: 'forbidden', detail });
}
