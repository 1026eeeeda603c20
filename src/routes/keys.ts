import { z } from 'zod';
import type { Callers, NewKey } from '../callers/callers.ts';
import { confinementOf, type Refused } from '../callers/confinement.ts';
import { CallerError } from '../callers/key-records.ts';
import type { BrokerInstance } from '../domain/broker.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { mustAllow } from './access.ts';
import {
  type BrokerInputs,
  defineRoute,
  enveloped,
  json,
  type Reply,
  type Route,
  success,
} from './define-route.ts';
import {
  keyChangeBody,
  keySchema,
  keyView,
  limitsOf,
  newKeyBody,
  newKeySchema,
} from './key-schemas.ts';
import { reason } from './kill-switch.ts';
import { CHANGING_KEY } from './declared-problems.ts';

/** The part of the callers that these routes use. */
export type KeyRegistry = Omit<Callers, 'authenticate' | 'current'>;

export const keyParams = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not the id of a key')
    .meta({ description: 'The id of the key', example: 'key_0193576c' }),
});
const path = '/api/v1/keys';
const common = { scope: 'admin' } as const;
const made = {
  description: 'The key, readable this once',
  schema: enveloped(newKeySchema),
  headers: ['Location'],
} as const;

/** Keys of other programs (docs/keys.md), for admins. */
export function keyRoutes(
  keys: KeyRegistry,
  brokers: readonly Pick<BrokerInstance, 'name' | 'mode'>[],
  { brokerName }: BrokerInputs,
): readonly Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'getKeys',
      tag: 'Keys',
      summary: 'Every key, revoked ones too, oldest first; never the key itself',
      problems: [],
      replies: { 200: { description: 'Keys', schema: enveloped(z.array(keySchema)) } },
      handler: () => json(200, success(keys.list().map(keyView))),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path,
      operationId: 'addKey',
      tag: 'Keys',
      summary: 'Adds a key',
      body: newKeyBody(brokerName),
      problems: ['name_taken', 'wrong_mode', 'journal_unavailable'],
      replies: { 201: made },
      handler: ({ body, caller }) => {
        const { name, scope, limits, broker = null, mode = null } = body;
        const { algoId = null, marketProtection = null } = body;
        const marks = { algoId, marketProtection };
        const confined = confinementOf(brokers, scope, { broker, mode }, refusedField);
        return change(() =>
          newKeyReply(
            201,
            keys.add(
              { ...{ name, scope, limits: limitsOf(limits), marks }, ...confined },
              caller.id,
            ),
          ),
        );
      },
    }),
    ...routesOfOneKey(keys),
  ];
}

