import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  GatewayProblem,
  isOpenCode,
  PROBLEM_CODES,
  type ProblemCode,
} from '../../src/domain/problem.ts';
import type { Gateway } from '../../src/router/gateway.ts';
import { isObject, operationsOf, type Operation } from '../support/document-operations.ts';
import { createDocumentSchemas, type DocumentSchemas } from '../support/document-schemas.ts';
import { gatewayDocument, routesWithoutGateway } from '../support/gateway-document.ts';
import { KEYS, startApp, type Harness } from './support/harness.ts';

// The requests that the document gives as examples, sent to the running application.

let app: Harness;
let schemas: DocumentSchemas;
let operations: readonly Operation[];
beforeAll(async () => {
  app = await startApp({}, failing);
  const document = await gatewayDocument();
  operations = operationsOf(document);
  schemas = createDocumentSchemas(document);
});
afterAll(() => app.close());

/** Sends an operation's example, with the key that may do everything. */
function send({ method, path, operation }: Operation): Promise<Response> {
  const given = (place: string) =>
    (operation.parameters ?? []).filter((each) => each.in === place && each.name !== 'cursor');
  const filled = given('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(
    given('query')
      // Of the broker's own redirect no parameter is required: without any, nothing is asked for.
      .filter(({ required, example }) => required || (path.endsWith('/callback') && example))
      .map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const request = app.http[verb](`${filled}?${query.toString()}`).set('Authorization', KEYS.admin);
  for (const { name, example } of given('header')) request.set(name, String(example));
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  const sent = isObject(media?.example) ? JSON.stringify(media.example) : media?.example;
  return type === undefined ? request : request.set('Content-Type', type).send(String(sent));
}

/** Of the fakes: there are no keys, hooks and webhooks, and the postback of the example has no checksum. */
const REFUSED_BY_FAKES: readonly string[] = ['Keys', 'Session'];

describe('the example of each request', () => {
  it('is answered as the document says', async () => {
    const refused: unknown[] = [];
    for (const operation of operations) {
      const { status, text } = await send(operation);
      // `app.close` fails where a reply is not in the document.
      const mayBeRefused =
        REFUSED_BY_FAKES.includes(operation.operation.tags?.[0] ?? '') ||
        // A stream takes a WebSocket or server-sent events, and the example asks for neither.
        /hooks\/\{id\}|POST \/api\/v1\/(hooks|sign-ins$)|GET \/api\/v1\/stream$/.test(
          operation.name,
        );
      if (status >= 400 && !mayBeRefused) refused.push([operation.name, text]);
    }
    expect(refused).toEqual([]);
  });
});

/** The problem that every call of a route fails with now; null while none does. */
let failure: ProblemCode | null = null;

function failing<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'object' && value !== null) return failing(value);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (failure !== null) throw problemOf(failure);
        return value.apply(target, args);
      };
    },
  });
}

function problemOf(code: ProblemCode): GatewayProblem {
  const detail = 'for the test';
  return new GatewayProblem(isOpenCode(code) ? { code, detail } : { code, detail });
}

function failWith(code: ProblemCode): void {
  failure = code;
  const fail = (): never => {
    throw problemOf(code);
  };
  const names = Object.keys(app.fake.gateway).filter((name) => name !== 'getBrakes');
  app.fake.set(Object.fromEntries(names.map((name) => [name, fail])) as Partial<Gateway>);
}

describe('each problem that a route declares', () => {
  afterAll(() => {
    failure = null;
  });

  it('is answered with the status that the document has for it', async () => {
    const routes = new Map(
      routesWithoutGateway().map((each) => [`${each.method} ${each.path}`, each.problems]),
    );
    const seen = new Map<string, Set<string>>();
    const wrong: unknown[] = [];
    for (const code of PROBLEM_CODES) {
      failWith(code);
      for (const operation of operations) {
        if (!routes.get(operation.name)?.includes(code)) continue;
        const tag = operation.operation.tags?.[0] ?? '';
        seen.set(tag, (seen.get(tag) ?? new Set()).add(code));
        const { status, body } = await send(operation);
        const documented = operation.problems.find(({ codes }) => codes.includes(code));
        if (body.code === code && String(status) === documented?.status) continue;
        wrong.push([operation.name, code, status, body.code]);
      }
    }
    expect(wrong).toEqual([]);
    const tags = operations.flatMap(({ operation }) => operation.tags ?? []);
    // A tool that fails says so in the answer of its protocol.
    expect([...new Set(tags)].filter((each) => !seen.has(each))).toEqual(['Assistants']);
    expect([...seen.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(100);
  });
});

describe('a body whose fields depend on each other', () => {
  const ORDER = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'CNC' };
  const values = [undefined, null, 5];
  const pairs = values.flatMap((price) =>
    values.map((triggerPrice) => ({
      ...(price === undefined ? {} : { price }),
      ...(triggerPrice === undefined ? {} : { triggerPrice }),
    })),
  );
  const types = ['MARKET', 'LIMIT', 'SL', 'SL-M'];
  const orders = types.flatMap((orderType) =>
    pairs.map((prices) => ({ ...ORDER, ...prices, orderType })),
  );
  const changes = [undefined, null, ...types].flatMap((orderType) =>
    pairs.map((prices) => ({ ...prices, ...(orderType === undefined ? {} : { orderType }) })),
  );
  const options = <T>(name: string, ...some: T[]) => [
    {},
    ...some.map((each) => ({ [name]: each })),
  ];
  const mixed = (...fields: object[][]): object[] =>
    fields.reduce<object[]>(
      (all, some) => all.flatMap((each) => some.map((more) => ({ ...each, ...more }))),
      [{}],
    );

  it.each([
    ['POST /api/v1/orders', orders],
    ['POST /api/v1/orders/basket', orders.map((each) => ({ orders: [each] }))],
    [
      'POST /api/v1/orders/basket',
      orders.map((each) => ({ orders: [{ ...each, clientOrderId: 'k' }] })),
    ],
    ['PATCH /api/v1/orders/{id}', changes],
    [
      'POST /api/v1/orders/{id}/resolve',
      mixed(options('placed', '1'), options('absent', true, false), options('force', true)),
    ],
    [
      'POST /api/v1/exits',
      mixed(
        options('instrument', 'NSE:INFY'),
        options('product', 'CNC'),
        options('quantity', 1),
        options('orderId', 'ord_1'),
        options('broker', 'alt'),
        options('cancelExternal', true),
      ),
    ],
    [
      'POST /api/v1/kill-switch',
      mixed(
        options('engaged', true, false),
        options('thrown', true, false),
        options('reason', 'x'),
      ),
    ],
    [
      'PATCH /api/v1/keys/{id}',
      mixed(
        options('name', 'n'),
        options('limits', {}),
        options<unknown>('algoId', 'a', null),
        options<unknown>('marketProtection', 5, -1, -2, 101, null),
      ),
    ],
  ])('of %s is taken where its schema in the document takes it', (name, bodies) => {
    const body = routesWithoutGateway().find(
      (each) => `${each.method} ${each.path}` === name,
    )?.body;
    const operation = operations.find((each) => each.name === name);
    const schema = operation?.operation.requestBody?.content['application/json']?.schema;
    const documented = schemas.compile(schema ?? {});
    const different = bodies.filter((each) => body?.safeParse(each).success !== documented(each));
    expect(different).toEqual([]);
    expect(new Set(bodies.map((each) => documented(each)))).toEqual(
      name.endsWith('basket') && !JSON.stringify(bodies).includes('clientOrderId')
        ? new Set([false])
        : new Set([true, false]),
    );
  });
});
