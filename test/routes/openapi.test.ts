import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Harness } from './support/harness.ts';

let app: Harness;
// The document is large: it is fetched once for all tests.
let document: any; // eslint-disable-line @typescript-eslint/no-explicit-any
beforeAll(async () => {
  app = await startApp();
  document = (await app.http.get('/openapi.json')).body;
});
afterAll(() => app.close());

describe('the OpenAPI document', () => {
  it('is of version 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
  });

  it('lists every route of the server, and no other', () => {
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // As the running application has them, HEAD and refusals of other methods aside.
    const served = app.mounted;
    expect(served).toHaveLength(91);
    // Context, log, host, origin; no such path, and errors. A further one could answer requests.
    expect(app.unrouted).toBe(6);
    const missing = served.filter((route) => !listed.includes(route));
    expect(missing, 'served and not in the document: add them to allRoutes').toEqual([]);
    const unserved = listed.filter((route) => !served.includes(route));
    expect(unserved, 'in the document and not served: mount them').toEqual([]);
  });

  it('gives each operation a unique id', () => {
    const ids = Object.values<object>(document.paths).flatMap((item) =>
      Object.values(item).map((operation: { operationId: string }) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(app.routes.length);
  });

  it.each([
    ['delete', '/api/v1/orders/{id}'],
    ['delete', '/api/v1/triggers/{id}'],
    ['post', '/api/v1/orders/cancel-all'],
    ['post', '/api/v1/exits'],
    ['post', '/api/v1/positions/close-all'],
  ])('names no brake among what may refuse a way out: %s %s', (method, path) => {
    const responses = Object.values<{ $ref?: string }>(document.paths[path][method].responses);
    const text = JSON.stringify(
      responses.map(({ $ref, ...own }) =>
        $ref === undefined ? own : document.components.responses[$ref.split('/').at(-1) ?? ''],
      ),
    );
    expect(text).toContain('disarmed');
    expect(text).not.toMatch(/kill_switch|disk_full|limit_reached|market_closed/);
  });

  it('says which operations need a key', () => {
    expect(document.paths['/api/v1/orders'].post.security).toEqual([{ key: [] }]);
    expect(document.paths['/health/live'].get.security).toEqual([]);
    expect(document.components.securitySchemes.key).toMatchObject({
      ...{ type: 'http', scheme: 'bearer' },
    });
  });

  it('says what the stream of prices takes in place of a key, which browsers cannot send there', () => {
    const ways = [{ key: [] }, { ticket: [] }, { cookie: [] }];
    expect(document.paths['/api/v1/stream'].get.security).toEqual(ways);
    const { ticket, cookie } = document.components.securitySchemes;
    expect([ticket, cookie]).toMatchObject([
      { type: 'apiKey', in: 'query', name: 'ticket' },
      { type: 'apiKey', in: 'cookie', name: 'altbroker_key' },
    ]);
  });

  it('has schemas of bodies, replies and problems', () => {
    const post = document.paths['/api/v1/orders'].post;
    expect(post.requestBody.content['application/json'].schema.$ref).toMatch(/OrderRequest$/);
    expect(Object.keys(post.responses)).toEqual([
      ...['201', '202', '400', '401', '403', '404', '409', '413', '415', '421', '422', '429'],
      ...['500', '501', '502', '503'],
    ]);
    const created = post.responses['201'].content['application/json'].schema;
    expect(created.properties.data.$ref).toMatch(/Order$/);
    const { $ref } = post.responses['422'];
    const response = document.components.responses[$ref.split('/').at(-1)];
    const refused = response.content['application/problem+json'].schema;
    expect(refused.allOf[0].$ref).toMatch(/Problem$/);
    expect(refused.allOf[1].properties).toMatchObject({
      code: { enum: ['idempotency_conflict', 'order_refused'] },
      order: { $ref: '#/components/schemas/Order' },
    });
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Order', 'Fill', 'Quote', 'Position', 'Holding', 'Funds', 'Problem']),
    );
  });

  it('has no reference to a missing part', () => {
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(names.length).toBeGreaterThan(20);
    const missing = names.filter(([, kind = '', name = '']) => !document.components[kind]?.[name]);
    expect(missing).toEqual([]);
  });

  it('describes every parameter of a path, and the key of an order', () => {
    for (const [path, item] of Object.entries<object>(document.paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const operation of Object.values(item)) {
        const inPath = operation.parameters.filter((each: { in: string }) => each.in === 'path');
        expect(inPath.map((each: { name: string }) => each.name)).toEqual(wanted);
      }
    }
    const parameters = document.paths['/api/v1/orders'].post.parameters;
    expect(parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }),
    );
  });

  it('forbids unknown fields in requests and allows them in replies, since fields may be added', () => {
    const { OrderRequest, Order } = document.components.schemas;
    expect(OrderRequest.additionalProperties).toBe(false);
    expect(Order.additionalProperties).toBeUndefined();
  });
});

describe('/docs', () => {
  it('lists every operation, without scripts and without assets of other origins', async () => {
    const { text, type, headers } = await app.http.get('/docs');
    expect(type).toBe('text/html');
    for (const { method, path } of app.routes) expect(text).toContain(`${method} ${path}`);
    expect(text).not.toMatch(/<script|<link|<img|src=|https?:/);
    const nonce = /<style nonce="(\w+)">/.exec(text)?.[1];
    expect(headers['content-security-policy']).toContain(`style-src 'nonce-${nonce}'`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});
