import { describe, expect, it } from 'vitest';
import { type Rig } from '../support/rig.ts';
import { journalEvents, journalPostbacks } from '../support/journal-events.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { bookReads, BUY, loggedInRig, orderOf, place, RESTING } from './walk.ts';

/** Polls so seldom that within a test only a postback leads to a read. */
const RARELY = { environment: { APP_ORDER_POLL_SECONDS: '60' } };

/** A postback that the broker has sent, with a part that its checksum does not cover changed. */
async function genuine(rig: Rig, note: string): Promise<Record<string, unknown>> {
  await place(rig, BUY, `for-a-postback-${note}`);
  await rig.time.advance(3_000);
  const sent = rig.sandbox.kite.postbacks()[0];
  if (!sent) throw new Error('the sandbox has sent no postback');
  return { ...(JSON.parse(sent.body) as Record<string, unknown>), status_message: note };
}

describe('a postback', () => {
  it('leads to a read of the book long before the next poll is due', async () => {
    await using rig = await loggedInRig(RARELY);
    const placed = await place(rig, RESTING, 'woken');
    await rig.time.advance(5_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
    await rig.time.advance(2_000);
    expect(rig.sandbox.kite.postbacks().length).toBeGreaterThan(0);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
    });
  });

  it('that is lost is made up for by the next poll', async () => {
    await using rig = await loggedInRig(RARELY);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'postback_lost' });
    const placed = await place(rig, RESTING, 'lost');
    await rig.time.advance(5_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'working' });
    await rig.time.advance(60_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'filled' });
  });

  it('is taken when its checksum holds, and once', async () => {
    await using rig = await loggedInRig();
    const body = JSON.stringify(await genuine(rig, 'first'));
    const first = await rig.postback(body);
    expect([first.status, first.body.data]).toEqual([200, { received: 'accepted' }]);
    const again = await rig.postback(body);
    expect([again.status, again.body.data]).toEqual([200, { received: 'repeated' }]);
  });

  it('is told with its time, one with a wrong checksum is not, and nothing is told of before the start', async () => {
    await using rig = await loggedInRig(RARELY);
    const told = async () => {
      const { data } = (await rig.get('/api/v1/brokers')).body;
      const of = (name: string) => data.find(({ broker }: { broker: string }) => broker === name);
      return { alt: of('alt').postbacks, paper: of('paper').postbacks };
    };
    const first = await told();
    expect(first.alt.lastAt).toBeNull();
    expect(first.paper).toBeNull();
    const body = await genuine(rig, 'told');
    const { lastAt, since } = (await told()).alt;
    expect(Date.parse(lastAt)).toBeGreaterThan(Date.parse(since));
    await rig.time.advance(60_000);
    await rig.postback(JSON.stringify({ ...body, checksum: 'f'.repeat(64) }));
    expect((await told()).alt.lastAt).toBe(lastAt);
    await rig.postback(JSON.stringify(body));
    expect(Date.parse((await told()).alt.lastAt)).toBeGreaterThan(Date.parse(lastAt));
    await rig.restart();
    expect((await told()).alt.lastAt).toBeNull();
  });

  it('is remembered over a restart', async () => {
    await using rig = await loggedInRig();
    const body = JSON.stringify(await genuine(rig, 'kept'));
    await rig.postback(body);
    await rig.restart();
    expect((await rig.postback(body)).body.data).toEqual({ received: 'repeated' });
  });

  it('is kept in eight variants at most, of which each may have the book read', async () => {
    await using rig = await loggedInRig();
    const first = await genuine(rig, 'variants');
    const variant = (more: object) => rig.postback(JSON.stringify({ ...first, ...more }));
    const before = rig.composed.execution.state.lastEvent;
    for (let count = 0; count < 40; count += 1) {
      const reply = await variant({ status: `UPDATE ${count} ${'x'.repeat(60_000)}` });
      expect([reply.status, reply.body.data.received]).toEqual([
        200,
        // The broker's own message is the first.
        count < 7 ? 'accepted' : 'repeated',
      ]);
    }
    const inbox = journalPostbacks(rig.dataDirectory).filter(
      ({ brokerOrderId }) => brokerOrderId === first.order_id,
    );
    expect(inbox).toHaveLength(8);
    expect(inbox.every(({ rawStatus }) => rawStatus.length <= 32)).toBe(true);
    expect(rig.composed.execution.state.lastEvent - before).toBeLessThan(20);
    const reads = bookReads(rig);
    await variant({ status: 'one more' });
    await rig.time.advance(2_000);
    expect(bookReads(rig)).toBeGreaterThan(reads);
  });

  it('is kept in eight variants at most, also when all come at once', async () => {
    await using rig = await loggedInRig();
    const first = await genuine(rig, 'at-once');
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, count) =>
        rig.postback(JSON.stringify({ ...first, filled_quantity: count })),
      ),
    );
    const accepted = replies.filter(({ body }) => body.data.received === 'accepted');
    expect(accepted).toHaveLength(7);
  });

  it('that is forged is refused, and nothing is read for it', async () => {
    await using rig = await loggedInRig(RARELY);
    const forged = { ...(await genuine(rig, 'forged')), checksum: 'f'.repeat(64) };
    await rig.time.advance(120_000);
    const before = bookReads(rig);
    const reply = await rig.postback(JSON.stringify(forged));
    await rig.time.advance(5_000);
    expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized']);
    expect(bookReads(rig)).toBe(before);
  });

  it('is never the truth itself: a status under a right checksum is read in the book', async () => {
    await using rig = await loggedInRig(RARELY);
    const placed = await place(rig, RESTING, 'told');
    await rig.time.advance(2_000);
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'postback_forged',
      params: { mode: 'replayed' },
      times: 1,
    });
    const id: string = placed.body.data.id;
    await rig.call({ method: 'PATCH', path: `/api/v1/orders/${id}`, json: { price: 1_460 } });
    await rig.time.advance(5_000);
    const replayed = rig.sandbox.kite.postbacks().find(({ forged }) => forged);
    expect(replayed?.body).toContain('"COMPLETE"');
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it.each([
    ['empty', ''],
    ['no JSON', 'order_id=1'],
    ['no postback', '{"hello":"there"}'],
  ])('that is %s is refused as malformed', async (_what, body) => {
    await using rig = await loggedInRig();
    const reply = await rig.postback(body);
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
  });
});

