import { describe, expect, it } from 'vitest';
import { createEventFeed } from '../../src/events/event-feed.ts';
import { createEventLog } from '../../src/events/event-log.ts';
import { createSqliteJournal } from '../../src/execution/journal/journal.ts';
import { openDatabase } from '../../src/platform/database.ts';
import type { StreamOut } from '../../src/routes/define-route.ts';
import { readPage } from '../../src/routes/event-readers.ts';
import { streamEvents } from '../../src/routes/event-stream.ts';
import { plus } from '../../src/units/branded.ts';
import { eventBench } from '../support/event-bench.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** A connection that takes what was written only when it is told to. */
function heldUp() {
  const written: string[] = [];
  const draining: (() => void)[] = [];
  const state = { ended: '', closeListeners: 0 };
  const out: StreamOut = {
    write: (text) => written.push(text) < 0,
    onDrain: (listener) => void draining.push(listener),
    onClose: () => void (state.closeListeners += 1),
    end: (text) => void (state.ended = text),
    destroy: () => undefined,
  };
  const take = (): void => {
    for (const listener of draining.splice(0)) listener();
  };
  const ids = (): number[] =>
    [...written.join('').matchAll(/"id":"a-(\d+)","type":"alert"/g)].map((found) =>
      Number(found[1]),
    );
  return { out, state, take, ids };
}

/** A stream from the first of so many events on, whose reader has not taken what came first. */
async function streamOf(events: number) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const database = openDatabase(':memory:');
  const bench = eventBench({ clock: time, scheduler: time }, database);
  for (let count = 0; count < events; count += 1) await bench.happen('alert', { message: 'x' });
  const journal = createSqliteJournal(database, null, 'a');
  // Another life of the gateway: it has no events in memory.
  const readers = { ...bench.readers, feed: createEventFeed(createEventLog(journal).events) };
  const reader = heldUp();
  let isValid = true;
  void streamEvents(reader.out, readers, bench.readers.enter('reader'), {
    ...{ caller: 'reader', after: 0, cursor: '0-0', wanted: () => true, holds: () => isValid },
  });
  await time.advance(0);
  reader.take();
  await time.advance(0);
  return {
    ...{ time, bench, journal, ...reader },
    revoke() {
      isValid = false;
      bench.readers.wakeAll();
    },
  };
}

describe('a stream whose reader takes nothing', () => {
  it('is ended at once where the gateway stops', async () => {
    const { time, bench, state } = await streamOf(200);
    bench.readers.stop();
    await time.advance(10);
    expect(state.ended).toContain('"reason":"stopping"');
  });

  it('is ended at once where its key is revoked', async () => {
    const { time, revoke, state } = await streamOf(200);
    revoke();
    await time.advance(10);
    expect(state.ended).toContain('"reason":"key_revoked"');
  });

  it('goes on where something happens meanwhile, and is cut off after thirty seconds', async () => {
    const { time, bench, state } = await streamOf(200);
    await time.advance(20_000);
    await bench.happen('alert', { message: 'y' });
    await time.advance(9_000);
    expect(state.ended).toBe('');
    await time.advance(2_000);
    expect(state.ended).toContain('"reason":"slow_reader"');
  });

  it('is told where events that it does not have yet were removed meanwhile', async () => {
    const { time, journal, state, take, ids } = await streamOf(1_000);
    await time.advance(1_000);
    journal.removeEvents({ before: plus(time.now(), 1), atLeast: 100, atMost: 300_000 }, 500);
    // What was written already, and a heartbeat.
    for (let round = 0; round < 2; round += 1) {
      take();
      await time.advance(1_000);
    }
    expect(state.ended).toContain('"reason":"cursor_expired"');
    expect(ids()).toEqual(Array.from({ length: ids().length }, (_, index) => index + 1));
  });

  it('has no listener for each time that it was held up', async () => {
    const { time, state, take } = await streamOf(2_000);
    for (let round = 0; round < 30; round += 1) {
      take();
      await time.advance(1);
    }
    expect(state.closeListeners).toBeLessThan(5);
  });
});

describe('a list that waits', () => {
  const waiting = async () => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const bench = eventBench({ clock: time, scheduler: time });
    return { time, bench };
  };
  const REQUEST = { caller: 'reader', after: 0, wanted: () => true, limit: 10, waitMs: 20_000 };

  it('tells nothing of what happens after its key was revoked', async () => {
    const { time, bench } = await waiting();
    let isValid = true;
    const page = readPage(bench.readers, { ...REQUEST, holds: () => isValid });
    await time.advance(1_000);
    isValid = false;
    await bench.happen('alert', { message: 'x' });
    expect(await time.settle(page)).toMatchObject({ events: [], after: 0 });
  });

  it('gives its place back once its client has gone', async () => {
    const { time, bench } = await waiting();
    const gone: (() => void)[] = [];
    const wait = () =>
      readPage(bench.readers, {
        ...{ ...REQUEST, holds: () => true, onGone: (listener) => void gone.push(listener) },
      });
    const pages = Array.from({ length: 16 }, wait);
    await time.advance(100);
    await expect(wait()).rejects.toMatchObject({ fields: { code: 'too_many_requests' } });
    for (const listener of gone) listener();
    await Promise.all(pages);
    const next = wait();
    await bench.happen('alert', { message: 'x' });
    expect((await time.settle(next)).events).toHaveLength(1);
  });
});
