import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, place, RESTING, spoilPlacing } from './walk.ts';
import type { Rig, RigOptions } from '../support/rig.ts';

const SLOW: RigOptions = { sandbox: { latencyMs: [40, 40] } };

interface Placing {
  readonly orderId: string;
  readonly broker: string;
  readonly outcome: string;
  readonly times: {
    readonly receivedAt: string;
    readonly committedAt: string;
    readonly sentAt: string | null;
    readonly answeredAt: string;
    readonly sentMs: number | null;
    readonly answeredMs: number | null;
  } | null;
}

async function placingsOf(rig: Rig, id: string): Promise<readonly Placing[]> {
  const reply = await rig.get(`/api/v1/orders/${id}/latency`);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data;
}

describe('how long an order took', () => {
  it('is told part by part, in the order in which the parts follow', async () => {
    await using rig = await loggedInRig(SLOW);
    const received = rig.time.now();
    const { body } = await place(rig, RESTING, 'one');
    const [placing, ...more] = await placingsOf(rig, body.data.id);
    expect(more).toEqual([]);
    expect(placing).toMatchObject({
      orderId: body.data.id,
      broker: 'alt',
      outcome: 'acknowledged',
    });
    const { receivedAt, committedAt, sentAt, answeredAt, answeredMs } = placing!.times!;
    const instants = [receivedAt, committedAt, sentAt!, answeredAt].map((text) => Date.parse(text));
    expect(instants).toEqual([...instants].sort((one, other) => one - other));
    expect(instants[0]).toBe(received);
    // The latency of the simulated broker lies between the send and the answer.
    expect(answeredMs).toBeGreaterThanOrEqual(40);
    expect(instants[3]! - instants[2]!).toBe(answeredMs);
  });

  it('is kept over a restart and a crash', async () => {
    await using rig = await loggedInRig(SLOW);
    const { body } = await place(rig, RESTING, 'one');
    const before = await placingsOf(rig, body.data.id);
    await rig.crash();
    expect(await placingsOf(rig, body.data.id)).toEqual(before);
  });

  it('has no time of sending for a request that never left', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'refuse');
    const { body } = await place(rig, BUY, 'one');
    const id: string = body.order?.id ?? body.data?.id;
    const [placing] = await placingsOf(rig, id);
    expect(placing).toMatchObject({
      outcome: 'not_sent',
      times: { sentAt: null, sentMs: null, answeredMs: null },
    });
  });

  it('is told of each slice', async () => {
    await using rig = await loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'INFY=4' } });
    const { body } = await place(rig, RESTING, 'one');
    const placings = await placingsOf(rig, body.data.id);
    const slices = new Set(placings.map(({ orderId }) => orderId));
    expect([placings.length, slices.size]).toEqual([3, 3]);
    expect(slices.has(body.data.id)).toBe(false);
  });

  it('is told of paper orders, and unknown for an order that there is not', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...BUY, broker: 'paper' }, 'one');
    const [placing] = await placingsOf(rig, body.data.id);
    expect(placing).toMatchObject({ broker: 'paper', outcome: 'acknowledged' });
    expect(placing!.times!.sentAt).not.toBeNull();
    const missing = await rig.get('/api/v1/orders/ord_none/latency');
    expect([missing.status, missing.body.code]).toEqual([404, 'unknown_order']);
  });
});
