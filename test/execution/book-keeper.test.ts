import { describe, expect, it } from 'vitest';
import type { Trading } from '../../src/domain/ports.ts';
import { createBookKeeper } from '../../src/execution/book-keeper.ts';
import { applyChange } from '../../src/execution/state.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createSingleWriter } from '../../src/platform/single-writer.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { AT, orderRecord, stateOf } from './support/makers.ts';

/** A keeper with nothing to watch, and the elapsed ms at which it read the book. */
function keeping(earlyMs = 0, state = stateOf()) {
  const time = new VirtualTime(AT);
  const reads: number[] = [];
  const cancels: string[] = [];
  const trading = {
    broker: 'alt',
    tagging: 'always',
    blocked: () => null,
    orderBook() {
      reads.push(time.elapsed());
      return Promise.resolve([]);
    },
  } as unknown as Trading;
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
    // As a host's: a timer may fire a little early.
    scheduler: {
      after: (ms, run) => time.after(ms > 1 ? ms - earlyMs : ms, run),
      endOfTurn: (run) => time.endOfTurn(run),
    },
    log: silentLog,
    settings: {
      pollMs: 1_000,
      absentAfterMs: 10_000,
      unrecognisedMs: 60_000,
      marketHours: 'always',
    },
    sendKeptCancel: (id) => void cancels.push(id),
    beforeRead: () => Promise.resolve(),
    onRead: () => undefined,
  });
  return { time, reads, cancels, keeper };
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

  it('is read once for a hint also where timers are a little early', async () => {
    const { time, reads, keeper } = keeping(0.7);
    keeper.wakeSoon();
    await time.advance(10_000);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toBeGreaterThanOrEqual(250);
  });

  it('is not read more often than twice a second, and kept cancels go out all the same', async () => {
    const order = orderRecord({ broker: 'alt', brokerOrderId: '1', cancelWanted: true });
    const { time, reads, cancels, keeper } = keeping(0, stateOf({ orders: [order] }));
    keeper.schedule();
    // Somebody who asks for the book all the time.
    for (let call = 0; call < 50; call += 1) {
      await time.settle(keeper.read(time.elapsed()));
      await time.advance(400);
    }
    expect(reads).toHaveLength(50);
    expect(cancels.length).toBeGreaterThan(10);
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
