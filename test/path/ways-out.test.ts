import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, modify, place, RESTING, spoilPlacing } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const EXIT = { ...BUY, side: 'SELL', quantity: 50 };

/** Leaves one order in the book, then five unreadable answers to placing; tells the order's id. */
async function spoilFive(rig: Rig): Promise<string> {
  const resting = await place(rig, RESTING, 'resting');
  await rig.time.advance(2_000);
  spoilPlacing(rig, 'html_2xx_after', { times: 5 });
  const attempts = Array.from({ length: 5 }, (_, index) =>
    place(rig, { ...BUY, quantity: 1 }, `open-${index}`),
  );
  const replies = await Promise.all(attempts);
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(202));
  return resting.body.data.id;
}

describe('after five unreadable answers to placing', () => {
  it('a cancel and a modification are sent, and an order that opens is not', async () => {
    await using rig = await loggedInRig();
    const resting = await spoilFive(rig);
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'refuse',
      match: { method: 'GET', path: '/orders' },
    });
    const held = await place(rig, BUY, 'held');
    expect([held.status, held.body.code]).toEqual([503, 'order_not_sent']);
    expect((await modify(rig, resting, { price: 1_471 })).status).toBe(200);
    expect((await cancel(rig, resting)).status).toBe(202);
    const changes = rig.sent.map(({ method }) => method).filter((each) => /PUT|DELETE/.test(each));
    expect(changes).toEqual(['PUT', 'DELETE']);
  });

  it('an order that only reduces a position is sent', async () => {
    await using rig = await loggedInRig();
    await spoilFive(rig);
    expect((await place(rig, EXIT, 'exit')).status).toBe(201);
  });

  it('an order that opens is sent once the book has been read', async () => {
    await using rig = await loggedInRig();
    await spoilFive(rig);
    await rig.get('/api/v1/orders?broker=alt&maxAgeMs=0');
    expect((await place(rig, BUY, 'opens')).status).toBe(201);
  });
});

describe('a 429 on a cancel that asks for five minutes', () => {
  it('holds back the next cancel and the next exit for ten seconds', async () => {
    await using rig = await loggedInRig();
    const ids: string[] = [];
    for (const key of ['one', 'two']) {
      ids.push((await place(rig, { ...RESTING, quantity: 1 }, key)).body.data.id);
    }
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'rate_limited',
      match: { method: 'DELETE', path: '/orders' },
      times: 1,
      params: { retryAfter: 300 },
    });
    await cancel(rig, ids[0]!);
    await rig.time.advance(10_000);
    expect((await cancel(rig, ids[1]!)).status).toBe(202);
    expect((await place(rig, EXIT, 'exit')).status).toBe(201);
    expect((await place(rig, BUY, 'opens')).status).toBe(503);
  });
});
