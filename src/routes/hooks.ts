import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Hook } from '../domain/signal-template.ts';
import type { Secret } from '../platform/secret.ts';
import { defineRoute, enveloped, json, type Reply, type Route, success } from './define-route.ts';
import {
  hookBody,
  hookChangeBody,
  hookSchema,
  type HookView,
  hookView,
  newHookSchema,
} from './hook-schemas.ts';

export type { HookView } from './hook-schemas.ts';

export type HookRequest = Omit<Hook, 'id'>;

/**
 * The key stays: a repeat of an alert would be placed as an order of another key. The mode follows from that of
 * the key.
 */
export type HookChanges = Partial<Omit<HookRequest, 'key' | 'mode'>>;

export interface NewHook {
  readonly hook: HookView;
  /** Shown only once, because only its hash is stored. */
  readonly secret: Secret;
}

/** What the routes need of hooks. A change holds at once; where it cannot be written, nothing has changed. */
export interface HookRegistry {
  list(): readonly HookView[];
  /** Throws `invalid_request`. */
  add(request: HookRequest, by: string): NewHook;
  /** Null where there is no such one. The old secret no longer works when it returns. */
  rotate(id: string, by: string): NewHook | null;
  /**
   * Resolves once the event of the change and the change itself are on disk; null where there is no such hook.
   * Rejects with `invalid_request`, or `journal_unavailable`; nothing has changed then.
   */
  change(id: string, changes: HookChanges, by: string): Promise<HookView | null>;
  remove(id: string, by: string): HookView | null;
}

/** Real money is asked for in so many words. */
const [, PAPER] = MODES;

const params = z.strictObject({
  id: z
    .string()
    .regex(/^hook_[0-9a-f-]{36}$/, 'takes the id of a hook')
    .meta({
      description: 'The id of the hook',
      example: 'hook_0193576c-2f00-7000-8000-000000000000',
    }),
});

const path = '/api/v1/hooks';
const common = { scope: 'admin', tag: 'Signals' } as const;
const made = {
  description: 'The hook, with its secret path',
  schema: enveloped(newHookSchema),
} as const;
const one = { description: 'The hook, as it was', schema: enveloped(hookSchema) } as const;

/** Addresses at which other programs post alerts (docs/signals.md), for admins. */
export function hookRoutes(hooks: HookRegistry): readonly Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'getHooks',
      summary: 'The hooks, oldest first; never their secrets',
      problems: ['journal_unavailable'],
      replies: { 200: { description: 'Hooks', schema: enveloped(z.array(hookSchema)) } },
      handler: () => json(200, success(hooks.list().map(hookView))),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path,
      operationId: 'addHook',
      summary: 'Adds a hook: its secret path is shown once',
      body: hookBody,
      problems: ['journal_unavailable'],
      replies: { 201: { ...made, headers: ['Location'] } },
      handler: ({ body: { template, ...body }, caller }) => {
        const { mode = PAPER, addresses = null, maxAgeSeconds = null } = body;
        const request = {
          ...{ name: body.name, key: body.key, mode, template: templateOf(template) },
          ...{ addresses, maxAgeSeconds },
        };
        return newHookReply(201, hooks.add(request, caller.id), { Location: path });
      },
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path: `${path}/{id}`,
      operationId: 'changeHook',
      summary: 'Changes a hook: its path, its key and what tells its alerts apart stay',
      params,
      body: hookChangeBody,
      problems: ['unknown_hook', 'journal_unavailable'],
      replies: { 200: { description: 'The hook', schema: enveloped(hookSchema) } },
      handler: async ({ params: { id }, body: { template, ...others }, caller }) => {
        const changes = {
          ...given(others),
          ...(template === undefined ? {} : { template: templateOf(template) }),
        };
        return json(200, success(hookView(known(id, await hooks.change(id, changes, caller.id)))));
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/{id}/rotate`,
      operationId: 'rotateHook',
      summary: 'A new secret path for the same hook; the old one no longer works',
      params,
      problems: ['unknown_hook', 'journal_unavailable'],
      replies: { 200: made },
      handler: ({ params: { id }, caller }) =>
        newHookReply(200, known(id, hooks.rotate(id, caller.id))),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'deleteHook',
      summary: 'Deletes a hook: nothing that is posted there is taken any more',
      params,
      problems: ['unknown_hook', 'journal_unavailable'],
      replies: { 200: one },
      handler: ({ params: { id }, caller }) =>
        json(200, success(hookView(known(id, hooks.remove(id, caller.id))))),
    }),
  ];
}

function templateOf(template: z.output<typeof hookBody>['template']): Hook['template'] {
  const { id, order, time = null, text = null, forEach = [], words = {} } = template;
  const { maxQuantity = null } = template;
  return {
    ...{ id, time, text, forEach, maxQuantity },
    ...{ order: given(order), words: given(words) },
  };
}

function newHookReply(
  status: number,
  { hook, secret }: NewHook,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const data = { ...hookView(hook), path: `/hooks/${secret.reveal()}` };
  return json(status, success(data), headers);
}

/** The fields that are there. */
function given<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}

function known<T>(id: string, found: T | null): T {
  if (found !== null) return found;
  const detail = `There is no hook ${id}: GET /api/v1/hooks lists them.`;
  throw new GatewayProblem({ code: 'unknown_hook', detail });
}
