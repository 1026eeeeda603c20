import { describe, expect, it } from 'vitest';
import type { Trading } from '../../src/domain/ports.ts';
import { createBookKeeper } from '../../src/execution/book-keeper.ts';
import { applyChange } from '../../src/execution/state.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createSingleWriter } from '../../src/platform/single-writer.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { AT, stateOf } from './support/makers.ts';

/** A keeper with nothing to watch, and the elapsed ms at which it read the book. */
function keeping() {
  const time = new VirtualTime(AT);
  const reads: number[] = [];
  const trading = {
    broker: 'alt',
    tagging: 'always',
    blocked: () => null,
    orderBook() {
      reads.push(time.elapsed());
      return Promise.resolve([]);
    },
  } as unknown as Trading;
  const state = stateOf();
  const writer = createSingleWriter({
    state,
    apply: applyChange,
    scheduler: time,
    store: { commit: (units) => Promise.resolve({ committed: units.length, error: null }) },
  });
  const keeper = createBookKeeper({
    trading,
    writer,
    clock: time,
    scheduler: time,
    log: silentLog,
    settings: {
      pollMs: 1_000,
      absentAfterMs: 10_000,
      unrecognisedMs: 60_000,
      marketHours: 'always',
    },
    sendKeptCancel: () => undefined,
    beforeRead: () => Promise.resolve(),
    onRead: () => undefined,
  });
  return { time, reads, keeper };
}

describe('the order book', () => {
  it('is not read where nothing is watched and nobody asks', async () => {
    const { time, reads, keeper } = keeping();
    keeper.schedule();
    await time.advance(3_600_000);
    expect(reads).toEqual([]);
  });

  it('is read at once after a hint', async () => {
    const { time, reads, keeper } = keeping();
    keeper.wake();
    await time.advance(10_000);
    expect(reads).toEqual([0]);
  });

  it('is read a quarter of a second after an order of ours was taken', async () => {
    const { time, reads, keeper } = keeping();
    keeper.wakeSoon();
    await time.advance(10_000);
    expect(reads).toEqual([250]);
  });

  it('is read once for a basket, counted from its first leg', async () => {
    const { time, reads, keeper } = keeping();
    for (let leg = 0; leg < 5; leg += 1) {
      keeper.wakeSoon();
      await time.advance(40);
    }
    await time.advance(10_000);
    expect(reads).toEqual([250]);
  });

  it('is read again for what happened after a read began, half a second apart', async () => {
    const { time, reads, keeper } = keeping();
    keeper.wakeSoon();
    await time.advance(100);
    await time.settle(keeper.read(time.elapsed()));
    await time.advance(10_000);
    expect(reads).toEqual([100, 600]);
  });

  it('is read for the earlier of two wishes', async () => {
    const { time, reads, keeper } = keeping();
    keeper.wakeSoon();
    await time.advance(50);
    keeper.wake();
    await time.advance(10_000);
    expect(reads).toEqual([50]);
  });
});
