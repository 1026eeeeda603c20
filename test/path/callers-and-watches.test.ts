import { describe, expect, it } from 'vitest';
import { BUY, bookReads, cancel, loggedInRig, orderOf, place, RESTING } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const EXIT = { ...BUY, side: 'SELL', quantity: 50, broker: 'alt' };
const MARGINS = { orders: [{ ...RESTING }] };

/** One program that asks for margins without an end: 120 calls at once. */
async function floodedRig(quietMs = 3_000) {
  const rig = await loggedInRig();
  const { body } = await place(rig, RESTING, 'resting');
  await rig.time.advance(quietMs);
  const asked = Array.from({ length: 120 }, () =>
    rig.begin({ method: 'POST', path: '/api/v1/margins', json: MARGINS }),
  );
  await rig.time.advance(50);
  return {
    ...{ rig, id: String(body.data.id), asked },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

describe('a program that asks for more than the broker’s limit', () => {
  it('delays neither the book nor the answer to a cancel', async () => {
    await using flood = await floodedRig();
    const { rig, id, asked } = flood;
    const [before, begun] = [bookReads(rig), rig.time.elapsed()];
    const reply = await cancel(rig, id);
    expect([200, 202]).toContain(reply.status);
    expect(rig.time.elapsed() - begun).toBeLessThan(1_500);
    await rig.time.advance(1_500);
    expect(bookReads(rig)).toBeGreaterThan(before);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
    await rig.time.advance(10_000);
    await Promise.all(asked);
  });

  it('is told when to come again where too many of its calls wait', async () => {
    await using flood = await floodedRig();
    const { rig, asked } = flood;
    await rig.time.advance(10_000);
    const replies = await Promise.all(asked);
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(50);
    expect(refused[0]?.body).toMatchObject({ code: 'broker_unavailable', retrySafe: true });
    expect(refused[0]?.headers['retry-after']).toBe('3');
  });

  it('does not keep an exit under the kill switch from reading the account', async () => {
    // What was last read of the account is too old for an exit by then.
    await using flood = await floodedRig(120_000);
    const { rig, asked } = flood;
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
    const reply = await place(rig, EXIT, 'exit');
    expect([reply.status, reply.body.detail]).toEqual([201, undefined]);
    await rig.time.advance(10_000);
    await Promise.all(asked);
  });
});
