import type { OwnTriggerStatus } from '../../src/domain/trigger.ts';
import type { GatewayProblem } from '../../src/domain/problem.ts';
import { problemSchema } from '../../src/routes/problems.ts';
import { changeReply } from '../../src/routes/trigger-by-id.ts';
import { triggerSchema } from '../../src/routes/trigger-schemas.ts';
import { changedReply } from '../../src/routes/triggers.ts';
import type { CallContext, Gateway } from '../../src/router/gateway.ts';
import type {
  TriggerModification,
  TriggerPlacing,
  TriggerResolveWord,
} from '../../src/router/triggers.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import type { ChangeWord } from './asked-triggers.ts';
import { problemFrom } from './told-orders.ts';

/** What a program is told of a trigger, whichever way it asks. */
export interface ToldTrigger {
  readonly id: string;
  readonly status: OwnTriggerStatus;
  readonly triggerId: string | null;
  readonly reason: string | null;
}

export interface ToldTriggerResult {
  readonly trigger: ToldTrigger;
  /** Null where nothing was to change. */
  readonly says: ChangeWord | null;
  /** Of a deletion that the disk did not take. */
  readonly isUnwritten?: boolean;
}

/** The calls about triggers that programs and people make. */
export interface CalledTriggers {
  placeTrigger(request: TriggerPlacing, context: CallContext): Promise<ToldTriggerResult>;
  modifyTrigger(
    id: string,
    changes: TriggerModification,
    context: CallContext,
  ): Promise<ToldTriggerResult>;
  deleteTrigger(id: string, context: CallContext): Promise<ToldTriggerResult>;
  resolveTrigger(
    id: string,
    word: TriggerResolveWord,
    context: CallContext,
  ): Promise<ToldTriggerResult>;
  getTrigger(id: string): Promise<ToldTrigger>;
  getTriggers(): Promise<unknown>;
}

const wordOf = (status: number): ChangeWord =>
  status === 202 ? 'open' : status < 400 ? 'done' : 'not_done';

/** Calls the router itself; what is done is told by the status that its route answers with. */
export const triggersDirectly = (gateway: Gateway): CalledTriggers => ({
  placeTrigger: async (request, context) => ({
    trigger: (await gateway.placeTrigger(request, context)).trigger,
    says: null,
  }),
  async modifyTrigger(id, changes, context) {
    const result = await gateway.modifyTrigger(id, changes, context);
    return { trigger: result.trigger, says: wordOf(changedReply(result).status) };
  },
  async deleteTrigger(id, context) {
    const result = await gateway.deleteTrigger(id, context);
    const says = wordOf(changedReply(result).status);
    return { trigger: result.trigger, says, isUnwritten: result.onDisk === false };
  },
  resolveTrigger: async (id, word, context) => ({
    trigger: (await gateway.resolveTrigger(id, word, context)).trigger,
    says: null,
  }),
  getTrigger: (id) => gateway.getTrigger(id),
  getTriggers: () => gateway.getTriggers(),
});

type Ask = (
  method: string,
  path: string,
  context: Pick<CallContext, 'caller' | 'idempotencyKey'>,
  json?: unknown,
) => Promise<InProcessReply>;

const answer = changeReply;
const problemReply = problemSchema.extend({ trigger: triggerSchema.optional() });

/** The same over HTTP. */
export function triggersOverHttp(ask: Ask): CalledTriggers {
  const pathOf = (id: string): string => `/api/v1/triggers/${encodeURIComponent(id)}`;
  const reader = { caller: 'caller-1', idempotencyKey: null };
  return {
    placeTrigger: async ({ legs, ...request }, context) => {
      const body = { ...given(request), legs: legs.map((leg) => ({ ...leg })) };
      return resultOf(await ask('POST', '/api/v1/triggers', context, body));
    },
    modifyTrigger: async (id, { legs, lastPrice }, context) => {
      const body = { ...given({ lastPrice }), legs: legs.map(given) };
      return resultOf(await ask('PATCH', pathOf(id), context, body));
    },
    deleteTrigger: async (id, context) => resultOf(await ask('DELETE', pathOf(id), context)),
    resolveTrigger: async (id, word, context) => {
      return resultOf(await ask('POST', `${pathOf(id)}/resolve`, context, bodyOf(word)));
    },
    getTrigger: async (id) => resultOf(await ask('GET', pathOf(id), reader)).trigger,
    getTriggers: async () => mustSucceed(await ask('GET', '/api/v1/triggers', reader)),
  };
}

/** A body without what is null: a caller leaves out what it does not mean. */
const given = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function mustSucceed(reply: InProcessReply): unknown {
  if (reply.status < 400) return reply.body;
  throw problemFrom(problemReply.parse(reply.body));
}

/** The trigger that an answer shows. Throws a GatewayProblem for a problem without one. */
function resultOf(reply: InProcessReply): ToldTriggerResult {
  if (reply.status < 400) {
    const { data, meta } = answer.parse(reply.body);
    return { trigger: data, says: wordOf(reply.status), isUnwritten: meta.onDisk === false };
  }
  const problem = problemReply.parse(reply.body);
  if (problem.status !== reply.status) {
    throw new Error(`a problem of ${problem.status} under status ${reply.status}`);
  }
  if (problem.trigger === undefined) throw problemFrom(problem);
  return { trigger: problem.trigger, says: 'not_done' };
}

export const isUnsupported = ({ fields }: GatewayProblem): boolean =>
  fields.code === 'not_supported';

function bodyOf(word: TriggerResolveWord): object {
  switch (word.kind) {
    case 'absent':
      return { absent: true };
    case 'filled':
      return { filled: word.quantity };
    case 'placed':
      return { placed: word.triggerId, ...(word.force ? { force: true } : {}) };
  }
}
