import { z } from 'zod';
import { defineRoute, json, problem, type Route } from './define-route.ts';
import { enveloped, success } from './envelope.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, for a person; empty when ready. */
  readonly reasons: readonly string[];
}

export function healthRoutes(ready: () => Readiness): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health/live',
      scope: 'none',
      summary: 'Whether the process answers',
      replies: {
        200: { description: 'It does', schema: enveloped(z.object({ live: z.literal(true) })) },
      },
      handler: () => json(200, success({ live: true })),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      scope: 'none',
      summary:
        'Whether what a crash left open has been looked up; who serves what: /api/v1/brokers',
      replies: {
        200: {
          description: 'It has, or nothing was left open',
          schema: enveloped(z.object({ ready: z.literal(true) })),
        },
      },
      handler: () => {
        const { ready: isReady, reasons } = ready();
        if (isReady) return json(200, success({ ready: true }));
        const detail = reasons.length === 0 ? 'Not ready yet.' : reasons.join('; ');
        return problem(503, { code: 'recovering', detail, extra: { ready: false, reasons } });
      },
    }),
  ];
}
