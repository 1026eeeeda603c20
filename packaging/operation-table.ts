import type { Operation } from '../client/operation.ts';

/** The OpenAPI document, as far as the client is made from it. */
export interface ClientDocument {
  readonly paths?: object;
}

/** Operations that the client does not have, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  logIn: 'a browser goes there, and is sent on to the broker',
  completeLogin: 'the broker’s page sends the browser there',
  getLoginPage: 'a page for people',
  receivePostback: 'the broker calls it',
  getDocumentPage: 'a page for people',
  getDashboard: 'a page for people',
  getDashboardScript: 'a file of that page',
  getDashboardStyle: 'a file of that page',
  getDashboardIcon: 'a file of that page',
  callTool: 'MCP has clients of its own',
  getEvents: 'a stream does not end as a call does (docs/events.md)',
  streamPrices: 'a stream does not end as a call does (docs/streaming.md)',
};

interface DocumentedOperation {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** Names of a call's input that are no parameters of an operation. */
const RESERVED = ['body', 'key', 'keyIsNew', 'signal', 'timeoutMs', 'patienceMs'];

/** What the client has to know of each operation to send it, by operationId. Throws for one that it could not send. */
export function operationTableOf(document: ClientDocument): Readonly<Record<string, Operation>> {
  const resolve = resolver(document);
  const table: Record<string, Operation> = {};
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, documented] of Object.entries(
      methods as Record<string, DocumentedOperation>,
    )) {
      const name = documented.operationId;
      if (name in LEFT_OUT) continue;
      table[name] = operationOf(method.toUpperCase(), path, documented, resolve);
    }
  }
  return table;
}

function operationOf(
  method: string,
  path: string,
  documented: DocumentedOperation,
  resolve: (node: unknown) => unknown,
): Operation {
  const { operationId: name, parameters = [], requestBody, responses } = documented;
  if (method !== 'GET' && method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') {
    throw new Error(`${name}: the client does not send ${method}`);
  }
  const named = (where: string) =>
    parameters.filter((each) => each.in === where).map((each) => each.name);
  const taken = [...named('path'), ...named('query')].filter((each) => RESERVED.includes(each));
  if (taken.length > 0)
    throw new Error(`${name}: the client has another meaning for ${taken.join()}`);
  const foreign = named('header').filter((each) => each !== 'Idempotency-Key');
  if (foreign.length > 0) throw new Error(`${name}: the client does not send ${foreign.join()}`);
  const reads = method === 'GET' || documented['x-scope'] === 'read';
  return {
    ...{ method, path, query: named('query') },
    keyIn:
      named('header').length > 0 ? 'header' : hasKeyPerOrder(requestBody, resolve) ? 'body' : null,
    repeatable: reads || method === 'DELETE',
    reads,
    answers: answersOf(name, responses, resolve),
  };
}

/** Whether the body is a list of orders of which each must have a clientOrderId. */
function hasKeyPerOrder(
  body: DocumentedOperation['requestBody'],
  resolve: (node: unknown) => unknown,
): boolean {
  const schema = resolve(body?.content['application/json']?.schema);
  const item = resolve(member(resolve(member(member(schema, 'properties'), 'orders')), 'items'));
  return requires(item, resolve);
}

function requires(schema: unknown, resolve: (node: unknown) => unknown): boolean {
  const required = member(schema, 'required');
  if (Array.isArray(required) && required.includes('clientOrderId')) return true;
  const all = member(schema, 'allOf');
  return Array.isArray(all) && all.some((each) => requires(resolve(each), resolve));
}

function answersOf(
  name: string,
  responses: DocumentedOperation['responses'],
  resolve: (node: unknown) => unknown,
): Operation['answers'] {
  const types = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') ? Object.keys(member(resolve(response), 'content') ?? {}) : [],
  );
  if (types.length > 0 && types.every((type) => type === 'application/json')) return 'json';
  if (types.length > 0 && types.every((type) => type === 'text/plain')) return 'text';
  throw new Error(
    `${name}: the client reads neither of ${types.join(', ')}: name the operation in LEFT_OUT, with the reason`,
  );
}

const member = (node: unknown, name: string): object | undefined => {
  if (typeof node !== 'object' || node === null) return undefined;
  const found: unknown = Reflect.get(node, name);
  return typeof found === 'object' && found !== null ? found : undefined;
};

function resolver(document: ClientDocument): (node: unknown) => unknown {
  return (node) => {
    const reference = typeof node === 'object' && node !== null ? Reflect.get(node, '$ref') : null;
    if (typeof reference !== 'string') return node;
    return reference
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => member(at, name), document);
  };
}
