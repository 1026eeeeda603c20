import { z } from 'zod';
import { ABOUT_ORDER, sentUnwritten } from './answer-parts.ts';
import type { Caller } from '../callers/caller.ts';
import type { BrokerId } from '../domain/broker.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { TriggerResponse } from '../domain/trigger.ts';
import type { Gateway } from '../router/gateway.ts';
import type { TriggerContext, TriggerResolveWord } from '../router/triggers.ts';
import { mustAllow } from './access.ts';
import { defineRoute, enveloped, json, keyHeader, type Route, success } from './define-route.ts';
import {
  CHANGING_TRIGGERS,
  DELETING_TRIGGERS,
  RESOLVING_TRIGGERS,
  TRIGGER_READS,
} from './declared-problems.ts';
import type { RouteInputs } from './order-schemas.ts';
import { oneOf } from './orders.ts';
import {
  triggerChangeBodyOf,
  triggerIdParams as params,
  triggerResolveBody,
  triggerSchema,
  triggerView,
} from './trigger-schemas.ts';
import { changedReply, resolvedReply, triggerReply } from './triggers.ts';

const KEYED = ['Idempotency-Key', 'Idempotent-Replayed'] as const;
/** The reply to a change of a trigger. */
export const changeReply = triggerReply.extend({
  meta: triggerReply.shape.meta
    .extend({
      onDisk: sentUnwritten('a deletion'),
    })
    .meta(ABOUT_ORDER),
});
const changeReplies = {
  200: { description: 'The trigger in its present state', schema: changeReply, headers: KEYED },
  202: {
    description: 'Whether the change took effect is not known yet',
    schema: changeReply,
    headers: KEYED,
  },
};

export function triggerByIdRoutes(
  gateway: Gateway,
  { brokerName, brokerQuery }: RouteInputs,
): readonly Route[] {
  const path = '/api/v1/triggers/{id}';
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'read',
      operationId: 'getTrigger',
      tag: 'Triggers',
      summary: 'One trigger of the gateway',
      params,
      query: brokerQuery,
      problems: TRIGGER_READS,
      replies: { 200: { description: 'The trigger', schema: enveloped(triggerSchema) } },
      handler: async ({ params: { id }, query }) => {
        const trigger = await mustBeAt(gateway, id, query.broker ?? null);
        return json(200, success(triggerView(trigger ?? (await gateway.getTrigger(id)))));
      },
    }),
    defineRoute({
      method: 'PATCH',
      path,
      scope: 'trade',
      operationId: 'modifyTrigger',
      tag: 'Triggers',
      summary: 'Modifies a trigger',
      params,
      query: brokerQuery,
      headers: keyHeader,
      body: triggerChangeBodyOf(brokerName),
      problems: CHANGING_TRIGGERS,
      replies: changeReplies,
      handler: async ({ params: { id }, query, headers, body, caller }) => {
        await mustBeAt(gateway, id, oneOf('broker', query.broker, body.broker));
        const force = body.force === true;
        if (force) mustAllow(caller, 'admin', 'force');
        const legs = body.legs.map((leg) => ({
          triggerPrice: leg.triggerPrice ?? null,
          quantity: leg.quantity ?? null,
          price: leg.price ?? null,
        }));
        const context = { ...contextOf(caller, headers), ...(force ? { force } : {}) };
        const changes = { legs, lastPrice: body.lastPrice ?? null };
        return changedReply(await gateway.modifyTrigger(id, changes, context));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      scope: 'trade',
      operationId: 'deleteTrigger',
      tag: 'Triggers',
      summary: 'Deletes a trigger',
      params,
      query: brokerQuery,
      headers: keyHeader,
      body: z
        .strictObject({
          broker: brokerName.optional().meta({
            description: 'The broker of the trigger: another one is refused',
          }),
        })
        .optional(),
      problems: DELETING_TRIGGERS,
      replies: changeReplies,
      handler: async ({ params: { id }, query, headers, body, caller }) => {
        await mustBeAt(gateway, id, oneOf('broker', query.broker, body?.broker));
        return changedReply(await gateway.deleteTrigger(id, contextOf(caller, headers)));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/resolve`,
      scope: 'admin',
      operationId: 'resolveTrigger',
      tag: 'Triggers',
      summary: 'Says what became of a trigger whose outcome is open',
      params,
      query: brokerQuery,
      headers: keyHeader,
      body: triggerResolveBody,
      problems: RESOLVING_TRIGGERS,
      replies: {
        200: {
          description: 'The trigger in its present state',
          schema: triggerReply,
          headers: KEYED,
        },
      },
      handler: async ({ params: { id }, query, headers, body, caller }) => {
        await mustBeAt(gateway, id, query.broker ?? null);
        const context = contextOf(caller, headers);
        return resolvedReply(await gateway.resolveTrigger(id, wordOf(body), context));
      },
    }),
  ];
}

/** What a person says: the schema takes one of three. */
function wordOf(body: z.output<typeof triggerResolveBody>): TriggerResolveWord {
  const { placed, filled, averagePrice = null, force = false } = body;
  if (filled !== undefined) return { kind: 'filled', quantity: filled, averagePrice };
  return placed === undefined ? { kind: 'absent' } : { kind: 'placed', triggerId: placed, force };
}

/** Where a request names a broker, it must be the trigger's; null where it names none. */
async function mustBeAt(
  gateway: Pick<Gateway, 'getTrigger'>,
  id: string,
  broker: BrokerId | null,
): Promise<TriggerResponse | null> {
  if (broker === null) return null;
  const trigger = await gateway.getTrigger(id);
  if (trigger.broker === broker) return trigger;
  const detail = `There is no trigger ${id} at ${broker}; it is at ${trigger.broker}.`;
  throw new GatewayProblem({ code: 'unknown_trigger', detail, broker });
}

const contextOf = (caller: Caller, headers: z.output<typeof keyHeader>): TriggerContext => ({
  caller: caller.id,
  idempotencyKey: headers['Idempotency-Key'] ?? null,
});
