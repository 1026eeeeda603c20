import { describe, expect, it } from 'vitest';
import { createStateChanges, type StateNow } from '../../src/events/state-changes.ts';
import { silentLog } from '../../src/platform/log.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

describe('two states that change at once', () => {
  it('are both told after a restart where only the first could be written', async () => {
    const files = memoryFiles();
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const now = { is: 'valid', isFull: false };
    const told: string[] = [];
    const states = (): readonly StateNow[] => [
      { key: 'session alt', type: 'session.changed', data: { state: now.is }, about: {} },
      { key: 'broker alt', type: 'broker.changed', data: { state: now.is }, about: {} },
    ];
    const start = () =>
      createStateChanges({
        ...{ states, files, path: 'told.json', clock: time, scheduler: time, log: silentLog },
        tell({ key }) {
          if (now.isFull && key === 'broker alt') return Promise.reject(new Error('disk full'));
          told.push(key);
          return Promise.resolve();
        },
      });
    const first = start();
    await time.advance(1);
    now.is = 'expired';
    now.isFull = true;
    first.look();
    await time.advance(10);
    first[Symbol.dispose]();
    now.isFull = false;
    start();
    await time.advance(120_000);
    expect(told.toSorted()).toEqual(['broker alt', 'session alt']);
  });
});
