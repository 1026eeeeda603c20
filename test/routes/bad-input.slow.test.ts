import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../src/domain/problem.ts';
import { expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { LIMIT_ORDER } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(async () => {
  // Each error was found before the gateway was called.
  expect(app.fake.calls).toEqual([]);
  expect(app.login.callbacks).toEqual([]);
  expect(app.login.ended).toBe(0);
  await app.close();
});

type Verb = 'get' | 'post' | 'patch' | 'delete';

async function refused(
  verb: Verb,
  path: string,
  body?: unknown,
  code: ProblemCode = 'invalid_request',
) {
  const call = app.http[verb](path).set('Authorization', KEYS.admin);
  const response = await (body === undefined ? call : call.send(body as object));
  const status = { invalid_request: 400, unsupported_media_type: 415, body_too_large: 413 };
  return expectProblem(response, status[code as keyof typeof status], code);
}

const ORDERS = '/api/v1/orders';
const ONE = '/api/v1/orders/ord_1';
const HOOK = 'hook_0193576c-2f00-7000-8000-000000000000';

describe('an order', () => {
  it.each([
    ['instrument', { instrument: '408065' }],
    ['instrument', { instrument: 7 }],
    ['instrument', { instrument: "NSE:INFY'; --" }],
    ['side', { side: 'buy' }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: -1 }],
    ['quantity', { quantity: 1.5 }],
    ['quantity', { quantity: '10' }],
    ['quantity', { quantity: 10_000_001 }],
    ['quantity', { quantity: null }],
    ['orderType', { orderType: 'STOP' }],
    ['product', { product: 'MTF' }],
    ['product', { product: 'toString' }],
    ['price', { price: 0 }],
    ['price', { price: -1 }],
    ['price', { price: '1500' }],
    ['price', { price: 10_000_000.01 }],
    ['price', { price: 1500.00001 }],
    ['price', { price: undefined }],
    ['price', { price: null }],
    ['price', { orderType: 'MARKET' }],
    ['price', { orderType: 'SL-M', triggerPrice: 1 }],
    ['price', { orderType: 'SL', triggerPrice: 1, price: undefined }],
    ['triggerPrice', { triggerPrice: 1499 }],
    ['triggerPrice', { orderType: 'SL' }],
    ['triggerPrice', { orderType: 'SL-M', price: undefined }],
    ['triggerPrice', { orderType: 'MARKET', price: undefined, triggerPrice: 1 }],
    ['validity', { validity: 'GTC' }],
    ['amo', { amo: 'yes' }],
    ['tag', { tag: 'x'.repeat(65) }],
    ['tag', { tag: 'a\nb' }],
    ['tag', { tag: '' }],
    ['clientOrderId', { clientOrderId: 'x'.repeat(65) }],
    ['clientOrderId', { clientOrderId: 'é' }],
    ['broker', { broker: 'kite' }],
    ['mode', { mode: 'demo' }],
    ['limitPrice', { limitPrice: 5 }],
  ])('is refused for its %s: %j', async (field, changes) => {
    const problem = await refused('post', ORDERS, { ...LIMIT_ORDER, ...changes });
    expect(problem.detail).toContain(field);
    expect(problem).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
  });

  it('is refused with the name of every wrong field, not only of the first', async () => {
    const problem = await refused('post', ORDERS, {
      ...LIMIT_ORDER,
      side: 'x',
      quantity: 0,
      foo: 1,
    });
    const paths = problem.errors?.map((error) => error.path);
    expect(paths).toEqual(expect.arrayContaining(['body.side', 'body.quantity', 'body']));
    expect(problem.detail).toContain('foo');
  });

  it('is refused without quoting the request', async () => {
    const problem = await refused('post', ORDERS, { ...LIMIT_ORDER, side: 'canary-value' });
    expect(JSON.stringify(problem)).not.toContain('canary-value');
  });

  it.each(['', 'x'.repeat(65), 'a\tb'])('is refused for the key %j', async (key) => {
    const response = await app.http
      .post(ORDERS)
      .set('Authorization', KEYS.trade)
      .set('Idempotency-Key', key)
      .send(LIMIT_ORDER);
    expectProblem(response, 400, 'invalid_request');
  });

  it.each(['?mode=live', '?broker=kite', '?broker=alt&broker=alt'])(
    'is refused for the query %s',
    async (query) => void (await refused('post', ORDERS + query, LIMIT_ORDER)),
  );
});

