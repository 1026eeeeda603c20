import { z } from 'zod';
import type { Gateway } from '../router/gateway.ts';
import { defineRoute, json, problem, type Route } from './define-route.ts';
import { enveloped, success } from './envelope.ts';
import { listNotices } from './list-notices.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, for a person; empty when ready. */
  readonly reasons: readonly string[];
}

const readySchema = z.object({
  ready: z.literal(true),
  notices: z.array(z.string()).meta({
    description:
      'What works less than whole, for a person: instrument lists that could not be read',
  }),
});

/** Ready says nothing of instrument lists: the ones that could not be read are told as `notices`. */
export function healthRoutes(
  ready: () => Readiness,
  gateway: Pick<Gateway, 'getBrokers'>,
): readonly Route[] {
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
          schema: enveloped(readySchema),
        },
      },
      handler: () => {
        const { ready: isReady, reasons } = ready();
        const notices = [...listNotices(gateway.getBrokers())];
        if (isReady) return json(200, success({ ready: true, notices }));
        const detail = reasons.length === 0 ? 'Not ready yet.' : reasons.join('; ');
        return problem(503, {
          code: 'recovering',
          detail,
          extra: { ready: false, reasons, notices },
        });
      },
    }),
  ];
}
