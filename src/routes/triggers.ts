import { z } from 'zod';
import type { ProblemFields } from '../domain/problem.ts';
import { isTriggerOver, LISTED_TRIGGER_STATUSES, type TriggerResponse } from '../domain/trigger.ts';
import type { Gateway } from '../router/gateway.ts';
import type { ListedTrigger, TriggerCallResult } from '../router/triggers.ts';
import { mustAllow } from './access.ts';
import {
  accounted,
  defineRoute,
  json,
  keyHeader,
  metaView,
  paged,
  problem,
  type Reply,
  type Route,
  success,
} from './define-route.ts';
import { ACCOUNT_READS, PLACING } from './declared-problems.ts';
import type { RouteInputs } from './order-schemas.ts';
import { modeOf, oneOf } from './orders.ts';
import { pageInputs, pageOf } from './pages.ts';
import { isAskedFor, statusFilter } from './status-filter.ts';
import {
  legsOf,
  listedTriggerSchema,
  listedTriggerView,
  triggerBodyOf,
  triggerSchema,
  triggerView,
} from './trigger-schemas.ts';

const MADE = ['Location', 'Idempotency-Key', 'Idempotent-Replayed'] as const;

const TRIGGERS = {
  list: 'triggers',
  id: ({ id, triggerId }: ListedTrigger) => triggerId ?? id ?? '',
  at: ({ createdAt }: ListedTrigger) => createdAt,
  view: listedTriggerView,
} as const;

const statuses = statusFilter(
  'Triggers',
  LISTED_TRIGGER_STATUSES,
  (status) => !isTriggerOver(status),
);

export const triggerReply = accounted(triggerSchema);

export function triggerRoutes(
  gateway: Gateway,
  { brokerQuery, brokerName, readQuery }: RouteInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/triggers',
      scope: 'read',
      operationId: 'getTriggers',
      tag: 'Triggers',
      summary:
        'A page of the orders that wait at the broker for a price, oldest first: GTTs and smart orders',
      query: readQuery
        .pick({ broker: true })
        .extend({ status: statuses.optional(), ...pageInputs('Triggers') }),
      problems: [...ACCOUNT_READS, 'wrong_cursor'],
      replies: { 200: { description: 'Triggers', schema: paged(z.array(listedTriggerSchema)) } },
      handler: async ({ query: { broker, status, ...query } }) => {
        const { data: all, meta } = await gateway.getTriggers({ broker });
        const asked = all.filter((each) => isAskedFor(status, each));
        const { data, nextCursor } = pageOf(asked, query, { ...TRIGGERS, of: meta.broker });
        return json(200, success(data, { meta: { ...metaView(meta), nextCursor } }));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/triggers',
      scope: 'trade',
      operationId: 'placeTrigger',
      tag: 'Triggers',
      summary: 'Places a trigger, at most once for each key',
      query: brokerQuery,
      headers: keyHeader,
      body: triggerBodyOf(brokerName),
      problems: PLACING,
      replies: {
        201: { description: 'The broker has the trigger', schema: triggerReply, headers: MADE },
        202: {
          description:
            'Whether the broker has the trigger is not known yet: read it until that is known',
          schema: triggerReply,
          headers: MADE,
        },
      },
      handler: async ({ query, headers, body, caller }) => {
        const broker = oneOf('broker', query.broker, body.broker);
        const key = oneOf('clientOrderId', headers['Idempotency-Key'], body.clientOrderId);
        const force = body.force === true;
        if (force) mustAllow(caller, 'admin', 'force');
        const result = await gateway.placeTrigger(
          {
            ...{ instrument: body.instrument, legs: legsOf(body.legs), broker },
            ...{ mode: modeOf(caller, body.mode), lastPrice: body.lastPrice ?? null },
          },
          { caller: caller.id, idempotencyKey: key, ...(force ? { force } : {}) },
        );
        return placedReply(result);
      },
    }),
  ];
}

/** While the outcome is open, no reply says that the trigger was not placed. */
function placedReply(result: TriggerCallResult): Reply {
  const { trigger } = result;
  const headers = {
    ...replayHeaders(result),
    Location: `/api/v1/triggers/${encodeURIComponent(trigger.id)}`,
  };
  switch (trigger.status) {
    case 'sending':
    case 'uncertain':
      return json(202, triggerBody(result), headers);
    case 'refused':
    case 'absent': {
      const detail = trigger.reason ?? 'The broker refused the trigger; it was not placed.';
      return problem(422, closed('order_refused', detail, result), headers);
    }
    case 'not_sent': {
      const detail = trigger.reason ?? 'The trigger was not sent to any broker.';
      return problem(503, closed('order_not_sent', detail, result), headers);
    }
    default:
      return json(201, triggerBody(result), headers);
  }
}

/** The reply to a modification or a deletion: the trigger in its present state. */
export function changedReply(result: TriggerCallResult): Reply {
  const { change, trigger, onDisk } = result;
  const headers = replayHeaders(result);
  const reason = change?.reason ?? null;
  switch (change?.status) {
    case 'sending':
    case 'uncertain':
      return json(202, triggerBody(result), headers);
    case 'refused':
    case 'not_taken': {
      const detail = reason ?? 'The broker refused the change; the trigger is as it was.';
      return problem(422, closed('change_refused', detail, result), headers);
    }
    case 'not_sent': {
      const detail = reason ?? 'The change was not sent to the broker.';
      return problem(503, closed('order_not_sent', detail, result), headers);
    }
    default:
      // A deletion that the broker has acknowledged, and that its list has not shown yet, or whose disk takes nothing.
      return json(isUnseen(trigger, onDisk) ? 202 : 200, triggerBody(result), headers);
  }
}

const isUnseen = (trigger: TriggerResponse, onDisk: false | undefined): boolean =>
  trigger.deleteWanted || (onDisk === false && trigger.status === 'waiting');

export function resolvedReply(result: TriggerCallResult): Reply {
  return json(200, triggerBody(result), replayHeaders(result));
}

function closed(
  code: 'order_refused' | 'change_refused' | 'order_not_sent',
  detail: string,
  { trigger }: TriggerCallResult,
): ProblemFields {
  return {
    ...{ code, detail, broker: trigger.broker, mayHaveExecuted: false },
    extra: { trigger: triggerView(trigger) },
  };
}

function triggerBody({ trigger, onDisk }: TriggerCallResult) {
  const { broker, mode } = trigger;
  const unwritten = onDisk === false ? { onDisk } : {};
  return success(triggerView(trigger), { meta: { broker, mode, ...unwritten } });
}

function replayHeaders({ idempotencyKey, repeated }: TriggerCallResult) {
  return {
    'Idempotency-Key': idempotencyKey,
    ...(repeated ? { 'Idempotent-Replayed': 'true' } : {}),
  };
}
