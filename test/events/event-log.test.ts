import { describe, expect, it } from 'vitest';
import { createEventLog, type GatewayEvent } from '../../src/events/event-log.ts';
import { drain } from '../support/virtual-time.ts';
import { epochMs } from '../../src/units/branded.ts';

function fakeStore() {
  const kept: GatewayEvent[] = [];
  const store = {
    kept,
    refuse: false,
    async commit(units: readonly (readonly GatewayEvent[])[]) {
      if (store.refuse) return { committed: 0, error: new Error('ENOSPC') };
      kept.push(...units.flat());
      return { committed: units.length, error: null };
    },
    eventsAfter: async (sequence: number, limit: number) =>
      kept
        .filter((event) => event.sequence > sequence)
        .slice(0, limit)
        .map((event) => ({ ...event, epoch: 'a' })),
    epochOf: async () => 'a',
    beforeFirstEvent: async () => 0,
    lastEvent: async () => kept.at(-1)?.sequence ?? 0,
  };
  return store;
}
const event = (sequence: number): GatewayEvent => ({
  sequence,
  at: epochMs(0),
  type: 'alert',
  orderId: null,
  data: {},
});

describe('the log of events', () => {
  it('calls its followers after a commit, once the events can be read', async () => {
    const { events, store } = createEventLog(fakeStore());
    const heard: number[] = [];
    events.onAppended(() => void events.lastEvent().then((last) => heard.push(last)));
    await store.commit([[event(1), event(2)]]);
    await drain();
    expect(heard).toEqual([2]);
    expect((await events.eventsAfter(1, 9)).map(({ sequence }) => sequence)).toEqual([2]);
  });

  it('returns the store’s result, and reports nothing that was not committed', async () => {
    const inner = fakeStore();
    const { events, store } = createEventLog(inner);
    let heard = 0;
    events.onAppended(() => void (heard += 1));
    inner.refuse = true;
    expect(await store.commit([[event(1)]])).toMatchObject({ committed: 0 });
    expect(heard).toBe(0);
  });

  it('does not pass a follower’s error to the caller of the commit', async () => {
    const { events, store } = createEventLog(fakeStore());
    let heard = 0;
    events.onAppended(() => {
      throw new Error('mistaken');
    });
    events.onAppended(() => void (heard += 1));
    expect(await store.commit([[event(1)]])).toEqual({ committed: 1, error: null });
    expect(heard).toBe(1);
  });

  it('does not call a follower that has unsubscribed', async () => {
    const { events, store } = createEventLog(fakeStore());
    let heard = 0;
    const leave = events.onAppended(() => void (heard += 1));
    leave();
    await store.commit([[event(1)]]);
    expect(heard).toBe(0);
  });

  it('rejects when the store throws at once, as a closed database does', async () => {
    const store = {
      ...fakeStore(),
      eventsAfter: (): never => {
        throw new Error('database is not open');
      },
    };
    await expect(createEventLog(store).events.eventsAfter(0, 1)).rejects.toThrow('not open');
  });
});