function routesOfOneKey(keys: KeyRegistry): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      scope: 'read',
      operationId: 'getKey',
      tag: 'Keys',
      summary: 'One key, for admins; `me` for the key of the request',
      params: keyParams,
      problems: ['forbidden', 'unknown_key'],
      replies: { 200: { description: 'The key', schema: enveloped(keySchema) } },
      handler: ({ params: { id }, caller }) => {
        const own = id === 'me' ? caller.id : id;
        if (own !== caller.id) mustAllow(caller, 'admin', 'another key');
        const key = keys.list().find((each) => each.id === own);
        if (key) return json(200, success(keyView(key)));
        throw new GatewayProblem({
          code: 'unknown_key',
          detail: `no key has the id ${own}: GET /api/v1/keys lists them`,
        });
      },
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path: `${path}/{id}`,
      operationId: 'changeKey',
      tag: 'Keys',
      summary: 'Changes the name of a key, its limits, or what its orders carry',
      params: keyParams,
      body: keyChangeBody,
      problems: CHANGING_KEY,
      replies: { 200: { description: 'The key', schema: enveloped(keySchema) } },
      handler: ({ params: { id }, body: { name, limits, algoId, marketProtection }, caller }) =>
        change(() => {
          const marks = {
            ...(algoId === undefined ? {} : { algoId }),
            ...(marketProtection === undefined ? {} : { marketProtection }),
          };
          const changes = {
            marks,
            ...(name === undefined ? {} : { name }),
            ...(limits === undefined ? {} : { limits: limitsOf(limits) }),
          };
          return json(200, success(keyView(keys.change(id, changes, caller.id))));
        }),
    }),
    killSwitchRoute(keys),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/{id}/rotate`,
      operationId: 'rotateKey',
      tag: 'Keys',
      summary: 'Gives a key a new secret; the old one no longer works',
      params: keyParams,
      problems: CHANGING_KEY,
      replies: { 200: made },
      handler: ({ params: { id }, caller }) =>
        change(() => newKeyReply(200, keys.rotate(id, caller.id))),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'revokeKey',
      tag: 'Keys',
      summary: 'Revokes a key; its orders go on, and keep its name',
      params: keyParams,
      problems: CHANGING_KEY,
      replies: { 200: { description: 'The revoked key', schema: enveloped(keySchema) } },
      handler: ({ params: { id }, caller }) =>
        change(() => json(200, success(keyView(keys.revoke(id, caller.id))))),
    }),
  ];
}

/** A key of scope trade can stop itself; only admins stop others, and let orders pass again. */
function killSwitchRoute(keys: KeyRegistry): Route {
  const stopped = enveloped(keySchema).extend({
    meta: z
      .object({
        onDisk: z.boolean().meta({
          description: 'False while a stop could not be written yet: it holds until a restart',
        }),
      })
      .meta({ description: 'Whether the stop holds beyond a restart' }),
  });
  return defineRoute({
    method: 'POST',
    path: `${path}/{id}/kill-switch`,
    scope: 'trade',
    operationId: 'setKeyKillSwitch',
    tag: 'Keys',
    summary:
      'Engages or, with an admin key, releases the kill switch of one key; cancels and orders that only ' +
      'reduce a position always pass',
    params: keyParams,
    body: z
      .strictObject({
        engaged: z.boolean().meta({
          description:
            'True refuses orders of the key that open a position; false lets them pass, for an admin key',
        }),
        reason,
      })
      .meta({ id: 'KeyStopRequest' }),
    problems: CHANGING_KEY,
    replies: { 200: { description: 'The key', schema: stopped } },
    handler: ({ params: { id }, body, caller }) => {
      const own = id === 'me' ? caller.id : id;
      if (own !== caller.id) mustAllow(caller, 'admin', 'another key');
      if (!body.engaged) mustAllow(caller, 'admin', 'releasing the kill switch');
      const stop = body.engaged ? { reason: body.reason, by: caller.id } : null;
      return change(() => {
        const { key, onDisk } = keys.setStop(own, stop, caller.id);
        return json(200, success(keyView(key), { meta: { onDisk } }));
      });
    },
  });
}

const refusedField: Refused = (field, message, code) => refused(`body.${field}`, message, code);

function refused(
  where: string,
  message: string,
  code: 'invalid_request' | 'wrong_mode' = 'invalid_request',
): GatewayProblem {
  const error = code === 'invalid_request' ? {} : { code };
  return new GatewayProblem({
    ...{ code, detail: `${where}: ${message}` },
    errors: [{ path: where, message, ...error }],
  });
}

const CODES = {
  unknown: 'unknown_key',
  revoked: 'key_revoked',
  admin_key: 'admin_key',
  name_taken: 'name_taken',
} as const;

function change(run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    if (error.kind === 'bad_name') throw refused('body.name', error.message);
    const code = CODES[error.kind];
    throw new GatewayProblem({ code, detail: error.message, mayHaveExecuted: false });
  }
}

function newKeyReply(status: number, { caller, key }: NewKey): Reply {
  const location = { Location: `${path}/${caller.id}` };
  return json(status, success({ ...keyView(caller), key: key.reveal() }), location);
}
