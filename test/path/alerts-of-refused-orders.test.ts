import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import { alertAt, hookRig } from './hooks.ts';

describe('alerts of a hook whose orders are refused after the 202', () => {
  it('tell people once a minute, as those that are refused before it', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
    for (let count = 0; count < 10; count += 1) {
      expect((await hook.post(alertAt(rig, { id: `n${count}` }))).status).toBe(202);
      await rig.time.advance(1_000);
    }
    const told = journalEvents(rig.dataDirectory, 'alert').filter(({ data }) =>
      String(data.message).includes('the hook tradingview'),
    );
    expect(told).toHaveLength(1);
  });
});
