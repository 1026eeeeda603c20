import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { loggedInRig, place, placings, RESTING, spoilPlacing } from './walk.ts';

/** An option of the sandbox by its name, and by its security id as NFO_… and as NSE_…. */
function optionOf(rig: Rig): { name: string; byId: string; atParent: string } {
  const option = rig.sandbox.exchange.instruments().find((one) => one.key.startsWith('NFO:'))!;
  const { securityId } = option.primary;
  return { name: option.key, byId: `NFO_${securityId}`, atParent: `NSE_${securityId}` };
}

const optionOrder = (instrument: string) => ({
  ...{ instrument, side: 'BUY', quantity: 65, product: 'MARGIN' },
  ...{ orderType: 'LIMIT', price: 150 },
});

/** Starts the gateway again; the instrument lists are neither on disk nor to be had. */
async function restartWithoutLists(rig: Rig): Promise<void> {
  for (const [broker, path] of [
    ['kite', '/instruments'],
    ['primary', '/market/instruments'],
  ] as const) {
    const params = { status: 503 };
    rig.sandbox.faults.add({ broker, kind: 'error_before', match: { path }, times: 1_000, params });
  }
  const kept = readdirSync(rig.dataDirectory).filter((name) => name.startsWith('instruments-'));
  for (const name of kept) rmSync(join(rig.dataDirectory, name));
  await rig.restart();
}

describe('the same request under the same key, its instrument spelled in another way', () => {
  it('is a repeat: a derivative by its security id, in capitals or not', async () => {
    await using rig = await loggedInRig();
    const { name, byId, atParent } = optionOf(rig);
    const first = await place(rig, optionOrder(name), 'one');
    expect(first.status, first.text).toBe(201);
    for (const spelling of [byId, atParent, byId.toLowerCase()]) {
      const again = await place(rig, optionOrder(spelling), 'one');
      expect([again.status, again.body.data?.id], again.text).toEqual([201, first.body.data.id]);
    }
    expect(placings(rig)).toHaveLength(1);
  });

  it('is a repeat without any list where it is spelled as it was the first time', async () => {
    await using rig = await loggedInRig();
    const { byId } = optionOf(rig);
    const first = await place(rig, optionOrder(byId), 'one');
    await restartWithoutLists(rig);
    const again = await place(rig, optionOrder(byId), 'one');
    expect([again.status, again.body.data?.id], again.text).toEqual([201, first.body.data.id]);
  });

  it('is answered 503 with the order while no list can tell, and never 422', async () => {
    await using rig = await loggedInRig();
    const { name, byId } = optionOf(rig);
    const first = await place(rig, optionOrder(name), 'one');
    await restartWithoutLists(rig);
    const again = await place(rig, optionOrder(byId), 'one');
    expect([again.status, again.body.code]).toEqual([503, 'no_broker']);
    expect(again.body).toMatchObject({
      mayHaveExecuted: true,
      retrySafe: false,
      order: { id: first.body.data.id },
    });
    expect(placings(rig)).toHaveLength(1);
  });

  it('is another request where the security id is that of another instrument', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'one');
    const other = await place(rig, { ...RESTING, instrument: 'NSE_3045' }, 'one');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    const none = await place(rig, { ...RESTING, instrument: 'NSE:NOTHERE' }, 'one');
    expect([none.status, none.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(placings(rig)).toHaveLength(1);
  });
});

describe('another request under a used key', () => {
  it('is told that the order of the key may have executed, and which it is', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    const other = await place(rig, { ...RESTING, quantity: 11 }, 'one');
    expect(other.body).toMatchObject({
      code: 'idempotency_conflict',
      mayHaveExecuted: true,
      retrySafe: false,
      order: { id: body.data.id, status: 'working' },
    });
  });

  it('is told that nothing was placed where the order of the key was refused', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'rate_limited');
    expect((await place(rig, RESTING, 'one')).status).toBe(422);
    const other = await place(rig, { ...RESTING, quantity: 11 }, 'one');
    expect(other.body).toMatchObject({ code: 'idempotency_conflict', mayHaveExecuted: false });
  });
});
