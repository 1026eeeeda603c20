import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/callers/caller.ts';
import { expectProblem, KEYS, startApp } from './support/harness.ts';
import { LIMIT_ORDER } from './support/samples.ts';

const PATH = '/api/v1/orders/basket';

/** An application whose one key is confined in this way, and what places a basket of one order with it. */
async function confinedTo(confinement: Partial<Caller>) {
  const caller: Caller = {
    ...{ id: 'key_bot', name: 'bot', scope: 'trade', broker: null, mode: null },
    ...confinement,
  };
  const app = await startApp({ callers: { authenticate: () => caller } });
  const place = (more: object = {}, path = PATH) =>
    app.http
      .post(path)
      .set('Authorization', KEYS.trade)
      .send({ orders: [{ ...LIMIT_ORDER, clientOrderId: 'one', ...more }] });
  return { app, place, [Symbol.asyncDispose]: () => app.close() };
}

describe('a basket of a key that is confined', () => {
  it('to a broker goes to that broker alone', async () => {
    await using confined = await confinedTo({ broker: 'paper' });
    const { app, place } = confined;
    expect((await place()).status).toBe(200);
    expect(Object(app.fake.calls[0]?.[1]).orders[0].request.broker).toBe('paper');
    expectProblem(await place({ broker: 'alt' }), 403, 'forbidden');
    expectProblem(await place({}, `${PATH}?broker=alt`), 403, 'forbidden');
    expect(app.fake.calls).toHaveLength(1);
  });

  it('to live orders has no paper order', async () => {
    await using confined = await confinedTo({ mode: 'live' });
    const { app, place } = confined;
    expect((await place()).status).toBe(200);
    const { request } = Object(app.fake.calls[0]?.[1]).orders[0];
    expect(request).toMatchObject({ mode: 'live', broker: null });
    expectProblem(await place({ mode: 'paper' }), 403, 'forbidden');
    expect(app.fake.calls).toHaveLength(1);
  });
});