describe('a body', () => {
  const raw = (type: string, body: string | Buffer) =>
    app.http
      .post(ORDERS)
      .set('Authorization', KEYS.trade)
      .set('Content-Type', type)
      .serialize((asIs: string) => asIs)
      .send(body);

  it.each(['{', '{"a":1,}', '"text', '\u0000', '{"quantity":NaN}'])(
    'that is not JSON is refused: %j',
    async (body) => {
      const response = await raw('application/json', body);
      expect(expectProblem(response, 400, 'invalid_request').detail).toBe(
        'The body is not valid JSON: send one JSON object, in UTF-8.',
      );
    },
  );

  it.each(['[]', '"text"', '1', 'null', 'true'])(
    'that is not an object is refused: %s',
    async (body) => {
      expectProblem(await raw('application/json', body), 400, 'invalid_request');
    },
  );

  it('that is missing is refused', async () => void (await refused('post', ORDERS)));

  it('that is not UTF-8 is refused', async () => {
    const response = await raw('application/json', Buffer.from([0x22, 0xff, 0x22]));
    const problem = expectProblem(response, 400, 'invalid_request');
    expect(problem.detail).toBe('The body is not UTF-8: encode it as UTF-8.');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
  ])('of type %s is refused', async (type) => {
    expectProblem(await raw(type, JSON.stringify(LIMIT_ORDER)), 415, 'unsupported_media_type');
  });

  it('that is compressed is refused', async () => {
    const response = await raw('application/json', gzipSync(JSON.stringify(LIMIT_ORDER))).set(
      'Content-Encoding',
      'gzip',
    );
    expectProblem(response, 415, 'unsupported_media_type');
  });

  it('above 256 KiB is refused', async () => {
    const response = await raw('application/json', ' '.repeat(256 * 1024 + 1));
    expectProblem(response, 413, 'body_too_large');
  });

  it.each([
    '{"__proto__":{"broker":"paper"}}',
    '{"constructor":{"prototype":{}}}',
    '{"tag":{"prototype":1}}',
  ])('that names a prototype is refused: %s', async (body) => {
    const problem = expectProblem(await raw('application/json', body), 400, 'invalid_request');
    expect(problem.detail).toContain('is not allowed');
    expect(({} as { broker?: string }).broker).toBeUndefined();
  });

  it('with very deep nesting is refused', async () => {
    const response = await raw('application/json', '['.repeat(100_000));
    expectProblem(response, 400, 'invalid_request');
  });
});

