import { describe, expect, it } from 'vitest';
import { loseLists } from './lost-lists.ts';
import { placeTrigger, STOP } from './trigger-walk.ts';
import { BUY, loggedInRig, place } from './walk.ts';

/** What a problem says where an earlier request under the key may have done what is asked for. */
const UNTOLD = { code: 'no_broker', mayHaveExecuted: true, retrySafe: false };

describe('a used key, where no list can tell whether the request is the same', () => {
  it('of an exit is answered with that exit, or with a problem that shows it', async () => {
    await using rig = await loggedInRig();
    const held = { instrument: 'NSE:INFY', product: 'CNC', clientOrderId: 'out' };
    const first = await rig.post('/api/v1/exits', held);
    await rig.time.advance(20_000);
    loseLists(rig);
    await rig.restart();
    const again = await rig.post('/api/v1/exits', held);
    expect([again.status, again.body.data?.id]).toEqual([202, first.body.data.id]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const spelled = await rig.post('/api/v1/exits', { ...held, instrument: 'INFY' });
    expect(spelled).toMatchObject({ status: 503, body: UNTOLD });
    expect(spelled.body.exit.id).toBe(first.body.data.id);
    const other = await rig.post('/api/v1/exits', { ...held, quantity: 7 });
    expect([other.status, other.body.mayHaveExecuted]).toEqual([422, true]);
    const fresh = { ...held, clientOrderId: 'new', instrument: 'INFY' };
    expect((await rig.post('/api/v1/exits', fresh)).body).toMatchObject({ mayHaveExecuted: false });
  });

  it('of a closing may have done what is asked for', async () => {
    await using rig = await loggedInRig();
    const bought = { ...BUY, product: 'INTRADAY', quantity: 10, broker: 'alt' };
    expect((await place(rig, bought, 'bought')).status).toBe(201);
    await rig.time.advance(5_000);
    const path = '/api/v1/positions/close-all';
    const held = { instrument: 'INFY', broker: 'alt', clientOrderId: 'out' };
    const first = await rig.post(path, held);
    expect(first.status).toBe(202);
    await rig.time.advance(20_000);
    loseLists(rig);
    await rig.restart();
    const again = await rig.post(path, held);
    expect(again).toMatchObject({ status: 503, body: UNTOLD });
    expect(again.body.detail).toContain(`the key has begun closing ${first.body.data.id}`);
  });

  it('of a trigger may have done what is asked for', async () => {
    await using rig = await loggedInRig();
    const first = await placeTrigger(rig, STOP, 'stop');
    await rig.time.advance(5_000);
    loseLists(rig);
    await rig.restart();
    expect((await placeTrigger(rig, STOP, 'stop')).body.data?.id).toBe(first.body.data.id);
    const again = await placeTrigger(rig, { ...STOP, instrument: 'INFY' }, 'stop');
    expect(again).toMatchObject({ status: 503, body: UNTOLD });
    expect(again.body.detail).toContain(`has made trigger ${first.body.data.id}`);
  });
});
