import { describe, expect, it } from 'vitest';
import {
  createStateChanges,
  type StateNow,
  TOLD_EVERY_MS,
} from '../../src/events/state-changes.ts';
import { silentLog } from '../../src/platform/log.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

function bench(files = memoryFiles()) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const told: unknown[] = [];
  const now = { available: true, isFailing: false };
  const states = (): readonly StateNow[] => [
    { key: 'broker alt', type: 'broker.changed', data: { available: now.available }, about: {} },
    { key: 'broker paper', type: 'broker.changed', data: { paper: true }, about: {} },
  ];
  const start = () =>
    createStateChanges({
      ...{ states, files, path: 'told.json', clock: time, scheduler: time, log: silentLog },
      tell({ data }) {
        if (now.isFailing) return Promise.reject(new Error('disk I/O error'));
        told.push(data.available);
        return Promise.resolve();
      },
    });
  return { time, told, now, start, files };
}

describe('states that are in memory alone', () => {
  it('are told when they change, and not at the first start', async () => {
    const { time, told, now, start } = bench();
    const changes = start();
    await time.advance(60_000);
    expect(told).toEqual([]);
    now.available = false;
    changes.look();
    expect(told).toEqual([false]);
    now.available = true;
    await time.advance(60_000);
    expect(told).toEqual([false, true]);
    changes[Symbol.dispose]();
    expect(time.pending).toBe(0);
  });

  it('that change all the time are told at most twice a minute, and in the end as they are', async () => {
    const { time, told, now, start } = bench();
    start();
    for (let second = 0; second < 600; second += 1) {
      now.available = second % 20 < 10;
      await time.advance(1_000);
    }
    expect(told.length).toBeGreaterThan(5);
    expect(told.length).toBeLessThanOrEqual(20);
    now.available = false;
    await time.advance(TOLD_EVERY_MS + 5_000);
    expect(told.at(-1)).toBe(false);
  });

  it('that have changed over a restart are told, and others are not', async () => {
    const first = bench();
    first.start()[Symbol.dispose]();
    const second = bench(first.files);
    second.now.available = false;
    const changes = second.start();
    await second.time.advance(1);
    changes[Symbol.dispose]();
    const third = bench(first.files);
    third.now.available = false;
    third.start();
    await third.time.advance(60_000);
    expect([second.told, third.told]).toEqual([[false], []]);
  });

  it('that could not be written are told later', async () => {
    const { time, told, now, start } = bench();
    start();
    [now.available, now.isFailing] = [false, true];
    await time.advance(10_000);
    expect(told).toEqual([]);
    now.isFailing = false;
    await time.advance(TOLD_EVERY_MS);
    expect(told).toEqual([false]);
  });

  it('that come while the gateway stops plan no further look', async () => {
    const { time, told, now, start } = bench();
    const changes = start();
    changes[Symbol.dispose]();
    now.available = false;
    changes.look();
    await time.advance(TOLD_EVERY_MS);
    expect([told, time.pending]).toEqual([[], 0]);
  });
});
