import fc from 'fast-check';
import type { Operation } from './document-operations.ts';
import { isObject } from './document-operations.ts';
import type { InProcessRequest } from './in-process-http.ts';

/** Requests made from the OpenAPI document: most as its schemas say, the others wrong in one place. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
}

type Schemas = Readonly<Record<string, Schema>>;

/** What the tests know to exist, by the name of the parameter or field. */
export type Known = Readonly<Record<string, readonly string[]>>;

const ODD: readonly unknown[] = [
  ...[null, true, -1, 0, 0.1, 1e308, '', ' ', '\u0000', '../../etc', '%2F', "' OR 1=1", [], {}],
  ...[
    'x'.repeat(2_000),
    '१२३',
    '2026-02-30',
    'NaN',
    [[[]]],
    { __proto__: 1 },
    Number.MAX_SAFE_INTEGER,
  ],
];
const odd = fc.oneof(fc.constantFrom(...ODD), fc.string(), fc.jsonValue({ maxDepth: 2 }));

/** Values of a schema, and now and then of none. */
function valueOf(
  schema: Schema,
  name: string,
  schemas: Schemas,
  known: Known,
): fc.Arbitrary<unknown> {
  const target = schema.$ref?.split('/').at(-1);
  const resolved = target === undefined ? schema : (schemas[target] ?? {});
  const named = known[name] ?? [];
  const right =
    named.length > 0 ? fc.constantFrom(...named) : plainOf(resolved, name, schemas, known);
  return fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: odd });
}

function plainOf(
  schema: Schema,
  name: string,
  schemas: Schemas,
  known: Known,
): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined && schema.properties === undefined) {
    return fc.oneof(...schema.anyOf.map((each) => valueOf(each, name, schemas, known)));
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  switch (types[0]) {
    case 'object':
      return objectOf(schema, schemas, known);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, name, schemas, known), {
        minLength: Math.min(schema.minItems ?? 0, 4),
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'integer':
      // Quantities and counts are small more often than not: an account pays for few large orders.
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? 1, max: Math.min(schema.maximum ?? 20, 20) }),
        fc.integer({ min: schema.minimum ?? 1, max: Math.min(schema.maximum ?? 1_000, 1_000_000) }),
      );
    case 'number':
      return fc.constantFrom(1, 10.05, 1400, 1450, 1495, 1499.5, 1500, 1500.5, 1550, 1600, 24_000);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return textOf(schema);
    default:
      return fc.constant(schema.example ?? null);
  }
}

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.format === 'date') return fc.constantFrom('2026-11-05', '2026-11-06', '2026-11-24');
  const made = schema.pattern
    ? fc.stringMatching(new RegExp(schema.pattern)).map((text) => text.slice(0, 64))
    : fc.string({ maxLength: 30 });
  return schema.example === undefined ? made : fc.oneof(fc.constant(schema.example), made);
}

function objectOf(schema: Schema, schemas: Schemas, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], example } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valueOf(each, name, schemas, known)]),
  );
  const made = fc.record(fields, { requiredKeys: [...required] });
  // Few bodies with many fields that depend on each other are right by chance.
  const near = isObject(example)
    ? fc
        .tuple(fc.constant(example), fc.record(fields, { requiredKeys: [] }), fc.nat(9), fc.nat(12))
        .map(([whole, some, many, from]) => ({
          ...whole,
          ...Object.fromEntries(Object.entries(some).slice(from, from + (many < 4 ? many : 0))),
        }))
    : made;
  const further = fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), odd, { maxKeys: 2 });
  const alternatives = schema.oneOf ?? [];
  const fitted =
    alternatives.length === 0
      ? near
      : fc
          .tuple(near, fc.constantFrom(...alternatives), fc.record(fields))
          .map(([body, alternative, all]) => fit(body, alternative, all));
  return fc.oneof(
    { weight: 9, arbitrary: fitted },
    { weight: 3, arbitrary: made },
    { weight: 1, arbitrary: fc.tuple(made, further).map(([own, more]) => ({ ...own, ...more })) },
  );
}

/** The schema of a body with the example that its operation has. */
function withExample(schema: Schema, example: unknown, schemas: Schemas): Schema {
  const target = schema.$ref?.split('/').at(-1);
  const resolved = target === undefined ? schema : (schemas[target] ?? {});
  return { ...resolved, example: resolved.example ?? example };
}

/** The body with those of its fields that depend on each other as one alternative has them. */
function fit(body: object, { properties = {}, required = [] }: Schema, all: object): object {
  const values: Readonly<Record<string, unknown>> = { ...all };
  const fields: Record<string, unknown> = { ...body };
  for (const name of required) fields[name] ??= values[name];
  for (const [name, rule] of Object.entries(properties)) {
    if (rule.const !== undefined) fields[name] = rule.const;
    else if (rule.type === 'null' || rule.not) delete fields[name];
    else if (rule.type === 'number' && typeof fields[name] !== 'number') fields[name] = 1_500;
  }
  return fields;
}

const KEYS = [
  ...(['admin', 'admin', 'admin', 'admin', 'admin', 'admin', 'admin', 'admin'] as const),
  ...(['trade', 'trade', 'trade', 'trade', 'read', 'read', 'wrong', 'none'] as const),
] as const;

export interface MadeRequest {
  readonly operation: string;
  readonly key: (typeof KEYS)[number];
  readonly request: InProcessRequest;
}

/** One request of an operation. */
export function requestOf(
  { name, method, path, operation }: Operation,
  schemas: Schemas,
  known: Known,
): fc.Arbitrary<MadeRequest> {
  const given = operation.parameters ?? [];
  const values = Object.fromEntries(
    given.map((each) => [
      `${each.in} ${each.name}`,
      valueOf(each.schema, each.name, schemas, known),
    ]),
  );
  const required = given.filter((each) => each.required).map((each) => `${each.in} ${each.name}`);
  const [[type = '', media] = []] = Object.entries(operation.requestBody?.content ?? {});
  const body = media?.schema
    ? valueOf(withExample(media.schema, media.example, schemas), 'body', schemas, known)
    : fc.constant(undefined);
  return fc
    .record({
      all: fc.record(values),
      optional: fc.array(fc.nat(3), { minLength: given.length, maxLength: given.length }),
      body,
      key: fc.constantFrom(...KEYS),
    })
    .map(({ all, optional, body: made, key }) => {
      // Few optional parameters at once: what two of them say may differ, and ends the request early.
      const parameters = Object.fromEntries(
        Object.entries(all).filter(
          ([where], index) => required.includes(where) || optional[index] === 0,
        ),
      );
      const query = new URLSearchParams();
      const headers: Record<string, string> = {};
      let filled = path;
      for (const [where, value] of Object.entries(parameters)) {
        const [place = '', parameter = ''] = where.split(' ');
        const text = isObject(value) ? JSON.stringify(value) : String(value);
        if (place === 'query') query.append(parameter, text);
        else if (place === 'path') filled = filled.replace(`{${parameter}}`, encode(text));
        // A header takes printable characters alone: others never reach a server.
        else headers[parameter.toLowerCase()] = text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
      }
      const text = query.toString();
      const sent =
        made === undefined ? {} : type === 'text/plain' ? { text: String(made) } : { json: made };
      const request = {
        method,
        path: text === '' ? filled : `${filled}?${text}`,
        headers,
        ...sent,
      };
      return { operation: name, key, request };
    });
}

/** A lone half of a character cannot be written in a path. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed() || '-');
}
