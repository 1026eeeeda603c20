import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../src/platform/http.ts';
import { FileWriteError } from '../../src/platform/files.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { PARK_AFTER_MS } from '../../src/webhooks/deliveries.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';
import { eventBench } from '../support/event-bench.ts';
import { memoryWebhooks } from '../support/memory-webhooks.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const DAY_MS = 86_400_000;
const AWAY: HttpReply = { kind: 'not_sent', cause: 'ENOTFOUND', message: 'no such name' };
const TAKEN: HttpReply = {
  ...{ kind: 'answered', status: 200, statusText: 'OK', headers: {}, body: '' },
};
const REQUEST = { url: 'https://hooks.test/x', types: null, by: 'admin' } as const;

/** A webhook whose tries are answered one after the other by these; the last answer goes on. */
async function bench(...answers: readonly HttpReply[]) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const events = eventBench({ clock: time, scheduler: time }, openDatabase(':memory:'));
  const files = memoryFiles();
  const disk = { isFull: false };
  const kept = {
    ...files,
    replacePrivate(path: string, content: string) {
      if (disk.isFull) throw new FileWriteError(path, 'ENOSPC');
      files.replacePrivate(path, content);
    },
  };
  const begin = (replies: readonly HttpReply[]) => {
    const made = memoryWebhooks(events, time, { files: kept });
    let tries = 0;
    made.answers(() => replies[Math.min((tries += 1), replies.length) - 1] ?? TAKEN);
    return made;
  };
  const first = begin(answers);
  await first.webhooks.add(REQUEST);
  return {
    ...{ time, disk, first, begin },
    async happen() {
      await events.happen('alert', { level: 'warning', message: 'x' });
      await time.advance(10);
    },
    stop: () => time.settle(Promise.resolve(first.webhooks[Symbol.asyncDispose]())),
  };
}

describe('an event of a webhook', () => {
  it.each([
    ['is too long', 'too_large'],
    ['breaks off', 'reset'],
    ['does not end', 'deadline'],
  ] as const)('was taken by an answer of 200 whose text %s', async (_what, cause) => {
    const broken: HttpReply = { kind: 'broken', cause, message: 'no whole reply', status: 200 };
    const { time, first, happen } = await bench(broken, AWAY);
    await happen();
    await time.advance(60_000);
    expect(first.ids()).toEqual(['a-1']);
    expect(first.webhooks.list()).toMatchObject([{ failing: null, delivered: { id: 'a-1' } }]);
  });

  it('was not taken by an answer that broke off before its status, or has another one', async () => {
    const broken = { kind: 'broken', cause: 'reset', message: 'reset' } as const;
    const replies = [
      { ...broken, status: null },
      { ...broken, status: 500 },
    ];
    const { time, first, happen } = await bench(...replies, TAKEN);
    await happen();
    await time.advance(60_000);
    expect(first.ids()).toEqual(['a-1', 'a-1', 'a-1']);
  });

  it('is not sent again after an orderly stop, though the disk was full when it was taken', async () => {
    const { time, disk, first, happen, stop, begin } = await bench(TAKEN);
    disk.isFull = true;
    await happen();
    await time.advance(5_000);
    disk.isFull = false;
    await stop();
    const next = begin([TAKEN]);
    await time.advance(5_000);
    expect([first.ids(), next.ids()]).toEqual([['a-1'], []]);
  });
});

describe('a webhook is parked after tries of a day', () => {
  it('and not by a clock that steps', async () => {
    const { time, first, happen } = await bench(AWAY, AWAY, TAKEN);
    await happen();
    time.stepWall(2 * DAY_MS);
    await time.advance(10_000);
    expect(first.webhooks.list()).toMatchObject([{ parkedAt: null, failing: null }]);
  });

  it('and not by the time in which the gateway was off', async () => {
    const { time, happen, stop, begin } = await bench(AWAY);
    await happen();
    await time.advance(500);
    await stop();
    time.stepWall(2 * DAY_MS);
    const next = begin([AWAY, TAKEN]);
    await time.advance(10_000);
    expect(next.webhooks.list()).toMatchObject([{ parkedAt: null, failing: null }]);
  });

  it('which go on where they were after a restart', async () => {
    const { time, happen, stop, begin } = await bench(AWAY);
    await happen();
    await time.advance(PARK_AFTER_MS * 0.75);
    await stop();
    const next = begin([AWAY]);
    await time.advance(PARK_AFTER_MS * 0.2);
    expect(next.webhooks.list()).toMatchObject([{ parkedAt: null }]);
    await time.advance(PARK_AFTER_MS * 0.1);
    expect(next.webhooks.list()).not.toMatchObject([{ parkedAt: null }]);
  });
});

describe('webhooks that are asked for at once', () => {
  it('are no more than there may be', async () => {
    const { first } = await bench(TAKEN);
    const all = await Promise.all(Array.from({ length: 14 }, () => first.webhooks.add(REQUEST)));
    expect(all.filter((each) => each !== null)).toHaveLength(9);
    expect(first.webhooks.list()).toHaveLength(10);
  });
});
