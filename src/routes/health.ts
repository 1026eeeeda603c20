import { z } from 'zod';
import type { Gateway } from '../router/gateway.ts';
import { defineRoute, enveloped, json, problem, type Route, success } from './define-route.ts';
import { listNotices } from './list-notices.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why the gateway is not ready, for people; empty when it is. */
  readonly reasons: readonly string[];
  /** What works only in part, for people: it quotes nothing from a broker. */
  readonly notices: readonly string[];
}

const readySchema = z.object({
  ready: z.literal(true),
  notices: z.array(z.string()).meta({
    description:
      'What works only in part, for people: instrument lists that could not be read, and order ' +
      'books with open orders that cannot be read',
  }),
});

/**
 * Being ready does not depend on instrument lists, nor on an order book that cannot be read now:
 * `notices` names them.
 */
export function healthRoutes(
  ready: () => Readiness,
  gateway: Pick<Gateway, 'getBrokers'>,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health/live',
      scope: 'none',
      summary: 'Whether the process responds',
      replies: {
        200: {
          description: 'The process responds',
          schema: enveloped(z.object({ live: z.literal(true) })),
        },
      },
      handler: () => json(200, success({ live: true })),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      scope: 'none',
      summary:
        'Whether orders that a crash left open have been looked up; /api/v1/brokers says which ' +
        'broker serves what',
      replies: {
        200: {
          description: 'They have been looked up, or none were left open',
          schema: enveloped(readySchema),
        },
      },
      handler: () => {
        const { ready: isReady, reasons, notices: ofBooks } = ready();
        const notices = [...listNotices(gateway.getBrokers()), ...ofBooks];
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
