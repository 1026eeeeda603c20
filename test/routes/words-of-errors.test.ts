import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS, startApp, type Harness } from './support/harness.ts';
import { LIMIT_ORDER } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

/** The errors of a request, by the path of the field. */
async function errorsOf(method: 'get' | 'post', path: string, body?: object) {
  const reply = await app.http[method](path).set('Authorization', KEYS.admin).send(body);
  const errors: readonly { path: string; message: string }[] = reply.body.errors ?? [];
  return Object.fromEntries(errors.map((error) => [error.path, error.message]));
}

const without = (name: string): object => ({ ...LIMIT_ORDER, [name]: undefined });

describe('a field that is missing', () => {
  it.each(['instrument', 'side', 'quantity', 'orderType', 'product'])(
    'of an order is told in the same words: %s',
    async (name) => {
      const errors = await errorsOf('post', '/api/v1/orders', without(name));
      expect(errors).toEqual({ [`body.${name}`]: 'is required' });
    },
  );

  it('of an order type says for which one', async () => {
    const errors = await errorsOf('post', '/api/v1/orders', without('price'));
    expect(errors).toEqual({ 'body.price': 'is required for LIMIT' });
  });

  it.each([
    ['/api/v1/quotes', ['query.instruments']],
    ['/api/v1/candles', ['query.from', 'query.instrument', 'query.interval']],
    ['/api/v1/option-chain', ['query.underlying']],
  ])('of the query is told in the same words: %s', async (path, missing) => {
    const errors = await errorsOf('get', path);
    expect(errors).toEqual(Object.fromEntries(missing.map((name) => [name, 'is required'])));
  });

  it('is the whole body where there is none', async () => {
    expect(await errorsOf('post', '/api/v1/orders')).toEqual({ body: 'is required' });
  });
});

describe('a value of another kind', () => {
  it.each([
    [{ side: 'BOTH' }, 'body.side', 'takes BUY or SELL'],
    [{ side: 7 }, 'body.side', 'takes BUY or SELL'],
    [{ instrument: 7 }, 'body.instrument', 'takes a text'],
    [{ price: 'high' }, 'body.price', 'takes a number'],
    [{ amo: 'yes' }, 'body.amo', 'takes true or false'],
    [{ limit: 7 }, 'body', 'has limit, which is not known here: correct the name, or leave it out'],
  ])('is told what the field takes, and not quoted: %j', async (wrong, path, message) => {
    const errors = await errorsOf('post', '/api/v1/orders', { ...LIMIT_ORDER, ...wrong });
    expect(errors).toEqual({ [path]: message });
  });
});