describe('each status that is posted', () => {
  /** Time for a postback to come and the book to be read once, far less than a poll. */
  const MOMENT_MS = 2_000;

  /** A resting order that the broker has, with no read due for most of a minute. */
  async function resting(rig: Rig): Promise<{ id: string; brokerOrderId: string }> {
    const { id, brokerOrderId } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(2_000);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working' });
    return { id: String(id), brokerOrderId: String(brokerOrderId) };
  }
  const posted = (rig: Rig): readonly string[] =>
    rig.sandbox.kite.postbacks().map(({ status }) => status);

  it('COMPLETE: the order is found filled', async () => {
    await using rig = await loggedInRig(RARELY);
    const { id, brokerOrderId } = await resting(rig);
    rig.sandbox.kite.fillByHand(brokerOrderId, 10, 147_000);
    await rig.time.advance(MOMENT_MS);
    expect(posted(rig)).toEqual(['COMPLETE']);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'filled', averagePrice: 1_470 });
  });

  it('UPDATE: a partial fill is found', async () => {
    await using rig = await loggedInRig(RARELY);
    const { id, brokerOrderId } = await resting(rig);
    rig.sandbox.kite.fillByHand(brokerOrderId, 4, 147_000);
    await rig.time.advance(MOMENT_MS);
    expect(posted(rig)).toEqual(['UPDATE']);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working', filledQuantity: 4 });
  });

  it('UPDATE: a change made by another program is found', async () => {
    await using rig = await loggedInRig(RARELY);
    const { id, brokerOrderId } = await resting(rig);
    elsewhere(rig.sandbox, 'PUT', `/orders/regular/${brokerOrderId}`, { price: '1465' });
    await rig.time.advance(MOMENT_MS);
    expect(posted(rig)).toEqual(['UPDATE']);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working', price: 1_465 });
  });

  it('CANCELLED: a cancel by another program is found', async () => {
    await using rig = await loggedInRig(RARELY);
    const { id, brokerOrderId } = await resting(rig);
    elsewhere(rig.sandbox, 'DELETE', `/orders/regular/${brokerOrderId}`);
    await rig.time.advance(MOMENT_MS);
    expect(posted(rig)).toEqual(['CANCELLED']);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });

  it('REJECTED: a refusal after the acknowledgement is found', async () => {
    await using rig = await loggedInRig(RARELY);
    const { id } = (await place(rig, { ...BUY, quantity: 100_000 }, 'too-much')).body.data;
    await rig.time.advance(MOMENT_MS);
    expect(posted(rig)).toEqual(['REJECTED']);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'rejected', filledQuantity: 0 });
  });

  it('of an order that another program has placed: it is read, and shown as external', async () => {
    await using rig = await loggedInRig(RARELY);
    await rig.time.advance(5_000);
    const before = bookReads(rig);
    const data = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      transaction_type: 'BUY',
      quantity: '3',
      product: 'CNC',
      order_type: 'LIMIT',
      price: '1510',
    });
    await rig.time.advance(MOMENT_MS);
    expect(posted(rig)).toContain('COMPLETE');
    expect(bookReads(rig)).toBeGreaterThan(before);
    const events = journalEvents(rig.dataDirectory, 'postback.received');
    expect(events.at(-1)?.data).toEqual({ broker: 'alt', brokerOrderId: data['order_id'] });
    const listed = (await rig.get('/api/v1/orders')).body.data;
    expect(listed).toMatchObject([
      { id: `alt:${String(data['order_id'])}`, external: true, status: 'filled' },
    ]);
  });
});

