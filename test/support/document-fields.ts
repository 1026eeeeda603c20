import { isObject, type Operation } from './document-operations.ts';
import type { InProcessRequest } from './in-process-http.ts';

/** Every field of the requests of an operation, from the OpenAPI document, and requests with one of them replaced. */

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
}

type Schemas = Readonly<Record<string, Schema>>;

export interface RequestField {
  /** `query status`, `body legs.0.price`. */
  readonly where: string;
  /** The last part of it that is a name: `price`. */
  readonly name: string;
  /** Requests with this value in the field, and in the others what the document has as examples. */
  readonly withValue: (value: unknown) => readonly InProcessRequest[];
}

type Place = 'path' | 'query' | 'header';
type Fixed = Readonly<Record<string, string>>;

function resolve(schema: Schema, schemas: Schemas): Schema {
  const target = schema.$ref?.split('/').at(-1);
  return target === undefined ? schema : { ...schemas[target], ...schema };
}

/** Paths of a body's fields, those of its parts too: `legs`, `legs.0`, `legs.0.price`. */
function pathsOf(schema: Schema, schemas: Schemas, depth = 0): readonly (readonly string[])[] {
  if (depth > 6) return [];
  const { properties = {}, items, anyOf = [] } = resolve(schema, schemas);
  const below = (name: string, part: Schema) =>
    pathsOf(part, schemas, depth + 1).map((path) => [name, ...path]);
  return [
    ...Object.entries(properties).flatMap(([name, part]) => [[name], ...below(name, part)]),
    ...(items === undefined ? [] : [['0'], ...below('0', items)]),
    ...anyOf.flatMap((part) => pathsOf(part, schemas, depth + 1)),
  ];
}

/** The body with the value at the path; what is missing on the way is made. */
function replaced(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === '0') {
    const list: readonly unknown[] = Array.isArray(body) ? body : [];
    return [replaced(list[0], rest, value), ...list.slice(1)];
  }
  const whole: Readonly<Record<string, unknown>> = isObject(body) ? { ...body } : {};
  return { ...whole, [name]: replaced(whole[name], rest, value) };
}

function requestWith(
  { method, path }: Operation,
  values: Readonly<Record<Place, Fixed>>,
  body: object,
): InProcessRequest {
  const query = new URLSearchParams(values.query).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.path[name] ?? '-'),
  );
  return {
    ...{ method, path: query === '' ? filled : `${filled}?${query}`, headers: values.header },
    ...body,
  };
}

const textOf = (value: unknown): string =>
  isObject(value) ? JSON.stringify(value) : String(value ?? '-');

export function fieldsOfRequests(operation: Operation, schemas: Schemas): readonly RequestField[] {
  const { parameters = [], requestBody } = operation.operation;
  const known = { path: {}, query: {}, header: {} } as Record<Place, Record<string, string>>;
  for (const { in: place, name, required, example, schema } of parameters) {
    if (required) known[place][name] = textOf(example ?? (schema as Schema).example);
  }
  const [[type = '', media] = []] = Object.entries(requestBody?.content ?? {});
  const schema: Schema = resolve(media?.schema ?? {}, schemas);
  const examples = [media?.example, schema.example, ...Object.values(media?.examples ?? {})];
  const [example = {}] = examples.filter((each) => each !== undefined);
  const base = isObject(example) && 'value' in example ? example.value : example;
  const sent = (json: unknown): object =>
    type === '' ? {} : type === 'text/plain' ? { text: textOf(json) } : { json };
  const ofParameters = parameters.map(({ in: place, name }) => ({
    where: `${place} ${name}`,
    name,
    withValue: (value: unknown) => {
      const values = { ...known, [place]: { ...known[place], [name]: textOf(value) } };
      return [requestWith(operation, values, sent(base))];
    },
  }));
  const ofBody = pathsOf(schema, schemas).map((path) => ({
    where: `body ${path.join('.')}`,
    name: path.findLast((part) => part !== '0') ?? '',
    withValue: (value: unknown) =>
      [base, {}].map((from) => requestWith(operation, known, sent(replaced(from, path, value)))),
  }));
  const wholeBody =
    type === ''
      ? []
      : [
          {
            ...{ where: 'body', name: 'body' },
            withValue: (value: unknown) => [
              requestWith(operation, known, sent(value)),
              requestWith(operation, known, { text: textOf(value) }),
            ],
          },
        ];
  return [...ofParameters, ...ofBody, ...wholeBody];
}
