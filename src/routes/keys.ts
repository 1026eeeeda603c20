import { z } from 'zod';
import { type KeyRecord, SCOPES } from '../callers/caller.ts';
import { CallerError, type Callers, type NewKey } from '../callers/callers.ts';
import { type BrokerId, type BrokerInstance, type Mode, MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem } from '../domain/problem.ts';
import {
  answeringMode,
  type BrokerInputs,
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  printable,
  type Reply,
  type Route,
  success,
  time,
} from './define-route.ts';

/** The part of the callers that these routes use. */
export type KeyRegistry = Pick<Callers, 'list' | 'add' | 'rotate' | 'revoke'>;

const by = z
  .string()
  .nullable()
  .meta({ description: 'Id of the key that asked for it; null for the command line' });

const keySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(SCOPES),
    broker: z.string().nullable().meta({
      description: 'The only broker for its orders and portfolio; null for all',
    }),
    mode: answeringMode.nullable().meta({
      description: '`live`: its orders never go to a paper account; `paper`: they go nowhere else',
    }),
    createdAt: time,
    createdBy: by,
    rotatedAt: time.nullable(),
    rotatedBy: by,
    revokedAt: time.nullable().meta({ description: 'Null while the key is valid' }),
    revokedBy: by,
  })
  .meta({ id: 'Key' });

const newKeySchema = keySchema
  .extend({ key: z.string().meta({ description: 'Shown this once: only its hash is stored' }) })
  .meta({ id: 'NewKey' });

const bodyOf = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      name: printable(64),
      scope: z.enum(SCOPES),
      broker: brokerName.optional().meta({
        description: 'Confines the key to this broker, for orders and the portfolio',
      }),
      mode: z.enum(MODES).optional(),
    })
    .meta({ id: 'KeyRequest' });

const params = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not the id of a key'),
});
const path = '/api/v1/keys';

/** Keys of other programs (docs/keys.md), for admins. */
export function keyRoutes(
  keys: KeyRegistry,
  brokers: readonly Pick<BrokerInstance, 'name' | 'mode'>[],
  { brokerName }: BrokerInputs,
): readonly Route[] {
  const common = { scope: 'admin' } as const;
  const made = { description: 'The key, readable this once', schema: enveloped(newKeySchema) };
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      summary: 'Every key, revoked ones too, oldest first; never the key itself',
      replies: { 200: { description: 'Keys', schema: enveloped(z.array(keySchema)) } },
      handler: () => json(200, success(keys.list().map(keyView))),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path,
      summary: 'Adds a key',
      body: bodyOf(brokerName),
      replies: { 201: made },
      handler: ({ body, caller }) => {
        const { broker = null, mode = null } = body;
        const confined = confinement(brokers, body.scope, broker, mode);
        return change(() =>
          newKeyReply(
            201,
            keys.add({ name: body.name, scope: body.scope, ...confined }, caller.id),
          ),
        );
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/{id}/rotate`,
      summary: 'Gives a key a new secret; the old one no longer works',
      params,
      replies: { 200: made },
      handler: ({ params: { id }, caller }) =>
        change(() => newKeyReply(200, keys.rotate(id, caller.id))),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Revokes a key; its orders go on, and keep its name',
      params,
      replies: { 200: { description: 'The revoked key', schema: enveloped(keySchema) } },
      handler: ({ params: { id }, caller }) =>
        change(() => json(200, success(keyView(keys.revoke(id, caller.id))))),
    }),
  ];
}

/** A key for paper alone is confined to the paper account, so that no other rule is needed for it. */
function confinement(
  brokers: readonly Pick<BrokerInstance, 'name' | 'mode'>[],
  scope: string,
  broker: BrokerId | null,
  mode: Mode | null,
): { broker: BrokerId | null; mode: Mode | null } {
  if (scope === 'admin' && (broker !== null || mode !== null)) {
    throw refused('body.scope', 'is admin, and an admin key can be confined to nothing');
  }
  const found = brokers.find(({ name }) => name === broker);
  if (found !== undefined && mode !== null && found.mode !== mode) {
    throw refused('body.mode', `is ${mode}, and the broker ${found.name} is ${found.mode}`);
  }
  if (mode !== 'paper' || broker !== null) return { broker, mode };
  const [paper, ...others] = brokers.filter((each) => each.mode === 'paper');
  if (paper === undefined) throw refused('body.mode', 'is paper, and there is no paper account');
  if (others.length > 0) {
    throw refused(
      'body.broker',
      'is required with mode paper, since there are several paper accounts',
    );
  }
  return { broker: paper.name, mode };
}

function refused(where: string, message: string): GatewayProblem {
  return new GatewayProblem({
    code: 'invalid_request',
    detail: `${where}: ${message}`,
    errors: [{ path: where, message }],
  });
}

function change(run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    const code = error.kind === 'unknown' ? 'unknown_key' : 'key_refused';
    throw new GatewayProblem({ code, detail: error.message, mayHaveExecuted: false });
  }
}

function newKeyReply(status: number, { caller, key }: NewKey): Reply {
  const location = { Location: `${path}/${caller.id}` };
  return json(status, success({ ...keyView(caller), key: key.reveal() }), location);
}

function keyView(key: KeyRecord): z.output<typeof keySchema> {
  const { id, name, scope, broker, mode, createdBy, rotatedBy, revokedBy } = key;
  return {
    ...{ id, name, scope, broker, mode, createdBy, rotatedBy, revokedBy },
    createdAt: istIso(key.createdAt),
    rotatedAt: isoOrNull(key.rotatedAt),
    revokedAt: isoOrNull(key.revokedAt),
  };
}
