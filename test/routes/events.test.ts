import { afterEach, describe, expect, it } from 'vitest';
import { createEventFeed } from '../../src/events/event-feed.ts';
import { createEventReaders, MOST_READERS_OF_KEY } from '../../src/routes/event-readers.ts';
import { drain } from '../support/virtual-time.ts';
import { expectDeclared, expectProblem, type Harness, KEYS, startApp } from './support/harness.ts';
import { NOW_IST, order } from './support/samples.ts';

let app: Harness;
afterEach(() => app.close());

const PATH = '/api/v1/events';
const get = (path: string, scope: keyof typeof KEYS = 'read') =>
  app.http.get(path).set('Authorization', KEYS[scope]);
const idsOf = (response: { body: { data: { id: string }[] } }) =>
  response.body.data.map(({ id }) => id);

/** Two orders of two keys at two brokers, and what concerns no order. */
async function happenings() {
  const { bench } = app;
  const infy = { caller: 'key_read', broker: 'alt', instrument: 'NSE:INFY' };
  const tcs = { caller: 'key_other', broker: 'primary', instrument: 'NSE:TCS' };
  await bench.happen('order.updated', { order: order({ id: 'ord_1' }) }, infy, 'ord_1');
  const slice = order({ id: 'ord_2', parentId: 'ord_9' });
  await bench.happen('order.updated', { order: slice }, tcs, 'ord_2');
  const fill = { fillId: '7', quantity: 4, price: 1_499.9, at: app.time.now(), broker: 'alt' };
  await bench.happen('order.fill', { ...fill, order: order({ id: 'ord_1' }) }, infy, 'ord_1');
  await bench.happen('kill_switch.changed', { engaged: true, reason: 'drill', changedBy: 'admin' });
  await bench.happen('alert', { level: 'warning', message: 'look' });
}

describe('the list of events', () => {
  it('has each in its envelope, with the whole order and the fill', async () => {
    app = await startApp();
    await happenings();
    const response = await get(PATH);
    expectDeclared(app, `GET ${PATH}`, response);
    expect(idsOf(response)).toEqual(['a-1', 'a-2', 'a-3', 'a-4', 'a-5']);
    const [updated, , fill, engaged] = response.body.data;
    expect(updated).toMatchObject({ type: 'order.updated', at: NOW_IST });
    const single = (await get('/api/v1/orders/ord_1')).body.data;
    expect(Object.keys(updated.data.order).sort()).toEqual(Object.keys(single).sort());
    expect(fill.data).toMatchObject({
      fill: { id: '7', orderId: 'ord_1', quantity: 4, price: 1_499.9, at: NOW_IST },
      order: { id: 'ord_1', status: 'working' },
    });
    expect(engaged.data).toEqual({ engaged: true, reason: 'drill', changedBy: 'admin' });
    expect(response.body.meta).toEqual({ cursor: 'a-5', more: false });
  });

  it('goes on from a cursor, and from the id of any event', async () => {
    app = await startApp();
    await happenings();
    const first = await get(`${PATH}?limit=2`);
    expect([idsOf(first), first.body.meta]).toEqual([
      ['a-1', 'a-2'],
      { cursor: 'a-2', more: true },
    ]);
    expect(idsOf(await get(`${PATH}?after=a-2&limit=2`))).toEqual(['a-3', 'a-4']);
    const last = await get(`${PATH}?after=a-1`).set('Last-Event-ID', 'a-5');
    expect([idsOf(last), last.body.meta]).toEqual([[], { cursor: 'a-5', more: false }]);
  });

  it.each([
    ['type=order.fill', ['a-3']],
    ['type=order.fill,alert', ['a-3', 'a-5']],
    ['order=ord_1', ['a-1', 'a-3']],
    ['order=ord_9', ['a-2']],
    ['instrument=NSE:TCS', ['a-2']],
    ['scope=mine', ['a-1', 'a-3']],
    ['key=key_read', ['a-1', 'a-3']],
  ])('is filtered by %s', async (query, ids) => {
    app = await startApp();
    await happenings();
    const response = await get(`${PATH}?${query}`);
    expect(idsOf(response)).toEqual(ids);
    // What was looked at is not looked at again.
    expect(response.body.meta.cursor).toBe('a-5');
  });

  it('shows the events of another key to an admin alone', async () => {
    app = await startApp();
    await happenings();
    expectProblem(await get(`${PATH}?key=key_other`), 403, 'forbidden');
    expect(idsOf(await get(`${PATH}?key=key_other`, 'admin'))).toEqual(['a-2']);
    expectProblem(await get(`${PATH}?key=key_other&scope=mine`, 'admin'), 400, 'invalid_request');
  });

  it('shows a key that is confined to a broker nothing of another one', async () => {
    app = await startApp({
      callers: {
        authenticate: () => ({
          ...{ id: 'key_read', name: 'one', scope: 'read', broker: 'alt', mode: null },
        }),
      },
    });
    await happenings();
    expect(idsOf(await get(PATH))).toEqual(['a-1', 'a-3', 'a-4']);
    expect(idsOf(await get(`${PATH}?order=ord_2`))).toEqual([]);
  });

  it('refuses a cursor whose events may be missing, and says how to go on', async () => {
    app = await startApp();
    await happenings();
    for (const cursor of ['b-3', 'a-6', '0-2']) {
      const problem = expectProblem(await get(`${PATH}?after=${cursor}`), 410, 'cursor_expired');
      expect(problem.detail).toContain('meta.eventsCursor');
    }
    expectProblem(await get(`${PATH}?after=five`), 400, 'invalid_request');
    expectProblem(await get(`${PATH}?type=order.gone`), 400, 'invalid_request');
  });
});

