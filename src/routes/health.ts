import { z } from 'zod';
import type { Gateway } from '../router/gateway.ts';
import { defineRoute, enveloped, json, problem, type Route, success } from './define-route.ts';
import { missingNow, missingSchema } from './missing.ts';
import { listNotices } from './list-notices.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why the gateway is not ready, for people; empty when it is. */
  readonly reasons: readonly string[];
  /** What works only in part, for people: it quotes nothing from a broker. */
  readonly notices: readonly string[];
  /** The disk is nearly full: only cancels and exits are taken. */
  readonly isDiskLow: boolean;
  /** Why nothing is sent, where the data directory may be a copy; null otherwise. */
  readonly disarmed: string | null;
}

const readySchema = z.object({
  ready: z.literal(true).meta({ description: 'Orders are taken' }),
  missing: z.array(missingSchema).meta({
    description:
      'What does not work now: prices, the account, live orders, instruments, new orders',
  }),
  notices: z.array(z.string()).meta({
    description:
      'What works only in part, for people: instrument lists that could not be read, and order ' +
      'books with open orders that cannot be read',
  }),
});

/**
 * Being ready does not depend on a login, on instrument lists, nor on an order book that cannot be
 * read now: `missing` and `notices` name them.
 */
export function healthRoutes(
  ready: () => Readiness,
  gateway: Pick<Gateway, 'getBrokers' | 'getKillSwitch'>,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health/live',
      scope: 'none',
      operationId: 'getLiveness',
      tag: 'Gateway',
      summary: 'Whether the process responds',
      problems: [],
      replies: {
        200: {
          description: 'The process responds',
          schema: enveloped(
            z.object({
              live: z.literal(true).meta({ description: 'The process runs and answers' }),
            }),
          ),
        },
      },
      handler: () => json(200, success({ live: true })),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      scope: 'none',
      operationId: 'getReadiness',
      tag: 'Gateway',
      summary:
        'Whether orders that a crash left open have been looked up, and what does not work now',
      problems: ['recovering'],
      replies: {
        200: {
          description: 'They have been looked up, or none were left open',
          schema: enveloped(readySchema),
        },
      },
      handler: () => {
        const { ready: isReady, reasons, notices: ofBooks, isDiskLow, disarmed } = ready();
        const brokers = gateway.getBrokers();
        const deadTokens = brokers.flatMap(({ deadToken }) => deadToken ?? []);
        const notices = [...listNotices(brokers), ...deadTokens, ...ofBooks];
        const missing = missingNow(brokers, gateway.getKillSwitch(), { isDiskLow, disarmed });
        if (isReady) return json(200, success({ ready: true, missing, notices }));
        const detail = reasons.length === 0 ? 'Not ready yet.' : reasons.join('; ');
        return problem(503, {
          code: 'recovering',
          detail,
          extra: { ready: false, reasons, missing, notices },
        });
      },
    }),
  ];
}
