import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(async () => {
  expect(app.fake.calls).toEqual([]);
  await app.close();
});

/** The problem that refuses an order with this text. */
async function refused(body: string) {
  const response = await app.http
    .post('/api/v1/orders')
    .set('Authorization', KEYS.trade)
    .set('Content-Type', 'application/json')
    .serialize((asIs: string) => asIs)
    .send(body);
  return expectProblem(response, 400, 'invalid_request');
}

describe('a JSON body', () => {
  it.each([
    ['side', '{"side":"BUY","side":"SELL"}'],
    ['side', '{"side":"BUY","\\u0073ide":"BUY"}'],
    ['quantity', '{"tag":"a","quantity":1,"x":{"tag":"\\"{"},"quantity":1}'],
    ['a', '[{"a":[{"a":1}]},{"a":{"b":{"c":[],"a":2,"a":3}}}]'],
    ['', '{"":1,"":2}'],
  ])('with the name "%s" twice in one object is refused: %s', async (name, body) => {
    const problem = await refused(body);
    expect(problem.detail).toContain(`has the name ${name} twice`);
  });

  it.each(['{"a":[{"a":1},{"a":1}],"b":{"a":"a","c":"a"}}', '{"a":"\\\\","b":",\\"a\\":"}'])(
    'with a name once in each of several objects is accepted: %s',
    async (body) => {
      const problem = await refused(body);
      expect(problem.detail).not.toContain('twice');
    },
  );

  it.each([
    ...['0000', '001b', '007f', '0085', '200b', '202e', '2066', '2028', '2029', 'feff', 'd800'],
  ])('with the unprintable character U+%s is refused, in a value or a name', async (code) => {
    const value = await refused(`{"x":[{"tag":"a\\u${code}b"}]}`);
    expect(value.detail).toBe(
      'The body has an unprintable character in the value of tag: remove it.',
    );
    const name = await refused(`{"x":[{"a\\u${code}b":1}]}`);
    expect(name.detail).toBe('The body has a name with an unprintable character: remove it.');
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'with the name %s is refused, also inside a field',
    async (name) => {
      for (const body of [`{"${name}":{"side":"BUY"}}`, `{"x":[{"${name}":1}]}`]) {
        expect((await refused(body)).detail).toContain(`contains the name ${name}`);
      }
    },
  );

  it('may have the joiners of Indian scripts', async () => {
    const problem = await refused('{"tag":"क्‍ष"}');
    expect(problem.detail).not.toContain('unprintable');
  });
});
