import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { FileError, FileWriteError, UnsafeFileError } from '../../src/platform/files.ts';
import { eventBench } from '../support/event-bench.ts';
import { memoryWebhooks } from '../support/memory-webhooks.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

const PATH = 'data/webhooks.json';
const URL = 'https://hooks.test/orders';

function bench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const events = eventBench({ clock: time, scheduler: time }, openDatabase(':memory:'));
  const files = memoryFiles();
  const start = () => memoryWebhooks(events, time, { files });
  const happen = async (): Promise<void> => {
    await events.happen('alert', { level: 'warning', message: 'x' });
    await time.advance(10);
  };
  return { time, files, start, happen };
}

const REQUEST = { url: URL, types: null, by: 'admin' };

async function withOne() {
  const made = bench();
  const running = made.start();
  const one = await made.time.settle(running.webhooks.add(REQUEST));
  const { id } = one ?? expect.fail();
  return { ...running, ...made, id };
}

describe('the file of webhooks', () => {
  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"webhooks":[]}',
    '{"version":1,"webhooks":[{"id":"wh_1"}]}',
  ])('stops the start where it cannot be read, and stays as it is: %j', async (content) => {
    const { files, start } = await withOne();
    files.contents.set(PATH, content);
    expect(start).toThrow(FileError);
    expect(start).toThrow('restore it, or remove it');
    expect(files.read(PATH)).toBe(content);
  });

  it('is refused where others can read the secrets in it', async () => {
    const { files, start } = await withOne();
    files.readableByOthers.add(PATH);
    expect(start).toThrow(UnsafeFileError);
  });
});

describe('a change of webhooks that the disk does not take', () => {
  it('is not made: nothing is added', async () => {
    const { webhooks, files, time, happen, received } = await withOne();
    files.full = true;
    await expect(time.settle(webhooks.add(REQUEST))).rejects.toThrow(FileWriteError);
    expect(webhooks.list()).toHaveLength(1);
    await happen();
    expect(received).toHaveLength(1);
  });

  it('is not made: nothing is removed, and events go on to it', async () => {
    const { webhooks, files, id, happen, received } = await withOne();
    files.full = true;
    expect(() => webhooks.remove(id)).toThrow(FileWriteError);
    await happen();
    expect([webhooks.list().length, received.length]).toEqual([1, 1]);
  });

  it('is not made: a parked one stays parked', async () => {
    const { webhooks, files, id, happen, answers, received } = await withOne();
    answers(() => ({ kind: 'answered', status: 410, statusText: '', headers: {}, body: '' }));
    await happen();
    files.full = true;
    expect(() => webhooks.revive(id)).toThrow(FileWriteError);
    await happen();
    expect([webhooks.list()[0]?.parkedAt, received.length]).toEqual([expect.any(Number), 1]);
    files.full = false;
    expect(webhooks.revive(id)).toMatchObject({ parkedAt: null });
  });

  it('is only a position: events go on, and it is written with the next', async () => {
    const { files, time, happen, received } = await withOne();
    const cursor = (): unknown => JSON.parse(files.read(PATH) ?? '').webhooks[0].cursor;
    const before = cursor();
    files.full = true;
    await happen();
    await time.advance(2_000);
    expect([received.length, cursor()]).toEqual([1, before]);
    files.full = false;
    await happen();
    await time.advance(2_000);
    expect([received.length, cursor()]).toEqual([2, 'a-2']);
  });
});
