import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../callers/caller.ts';
import type { ProblemFields } from '../domain/problem.ts';
import { type Clock, momentOf } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { mustAllow } from '../routes/access.ts';
import { logUnexpected } from '../routes/answers.ts';
import { checkedInputs } from '../routes/checked-inputs.ts';
import type { Reply } from '../routes/define-route.ts';
import { fieldsOf, problemOf, type Problem } from '../routes/problems.ts';
import { DO_NOT_PLACE_AGAIN, NOTHING_SENT_NOW } from './advice.ts';
import { type DerivedKeyParts, derivedKey } from './derived-key.ts';
import { isRecord } from './json-schema.ts';
import type { CallView } from './tool-output.ts';
import type { Tool } from './tool.ts';

export interface CallToolParts extends DerivedKeyParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Null where no broker has a daily login. */
  readonly loginUrl: () => string | null;
}

/** Who calls, and the id under which the log has the request. */
export interface CallOrigin {
  readonly caller: Caller;
  readonly requestId: string;
}

/**
 * Calls the handler of a tool's route, after the same checks as a request over HTTP: the scope of the key,
 * the route's schemas, and what the key is confined to. Every refusal is a result with `isError`, so that
 * the assistant reads it; it never throws.
 */
export async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { caller, requestId }: CallOrigin,
  parts: CallToolParts,
): Promise<CallToolResult> {
  const { route, definition } = tool;
  // What the key waits for, such as instrument lists, makes an order late as well.
  const arrived = momentOf(parts.clock);
  let hasBegun = false;
  try {
    if (route.scope !== 'none') mustAllow(caller, route.scope, definition.name);
    const given = tool.inputs.partsOf(args);
    const readBody = (): Promise<unknown> => Promise.resolve(given.body);
    const inputs = { ...given, readBody, calledAs: 'arguments' } as const;
    const checked = await checkedInputs(route, inputs, caller);
    const key = await derivedKey(definition, checked.body, parts);
    const headers = { ...Object(checked.headers), ...(key && { 'Idempotency-Key': key }) };
    hasBegun = tool.trades;
    const reply = await route.handler({
      ...{ ...checked, headers, requestId, arrived },
      caller: route.scope === 'none' ? null : caller,
      cookie: () => null,
      wants: 'json',
    });
    return resultOf(tool, reply, requestId, parts);
  } catch (error) {
    const fields = fieldsOf(error, hasBegun);
    if (fields.code === 'internal') logUnexpected(parts.log, requestId, error);
    return refusal(tool, fields, problemOf(fields, { requestId, method: route.method }), false);
  }
}

function resultOf(
  tool: Tool,
  reply: Reply,
  requestId: string,
  { loginUrl }: CallToolParts,
): CallToolResult {
  const { content, status, headers = {} } = reply;
  const repeated = headers['Idempotent-Replayed'] === 'true';
  const asked = { requestId, method: tool.route.method };
  if (content.kind === 'problem') {
    return refusal(tool, content.fields, problemOf(content.fields, asked, status), repeated);
  }
  if (content.kind !== 'json' || !isRecord(content.value)) {
    throw new Error(`the route of ${tool.definition.name} answers no JSON object`);
  }
  const { advise, withLoginUrl } = tool.definition;
  const more = withLoginUrl ? { loginUrl: loginUrl() } : {};
  if (advise === undefined) return told({ ...content.value, ...more }, []);
  const { settled, text } = advise({ status, body: content.value, repeated });
  const idempotencyKey = headers['Idempotency-Key'] ?? null;
  const call: CallView = { settled, repeated, idempotencyKey, advice: text };
  return told({ ...content.value, call }, [text]);
}

/** The answer as data, and as text for clients that show no data. */
function told(
  structuredContent: Record<string, unknown>,
  words: readonly string[],
): CallToolResult {
  const texts = [...words, JSON.stringify(structuredContent)];
  return { structuredContent, content: texts.map((text) => ({ type: 'text', text })) };
}

function refusal(
  tool: Tool,
  fields: ProblemFields,
  problem: Problem,
  repeated: boolean,
): CallToolResult {
  const words = tool.trades
    ? [`${problem.detail}\n${adviseRefusal(tool, fields, problem, repeated)}`]
    : [problem.detail];
  const texts = [...words, JSON.stringify(problem)];
  return { isError: true, content: texts.map((text) => ({ type: 'text', text })) };
}

/** What a problem carries of what the request has made. */
interface Made {
  readonly order?: unknown;
  readonly trigger?: unknown;
}

/** What follows from a refusal for whoever wanted to trade. */
function adviseRefusal(
  { definition }: Tool,
  { code }: ProblemFields,
  { mayHaveExecuted, order, trigger }: Problem & Made,
  repeated: boolean,
): string {
  const { repeats } = definition;
  const places = repeats === 'order' || repeats === 'trigger';
  if (code === 'idempotency_conflict') {
    return (
      'An earlier call has this key, or has the same terms today, and differs in its label, broker, mode or ' +
      'fields: nothing was sent now. See what became of that one before anything else. Only if the person wants ' +
      'another order beside it, call again with a new clientOrderId.'
    );
  }
  if (mayHaveExecuted) {
    return places
      ? `IT IS NOT KNOWN whether the ${repeats} was placed. ${DO_NOT_PLACE_AGAIN} Repeat this very call, which never ` +
          'places a second order, or read the orders.'
      : 'IT IS NOT KNOWN whether this took effect: read the order or the position before anything else.';
  }
  if (places && (repeated || order !== undefined || trigger !== undefined)) {
    return (
      (repeated ? `${NOTHING_SENT_NOW} ` : '') +
      `The ${repeats} was not placed. If the person wants it tried again with the same terms, call with a new ` +
      'clientOrderId: this key is used.'
    );
  }
  return definition.repeats === undefined
    ? 'Nothing was changed.'
    : 'This call has changed nothing. It says nothing about an earlier one: read what became of that.';
}
