import { z } from 'zod';
import { defineRoute, enveloped, json, type Route, success } from './define-route.ts';

/** What the route of arming needs: whether the directory is disarmed, and who may say otherwise. */
export interface ArmingCalls {
  /** `by` is the id of the key. True when it was disarmed before. */
  arm(by: string): Promise<boolean>;
}

const bodySchema = z
  .strictObject({
    oldGatewayIsStopped: z
      .literal(true, 'takes true, once the gateway of the original is stopped')
      .meta({ description: 'Your word that the gateway of the original directory is stopped' }),
  })
  .meta({ id: 'Arm', example: { oldGatewayIsStopped: true } });

const armedSchema = z
  .object({
    armed: z.literal(true).meta({ description: 'Orders pass from now on' }),
    wasDisarmed: z.boolean().meta({ description: 'False when orders passed before already' }),
  })
  .meta({ id: 'Armed' });

/** Says that the original of a copied data directory is stopped (docs/moving.md). */
export function armRoute(arming: ArmingCalls): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/arm',
    scope: 'admin',
    operationId: 'arm',
    tag: 'Safety',
    summary:
      'Lets orders pass on a data directory that is a copy or was restored: say that the old gateway is stopped',
    body: bodySchema,
    problems: ['journal_unavailable'],
    replies: { 200: { description: 'Orders pass', schema: enveloped(armedSchema) } },
    handler: async ({ caller }) => {
      const wasDisarmed = await arming.arm(caller.id);
      return json(200, success({ armed: true, wasDisarmed }));
    },
  });
}