describe('the postback route', () => {
  it('answers before the book has been read again', async () => {
    await using rig = await loggedInRig(RARELY);
    const body = JSON.stringify(await genuine(rig, 'while-the-broker-hangs'));
    await rig.time.advance(120_000);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'hang_before', match: { path: '/orders' } });
    const [at, before] = [rig.time.elapsed(), bookReads(rig)];
    expect((await rig.postback(body)).status).toBe(200);
    // Nothing that takes time stands between the post and its answer.
    expect(rig.time.elapsed() - at).toBeLessThan(5);
    await rig.time.advance(1_000);
    expect(bookReads(rig)).toBe(before + 1);
  });

  it('has it on disk before it answers: a kill right after loses nothing', async () => {
    await using rig = await loggedInRig();
    const body = JSON.stringify(await genuine(rig, 'kept'));
    expect((await rig.postback(body)).body.data).toEqual({ received: 'accepted' });
    await rig.crash();
    expect((await rig.postback(body)).body.data).toEqual({ received: 'repeated' });
  });

  it('takes them while nobody is logged in', async () => {
    await using rig = await loggedInRig();
    const body = JSON.stringify(await genuine(rig, 'logged-out'));
    await rig.call({ method: 'DELETE', path: '/api/altbroker/token' });
    expect((await rig.postback(body)).body.data).toEqual({ received: 'accepted' });
  });

  it('leads to two reads at once and then to two a second at most, whatever comes in', async () => {
    await using rig = await loggedInRig(RARELY);
    const sample = await genuine(rig, 'flood');
    await rig.time.advance(120_000);
    const before = bookReads(rig);
    const begun = rig.time.elapsed();
    for (let count = 0; count < 200; count += 1) {
      const reply = await rig.postback(JSON.stringify({ ...sample, status_message: `${count}` }));
      expect(reply.status).toBe(200);
      await rig.time.advance(20);
    }
    await rig.time.advance(1_000);
    const halfSeconds = Math.ceil((rig.time.elapsed() - begun) / 500);
    const reads = bookReads(rig) - before;
    expect(reads).toBeGreaterThan(2);
    expect(reads).toBeLessThanOrEqual(halfSeconds + 1);
  });
});
