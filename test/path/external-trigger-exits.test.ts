import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import {
  alertsOf,
  placeElsewhere,
  refuseDeletion,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
} from './trigger-walk.ts';
import { loggedInRig } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const OUT = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt', cancelExternal: true };

async function begin(rig: Rig): Promise<string> {
  // What was placed elsewhere counts for the limit of the broker as well.
  await rig.time.advance(2_000);
  return (await rig.post('/api/v1/exits', OUT)).body.data.id;
}
const exitOf = async (rig: Rig, id: string) => (await rig.get(`/api/v1/exits/${id}`)).body.data;

const soldAtBroker = (rig: Rig): number =>
  rig.sandbox.kite.orders().reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);

/** `[trigger, outcome]` of each note of a deletion, in the order in which they were written. */
const deletionsOf = (rig: Rig): readonly unknown[] =>
  journalEvents(rig.dataDirectory, 'trigger.external_delete').map(({ data }) => {
    const { triggerId, outcome } = data as { triggerId: string; outcome: string | null };
    return [triggerId, outcome];
  });

describe('an exit that is to end triggers placed elsewhere', () => {
  it('has each deletion on disk before it leaves, and its outcome afterwards', async () => {
    await using rig = await loggedInRig();
    const other = placeElsewhere(rig);
    const id = await begin(rig);
    await rig.time.advance(15_000);
    expect(await exitOf(rig, id)).toMatchObject({ status: 'flat' });
    expect(deletionsOf(rig)).toEqual([
      [other, null],
      [other, 'acknowledged'],
    ]);
    const [event] = journalEvents(rig.dataDirectory, 'trigger.external_delete');
    expect(event?.data).toMatchObject({ broker: 'alt', request: id });
  });

  it('asks for all of them at once, and sells after three seconds whatever they answer', async () => {
    await using rig = await loggedInRig();
    const others = [1, 2, 3].map(() => placeElsewhere(rig));
    spoilTriggers(rig, 'hang_before', 'DELETE', { times: 3 });
    const id = await begin(rig);
    await rig.time.advance(2_900);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(3);
    await rig.time.advance(2_000);
    expect(soldAtBroker(rig)).toBe(200);
    const alerts = (await alertsOf(rig)).join('\n');
    expect(alerts).toContain(`not known whether they are ended: ${others.join(', ')}`);
    // An answer is waited for, for eight seconds.
    await rig.time.advance(20_000);
    expect((await exitOf(rig, id)).detail).toContain(others[0]);
    const outcomes = deletionsOf(rig).filter((each) => String(each).endsWith('uncertain'));
    expect(outcomes.slice(0, 3)).toEqual(others.map((other) => [other, 'uncertain']));
  });

  it('names one whose deletion was refused', async () => {
    await using rig = await loggedInRig();
    const other = placeElsewhere(rig);
    refuseDeletion(rig);
    const id = await begin(rig);
    await rig.time.advance(2_000);
    expect((await alertsOf(rig)).join('\n')).toContain(`could trade NSE:INFY again: ${other}`);
    expect(deletionsOf(rig)).toContainEqual([other, 'refused']);
    // Before it says flat it looks at the list once more.
    await rig.time.advance(15_000);
    expect(await exitOf(rig, id)).toMatchObject({ status: 'flat' });
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });
});