describe('every route', () => {
  it.each<[Verb, string, unknown?]>([
    ['get', '/api/altbroker/login?x=1'],
    ['get', '/api/altbroker/status?x=1'],
    ['get', '/api/altbroker/token?x=1'],
    ['delete', '/api/altbroker/token?x=1'],
    ['delete', '/api/altbroker/token', { x: 1 }],
    ['get', '/api/v1/quotes'],
    ['get', '/api/v1/quotes?instruments='],
    ['get', '/api/v1/quotes?instruments=,'],
    ['get', '/api/v1/quotes?instruments=408065'],
    ['get', '/api/v1/quotes?instruments=NSE:INFY&instruments=NSE:TCS'],
    ['get', '/api/v1/quotes?instruments=NSE:INFY&maxAgeMs=-1'],
    ['get', '/api/v1/quotes?instruments=NSE:INFY&__proto__=1'],
    ['get', '/api/v1/ltp'],
    ['get', '/api/v1/ltp?instruments=408065'],
    ['get', '/api/v1/ltp?instruments=NSE:INFY&broker=kite'],
    ['get', '/api/v1/candles'],
    ['get', '/api/v1/candles?instrument=NSE:INFY&interval=5minute'],
    ['get', '/api/v1/candles?instrument=NSE:INFY&interval=7minute&from=2026-11-23'],
    ['get', '/api/v1/candles?instrument=408065&interval=1day&from=2026-11-02'],
    ['get', '/api/v1/candles?instrument=NSE:INFY&interval=1day&from=yesterday'],
    ['get', '/api/v1/candles?instrument=NSE:INFY&interval=1day&from=1950-01-01'],
    ['get', '/api/v1/candles?instrument=NSE:INFY&interval=1day&from=2026-11-02&to=2200-01-01'],
    ['get', '/api/v1/candles?instrument=NSE:INFY&interval=1day&from=2026-11-02&oi=1'],
    ['get', '/api/v1/option-chain'],
    ['get', '/api/v1/option-chain?underlying=408065'],
    ['get', '/api/v1/option-chain?underlying=NSE:INFY&expiry=2026-02-30'],
    ['get', '/api/v1/option-chain?underlying=NSE:INFY&strikes=0'],
    ['get', '/api/v1/option-chain?underlying=NSE:INFY&strikes=201'],
    ['get', '/api/v1/expiries'],
    ['get', '/api/v1/expiries?underlying=NSE:INFY&broker=kite'],
    ['get', '/api/v1/instruments?limit=0'],
    ['get', '/api/v1/instruments?limit=1001'],
    ['get', '/api/v1/instruments?limit=1e2'],
    ['get', '/api/v1/instruments?exchange=nse'],
    ['get', '/api/v1/instruments?q='],
    ['get', '/api/v1/instruments?text=x'],
    ['get', '/api/v1/instruments/408065'],
    ['get', '/api/v1/instruments/NSE%3A..%2F..%2Fetc'],
    ['get', '/api/v1/instruments/NSE:INFY?x=1'],
    ['get', '/api/v1/positions?broker=other'],
    ['get', '/api/v1/positions?x=1'],
    ['get', '/api/v1/holdings?maxAgeMs=soon'],
    ['get', '/api/v1/funds?maxAgeMs=1.5'],
    ['get', '/api/v1/profile?maxAgeMs=99999999999'],
    ['get', '/api/v1/orders?status=opened'],
    ['get', '/api/v1/orders?day=2026-02-30'],
    ['get', '/api/v1/orders?day=today'],
    ['get', '/api/v1/orders?limit=x'],
    ['get', '/api/v1/orders?cursor=x'],
    ['get', '/api/v1/orders?page=2'],
    ['get', '/api/v1/orders/a%2Fb'],
    ['get', '/api/v1/orders/..%00'],
    ['get', `/api/v1/orders/${'x'.repeat(101)}`],
    ['get', `${ONE}?x=1`],
    ['get', '/api/v1/orders/-/fills'],
    ['get', `${ONE}/fills?limit=0`],
    ['get', `${ONE}/fills?cursor=x`],
    ['patch', ONE],
    ['patch', ONE, {}],
    ['patch', ONE, { broker: 'alt' }],
    ['patch', ONE, { price: null }],
    ['patch', ONE, { quantity: 0 }],
    ['patch', ONE, { price: 'x' }],
    ['patch', ONE, { instrument: 'NSE:TCS' }],
    ['patch', ONE, { orderType: 'MARKET', price: 5 }],
    ['patch', ONE, { orderType: 'LIMIT', triggerPrice: 5 }],
    ['patch', `${ONE}?x=1`, { quantity: 1 }],
    ['delete', ONE, { reason: 'x' }],
    ['delete', ONE, []],
    ['delete', `${ONE}?force=true`],
    ['delete', '/api/v1/orders/%20'],
    ['post', `${ONE}/resolve`],
    ['post', `${ONE}/resolve`, {}],
    ['post', `${ONE}/resolve`, { absent: false }],
    ['post', `${ONE}/resolve`, { absent: true, placed: '1' }],
    ['post', `${ONE}/resolve`, { placed: 220303000308932 }],
    ['post', `${ONE}/resolve`, { placed: '../1' }],
    ['post', '/api/v1/arm', {}],
    ['post', '/api/v1/arm', { oldGatewayIsStopped: false }],
    ['post', '/api/v1/arm', { oldGatewayIsStopped: true, by: 'me' }],
    ['get', '/api/v1/kill-switch?x=1'],
    ['post', '/api/v1/kill-switch', {}],
    ['post', '/api/v1/kill-switch', { engaged: 'true', reason: 'x' }],
    ['post', '/api/v1/kill-switch', { thrown: 'true', reason: 'x' }],
    ['post', '/api/v1/kill-switch', { engaged: true }],
    ['post', '/api/v1/kill-switch', { engaged: true, reason: '' }],
    ['post', '/api/v1/kill-switch', { engaged: true, reason: 'a\nb' }],
    ['post', '/api/v1/kill-switch', { engaged: true, reason: 'a\u202eb' }],
    ['post', '/api/v1/kill-switch', { engaged: true, reason: 'x', by: 'me' }],
    ['get', '/api/v1/brokers?x=1'],
    ['get', '/health/live?x=1'],
    ['get', '/health/ready?x=1'],
    ['get', '/openapi.json?x=1'],
    ['get', '/docs?x=1'],
  ])('refuses %s %s %j', async (verb, path, body) => {
    await refused(verb, path, body);
  });

  it('with a body refuses a huge one, and one that is not JSON', async () => {
    const taking = app.routes.filter((each) => each.body && !each.rawBody);
    expect(taking).toHaveLength(23);
    for (const { method, path } of taking) {
      const verb = method.toLowerCase() as Verb;
      const send = (text: string) =>
        app.http[verb](path.replace('{id}', path.includes('hooks') ? HOOK : 'ord_1'))
          .set('Authorization', KEYS.admin)
          .set('Content-Type', 'application/json')
          .send(text);
      expectProblem(await send(' '.repeat(300_000)), 413, 'body_too_large');
      expectProblem(await send('{"'), 400, 'invalid_request');
    }
  });
});
