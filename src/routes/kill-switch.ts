import { z } from 'zod';
import type { Gateway, KillSwitchState } from '../router/gateway.ts';
import { defineRoute, json, type Route } from './define-route.ts';
import { enveloped, success } from './envelope.ts';
import { isoOrNull, time } from './time.ts';

const killSwitchSchema = z
  .object({ thrown: z.boolean(), reason: z.string().nullable(), changedAt: time.nullable() })
  .meta({ id: 'KillSwitch' });

const replies = {
  200: { description: 'The kill switch as it stands', schema: enveloped(killSwitchSchema) },
};

export function killSwitchRoutes(gateway: Gateway): readonly Route[] {
  const path = '/api/v1/kill-switch';
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'read',
      summary: 'Whether new orders are refused, and why',
      replies,
      handler: () => json(200, success(view(gateway.getKillSwitch()))),
    }),
    defineRoute({
      method: 'POST',
      path,
      scope: 'trade',
      summary: 'Throws or releases the kill switch; cancels and reductions always pass',
      body: z
        .strictObject({
          thrown: z.boolean(),
          reason: z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'takes 1 to 200 characters'),
        })
        .meta({ id: 'KillSwitchChange' }),
      replies,
      handler: async ({ body, caller }) => {
        const context = { caller: caller.id, idempotencyKey: null };
        return json(
          200,
          success(view(await gateway.setKillSwitch(body.thrown, body.reason, context))),
        );
      },
    }),
  ];
}

function view(state: KillSwitchState): z.output<typeof killSwitchSchema> {
  return {
    thrown: state.thrown,
    reason: state.reason,
    changedAt: isoOrNull(state.changedAt),
  };
}
