import { describe, expect, it } from 'vitest';
import { BrokerError, refused, uncertain } from '../../../src/domain/outcome.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import { createBookPoller } from '../../../src/execution/reconcile/book-poller.ts';
import { applyChange } from '../../../src/execution/journal/state.ts';
import { type Database, openDatabase } from '../../../src/platform/database.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { createSingleWriter } from '../../../src/platform/single-writer.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { statusOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import {
  AT,
  ist,
  observedOrder,
  orderRecord,
  stateOf,
  terms,
  uncertainOrder,
} from '../support/makers.ts';
import { elapsedMs, epochMs } from '../../../src/units/branded.ts';

/** A poller with nothing to watch, and the elapsed ms of its reads. */
function polling(
  earlyMs = 0,
  state = stateOf(),
  at = AT,
  marketHours: 'always' | 'exchange' = 'always',
) {
  const time = new VirtualTime(at);
  const reads: number[] = [];
  const cancels: string[] = [];
  const failures: BrokerError[] = [];
  const trading = {
    broker: 'alt',
    tagging: 'always',
    blocked: () => null,
    orderBook() {
      reads.push(time.elapsed());
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve([]);
    },
  } as unknown as Trading;
  const writer = createSingleWriter({
    state,
    apply: applyChange,
    scheduler: time,
    store: { commit: (units) => Promise.resolve({ committed: units.length, error: null }) },
  });
  const poller = createBookPoller({
    trading,
    instruments: { byName: () => null },
    writer,
    clock: time,
    // As a host's: a timer may fire a little early.
    scheduler: {
      after: (ms, run) => time.after(ms > 1 ? ms - earlyMs : ms, run),
      endOfTurn: (run) => time.endOfTurn(run),
    },
    log: silentLog,
    settings: {
      ...{ pollMs: 1_000, tagMark: 'Mark', absentAfterMs: 10_000, unrecognisedMs: 60_000 },
      marketHours,
    },
    sendKeptCancel: (id) => void cancels.push(id),
    beforeRead: () => Promise.resolve(),
    onRead: () => undefined,
    readAccount: () => Promise.resolve(null),
  });
  return { time, reads, cancels, failures, poller };
}

describe('the order book between the close of shares and of derivatives', () => {
  it.each([
    ['NFO:NIFTY26NOV24450CE', 60],
    ['NSE:INFY', 4],
  ])('is read as often as by day where it trades: %s', async (instrument, count) => {
    const at = ist('2026-11-06T15:31:00');
    const times = {
      day: '2026-11-06',
      createdAt: epochMs(at - 600_000),
      updatedAt: epochMs(at - 600_000),
    };
    const order = orderRecord({ ...times, broker: 'alt', terms: terms({ instrument }) });
    const { time, reads, poller } = polling(0, stateOf({ orders: [order] }), at, 'exchange');
    await time.settle(poller.read(elapsedMs(0)));
    await time.advance(120_000);
    const before = reads.length;
    await time.advance(60_000);
    expect(reads.length - before).toBe(count);
  });
});

describe('the order book in the evening', () => {
  const EVENING = ist('2026-11-05T20:00:00');
  const day = '2026-11-05';
  const amo = { day, createdAt: EVENING, updatedAt: EVENING, terms: terms({ amo: true }) };

  /** Reads a minute, in the fifth minute and in the sixteenth. */
  async function readsOf(order: OrderRecord): Promise<number[]> {
    const state = stateOf({ orders: [{ ...order, broker: 'alt' }] });
    const { time, reads, poller } = polling(0, state, EVENING, 'exchange');
    poller.schedule();
    const minutes: number[] = [];
    for (const minute of [4, 15]) {
      await time.advance(minute * 60_000 - time.elapsed());
      const before = reads.length;
      await time.advance(60_000);
      minutes.push(reads.length - before);
    }
    return minutes;
  }

  it('is read every five seconds for what is uncertain, and once a minute later on', async () => {
    expect(await readsOf(uncertainOrder(amo))).toEqual([12, 1]);
  });

  it('is read as often as by day for what has just ended, and then seldom', async () => {
    const ended = orderRecord({ ...amo, kind: 'cancelled' });
    expect(await readsOf(ended)).toEqual([60, 4]);
  });

  it('is read at every half second after a start while it lacks an order, and seldom later on', async () => {
    const state = stateOf({
      orders: [orderRecord({ ...amo, broker: 'alt' })],
      observed: [observedOrder({ broker: 'alt', day })],
    });
    const { time, reads, poller } = polling(0, state, EVENING, 'exchange');
    poller.schedule();
    await time.advance(60_000);
    expect(reads.length).toBe(121);
    await time.advance(300_000);
    const before = reads.length;
    await time.advance(60_000);
    expect(reads.length - before).toBe(4);
  });

  it('is read seldom for what works', async () => {
    expect(await readsOf(orderRecord(amo))).toEqual([4, 4]);
  });
});

describe('the order book', () => {
  it('is not read where nothing is watched and nobody asks', async () => {
    const { time, reads, poller } = polling();
    poller.schedule();
    await time.advance(3_600_000);
    expect(reads).toEqual([]);
  });

  it('is read at once after a hint', async () => {
    const { time, reads, poller } = polling();
    poller.wake();
    await time.advance(10_000);
    expect(reads).toEqual([0]);
  });

  it('is read at once for what the broker tells, however lately it was read', async () => {
    const { time, reads, poller } = polling();
    await time.settle(poller.read(time.elapsed()));
    poller.told();
    await time.advance(30);
    poller.told();
    await time.advance(10_000);
    expect(reads).toEqual([0, 1, 30]);
  });

  it('is read twice at once, then twice a second, where the broker tells something all the time', async () => {
    const { time, reads, poller } = polling();
    for (let told = 0; told < 100; told += 1) {
      poller.told();
      await time.advance(20);
    }
    expect(reads).toEqual([0, 20, 500, 1_000, 1_500, 2_000]);
  });

  it('is not read sooner for what the broker tells where the read before has failed', async () => {
    const { time, reads, poller, failures } = polling();
    failures.push(new BrokerError('alt', { kind: 'transport', message: 'down' }));
    poller.told();
    await time.advance(30);
    poller.told();
    await time.advance(10_000);
    expect(reads).toEqual([0, 1_000]);
  });

  it('is read a quarter of a second after an order of ours was taken', async () => {
    const { time, reads, poller } = polling();
    poller.wakeSoon();
    await time.advance(10_000);
    expect(reads).toEqual([250]);
  });

  it('is read once for a basket, counted from its first order', async () => {
    const { time, reads, poller } = polling();
    for (let order = 0; order < 5; order += 1) {
      poller.wakeSoon();
      await time.advance(40);
    }
    await time.advance(10_000);
    expect(reads).toEqual([250]);
  });

  it('is read again for what happened after a read began, half a second apart', async () => {
    const { time, reads, poller } = polling();
    poller.wakeSoon();
    await time.advance(100);
    await time.settle(poller.read(time.elapsed()));
    await time.advance(10_000);
    expect(reads).toEqual([100, 600]);
  });

  it('is read once for a hint also where timers are a little early', async () => {
    const { time, reads, poller } = polling(0.7);
    poller.wakeSoon();
    await time.advance(10_000);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toBeGreaterThanOrEqual(250);
  });

  it('is not read more often than twice a second, and kept cancels go out all the same', async () => {
    const order = orderRecord({ broker: 'alt', brokerOrderId: '1', cancelWanted: true });
    const { time, reads, cancels, poller } = polling(0, stateOf({ orders: [order] }));
    poller.schedule();
    // Somebody who asks for the book all the time.
    for (let call = 0; call < 50; call += 1) {
      await time.settle(poller.read(time.elapsed()));
      await time.advance(400);
    }
    expect(reads).toHaveLength(50);
    expect(cancels.length).toBeGreaterThan(10);
  });

  it('is read for the earlier of two wishes', async () => {
    const { time, reads, poller } = polling();
    poller.wakeSoon();
    await time.advance(50);
    poller.wake();
    await time.advance(10_000);
    expect(reads).toEqual([50]);
  });
});

describe('where something fails', () => {
  const rig = async () => {
    const time = midday();
    const broker = lyingBroker(time);
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    const disk = failingDatabase(openDatabase(':memory:'));
    let commits = 0;
    const database: Database = {
      ...disk.database,
      commit() {
        commits += 1;
        // Looks that follow one another without a pause would never end here.
        if (commits > 1_000) disk.heal();
        disk.database.commit();
      },
    };
    const gateway = await tradingWith(time, [broker], database);
    const commitsWhile = async (work: () => Promise<void>): Promise<number> => {
      commits = 0;
      await work();
      return commits;
    };
    return { time, broker, disk, gateway, commitsWhile };
  };

  it('a day that cannot be closed on a full disk is tried at each look, and books are read', async () => {
    const { time, broker, disk, gateway, commitsWhile } = await rig();
    const { id } = await gateway.place();
    await time.advanceTo('2026-11-07T05:59:30+05:30');
    const before = broker.reads;
    disk.fail();
    const commits = await commitsWhile(() => time.advanceTo('2026-11-07T06:10:00+05:30'));
    expect(commits).toBeGreaterThan(1);
    expect(commits).toBeLessThan(600);
    expect(broker.reads).toBeGreaterThan(before + 1);
    disk.heal();
    await time.advanceTo('2026-11-07T06:20:00+05:30');
    expect(statusOf(gateway.order(id))).toBe('disputed');
  });

  it('a kept cancel goes out although the book cannot be read', async () => {
    const { time, broker, gateway } = await rig();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b1' });
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(5_000);
    broker.isReadable = false;
    broker.cancel = () => ({ ...refused('other', 'it is being processed'), pending: true });
    await gateway.cancel(id);
    expect(broker.cancels).toHaveLength(1);
    await time.advance(10_000);
    expect(broker.cancels.length).toBeGreaterThan(1);
  });
});
