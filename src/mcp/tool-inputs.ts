import { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';
import { once } from '../platform/values.ts';
import { idempotencyKey, type Route } from '../routes/define-route.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** The parts of a request, as a route takes them. */
export interface RequestParts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined where the route takes none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export interface ToolInputs {
  /** Made when it is first asked for. */
  readonly schema: () => JsonSchema;
  /**
   * The arguments of a call as the parts of a request; the route checks them. An argument that is null
   * counts as absent: assistants fill in what they leave out. Throws `invalid_request` for an argument that
   * the tool does not have.
   */
  partsOf(args: Readonly<Record<string, unknown>>): RequestParts;
}

type Shape = Readonly<Record<string, unknown>>;
const KEY_HEADER = 'Idempotency-Key';
/** The argument for the header, where the body has no field for the key. */
const KEY_ARGUMENT = 'idempotencyKey';

/** A tool takes the path's parameters, the body's fields and the query's as one flat object. */
export function createToolInputs(definition: ToolDefinition, route: Route): ToolInputs {
  const { name: tool, without = [], fixed = {}, lists = [] } = definition;
  const params = shapeOf(route.params);
  const body = shapeOf(route.body);
  const query = shapeOf(route.query);
  const hasKey = KEY_HEADER in shapeOf(route.headers) && !('clientOrderId' in body);
  const takes = (name: string): boolean =>
    !without.includes(name) &&
    !(name in fixed) &&
    (name in params || name in body || name in query || (hasKey && name === KEY_ARGUMENT));

  function partsOf(args: Readonly<Record<string, unknown>>): RequestParts {
    const given = Object.entries(args).filter(([, value]) => value !== null);
    const unknown = given.map(([name]) => name).find((name) => !takes(name));
    if (unknown !== undefined) throw noArgument(tool, unknown);
    const of = (shape: Shape, butNot: readonly Shape[]): Record<string, unknown> =>
      Object.fromEntries(
        given.filter(([name]) => name in shape && butNot.every((each) => !(name in each))),
      );
    const asked = Object.entries(of(query, [params, body]));
    const sent = { ...of(body, [params]), ...fixed };
    const key = hasKey ? given.find(([name]) => name === KEY_ARGUMENT) : undefined;
    return {
      params: of(params, []),
      query: Object.fromEntries(asked.map(([name, value]) => [name, textOf(value)])),
      headers: key === undefined ? {} : { [KEY_HEADER]: key[1] },
      body: route.body === undefined ? undefined : sent,
    };
  }

  return { schema: once(schemaOf), partsOf };

  function schemaOf(): JsonSchema {
    const parts = [route.query, route.body, route.params].flatMap((part) =>
      part === undefined ? [] : [jsonSchemaOf(part, 'input')],
    );
    if (hasKey) {
      parts.push(jsonSchemaOf(z.object({ [KEY_ARGUMENT]: idempotencyKey.optional() }), 'input'));
    }
    const properties: Record<string, unknown> = {};
    const required = new Set<string>();
    for (const part of parts) {
      for (const [name, schema] of Object.entries(Object(part.properties) as Shape)) {
        if (takes(name)) properties[name] = { ...Object(schema), ...described(name) };
      }
      for (const name of Array.isArray(part.required) ? part.required : []) {
        if (takes(String(name))) required.add(String(name));
      }
    }
    return {
      type: 'object',
      properties,
      ...(required.size > 0 ? { required: [...required] } : {}),
      additionalProperties: false,
    };
  }

  function described(name: string): JsonSchema {
    const description = definition.describe?.[name];
    return {
      ...(lists.includes(name) ? { type: 'array', items: { type: 'string' }, minItems: 1 } : {}),
      ...(description === undefined ? {} : { description }),
    };
  }
}

function shapeOf(schema: unknown): Shape {
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** A query parameter is a text: numbers and lists are written as one. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function noArgument(tool: string, name: string): GatewayProblem {
  const path = `arguments.${name.slice(0, 64)}`;
  const message = `is no argument of ${tool}: leave it out`;
  return new GatewayProblem({
    code: 'invalid_request',
    detail: `${path}: ${message}`,
    errors: [{ path, message }],
    mayHaveExecuted: false,
  });
}
