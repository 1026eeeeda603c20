import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { journalEvents } from '../support/journal-events.ts';
import { acceptedOnly, alertAt, hookRig, signalsOf } from './hooks.ts';
import { place, RESTING } from './walk.ts';

const LIVE = { key: { mode: 'live' }, hook: { mode: 'live' } };

describe('a signal that was accepted, and whose row does not fit', () => {
  it('does not keep the gateway from starting: orders and other signals work on', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const resting = await place(rig, RESTING, 'rests');
    const { id } = await acceptedOnly(rig);
    const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
    database.exec(
      `UPDATE signals SET record = json_set(record, '$.orders[0].request.product', 'MTF')
       WHERE state = 'accepted'`,
    );
    database.close();
    await rig.restart();
    await rig.time.advance(3_000);
    const path = `/api/v1/orders/${resting.body.data.id}`;
    expect([200, 202]).toContain((await rig.call({ method: 'DELETE', path })).status);
    // It is left out of the list, and a person was told of it.
    const listed = (await signalsOf(rig)).map((each: { id: string }) => each.id);
    expect([listed.length, listed.includes(id)]).toEqual([1, false]);
    const alerts = journalEvents(rig.dataDirectory, 'alert').map(({ data }) => data);
    expect(alerts.filter(({ message }) => String(message).includes(id))).toMatchObject([
      { level: 'critical', message: expect.stringContaining('its orders are not sent') },
    ]);
  });
});
