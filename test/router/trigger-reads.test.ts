import { describe, expect, it } from 'vitest';
import type { TriggerList } from '../../src/domain/trigger.ts';
import type { BrokerView } from '../../src/router/policy.ts';
import { createTriggerReads } from '../../src/router/trigger-reads.ts';
import { createState } from '../../src/execution/journal/state.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const view: BrokerView = { broker: 'alt', mode: 'live', blocked: null };

const readsOf = (list: TriggerList) =>
  createTriggerReads({
    triggers: new Map([
      ['alt', { broker: 'alt', inBook: false, list: () => Promise.resolve(list) }],
    ]),
    route: ['alt'],
    view: () => view,
    clock: new VirtualTime('2026-11-20T10:00:00+05:30'),
    execution: { state: createState(), poller: () => null },
  });

describe('a list of triggers', () => {
  it('of which a row cannot be read is an error that names the row', async () => {
    const unread = [{ triggerId: '100001', instrument: null, reason: 'it has no order' }];
    const read = readsOf({ triggers: [], unread }).getTriggers({ broker: 'alt' });
    await expect(read).rejects.toMatchObject({
      code: 'broker_unavailable',
      fields: { detail: expect.stringContaining('100001') as unknown },
    });
  });

  it('without any is an empty one', async () => {
    const { data } = await readsOf({ triggers: [], unread: [] }).getTriggers({ broker: 'alt' });
    expect(data).toEqual([]);
  });
});