describe('a list that waits', () => {
  it('answers once something happened that it wants', async () => {
    app = await startApp();
    await happenings();
    const asked = get(`${PATH}?after=a-5&wait=30&type=alert`).then((response) => response);
    await drain(20);
    await app.bench.happen('postback.received', {}, { broker: 'alt' });
    await app.time.advance(1);
    await app.bench.happen('alert', { level: 'warning', message: 'again' });
    await app.time.advance(1);
    const response = await asked;
    expect([idsOf(response), response.body.meta.cursor]).toEqual([['a-7'], 'a-7']);
  });

  it('answers without an event after its time, with a cursor to go on from', async () => {
    app = await startApp();
    await happenings();
    const asked = get(`${PATH}?after=a-2&wait=20&type=order.forced`).then((response) => response);
    const response = await app.time.settle(asked);
    expect([response.status, idsOf(response), response.body.meta.cursor]).toEqual([200, [], 'a-5']);
    expect(app.time.elapsed()).toBeGreaterThanOrEqual(20_000);
  });

  it('answers at once when the gateway stops', async () => {
    app = await startApp();
    const asked = get(`${PATH}?wait=30`).then((response) => response);
    await drain(20);
    app.bench.readers.stop();
    expect((await asked).status).toBe(200);
    expect(app.time.elapsed()).toBe(0);
  });

  it('takes no more connections of one key than its share', async () => {
    app = await startApp();
    const places = Array.from({ length: MOST_READERS_OF_KEY }, () =>
      app.bench.readers.enter('key_read'),
    );
    const refused = await get(`${PATH}?wait=5`);
    expectProblem(refused, 429, 'too_many_requests');
    expect(refused.headers['retry-after']).toBe('5');
    expect((await get(`${PATH}?wait=0`)).status).toBe(200);
    places[0]?.leave();
    places[0]?.leave();
    const asked = get(`${PATH}?wait=5`).then((response) => response);
    expect((await app.time.settle(asked)).status).toBe(200);
  });

  it('answers with the problem where the journal cannot be read', async () => {
    app = await startApp();
    const { bench, time } = app;
    const feed = createEventFeed({
      ...bench.events,
      eventsAfter: () => Promise.reject(new Error('database is not open')),
    });
    const readers = createEventReaders({ feed, clock: time, scheduler: time });
    await app.close();
    app = await startApp({ events: readers });
    expectProblem(await get(PATH), 500, 'internal');
  });
});
