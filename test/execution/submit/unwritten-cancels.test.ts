import { describe, expect, it } from 'vitest';
import { type Outcome, notSent, refused } from '../../../src/domain/outcome.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { isCancelWanted } from '../../../src/execution/order/order.ts';
import type { AmendReply } from '../../../src/execution/submit/decide-amend.ts';
import { createUnwrittenCancels } from '../../../src/execution/submit/unwritten-cancels.ts';
import { silentLog } from '../../../src/platform/log.ts';
import {
  CommitError,
  type Decision,
  type SingleWriter,
} from '../../../src/platform/single-writer.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { cancelAttempt } from '../support/attempts.ts';
import { accept, alertsOf, AT, bookRow, orderRecord, stateOf } from '../support/makers.ts';

const TAKEN: Outcome = { kind: 'acknowledged', brokerOrderId: 'b1' };
const BUSY = refused('rate_limited', 'too many requests');
const NO = refused('other', 'not allowed');
const GONE = notSent('connect', 'no connection');

/** Cancels of `ord_1` on a disk that takes nothing until `heal`; `answers` come one after another. */
function rigOf(
  answers: readonly (Outcome | Error)[],
  order = orderRecord({ row: bookRow() }),
  takesMs = 0,
) {
  const time = new VirtualTime(AT);
  const state = stateOf({ orders: [order] });
  const sentAt: number[] = [];
  const alerts: unknown[] = [];
  const late: ((current: ExecutionState) => Decision<Change, unknown>)[] = [];
  let isFull = true;
  const writer = {
    state,
    submit: (decide: (current: ExecutionState) => Decision<Change, unknown>) =>
      isFull
        ? Promise.reject(new CommitError('the disk is full'))
        : Promise.resolve(accept(state, decide(state))),
  } as unknown as SingleWriter<ExecutionState, Change>;
  const parts = {
    ...{ writer, clock: time, scheduler: time, log: silentLog, closing: () => false },
    commitRetry: {
      commit: (decide: (current: ExecutionState, isLate: boolean) => Decision<Change, never>) => {
        late.push((current) => decide(current, true));
        return Promise.resolve(null);
      },
      stop: () => undefined,
    },
    again: async () => {
      if (isFull) return send(true);
      sentAt.push((time.now() - AT) / 1_000);
      return { outcome: TAKEN, onDisk: true };
    },
  };
  const cancels = createUnwrittenCancels(parts);
  const send = async (isOwn = false) => {
    const now = state.orders.get('ord_1') ?? order;
    const reply: AmendReply = {
      ...{ kind: 'sending', order: now, brokerOrderId: 'b1', attempt: cancelAttempt() },
    };
    return cancels.send('ord_1', { reply, isOwn }, async () => {
      sentAt.push((time.now() - AT) / 1_000);
      const answer = answers[sentAt.length - 1] ?? TAKEN;
      if (takesMs > 0) await new Promise((resolve) => time.after(takesMs, () => resolve(null)));
      if (answer instanceof Error) throw answer;
      return answer;
    });
  };
  return {
    ...{ time, state, sentAt, alerts },
    begin: () => send(),
    ask: async () => time.settle(send().catch((error: unknown) => String(error))),
    isWanted: () => isCancelWanted(state.orders.get('ord_1') ?? order),
    heal() {
      isFull = false;
      for (const decide of late) {
        const decision = decide(state);
        alerts.push(...alertsOf(decision));
        accept(state, decision);
      }
    },
  };
}

describe('a cancel that the disk does not take', () => {
  it('is sent after 3, 6, 12 seconds and so on, while it is refused for a moment or does not leave', async () => {
    const { time, sentAt, ask } = rigOf([BUSY, GONE, BUSY, GONE, BUSY, BUSY, BUSY]);
    expect(await ask()).toEqual({ outcome: null, onDisk: false });
    await time.advance(120_000);
    expect(sentAt).toEqual([0, 3, 9, 21, 45, 93]);
  });

  it('is kept as soon as the disk takes it, and not sent from here any more', async () => {
    const { time, sentAt, ask, heal, isWanted, state } = rigOf([BUSY]);
    await ask();
    expect([...state.cancelsNotOnDisk]).toEqual(['ord_1']);
    heal();
    await time.advance(60_000);
    expect([isWanted(), sentAt.length, state.cancelsNotOnDisk.size]).toEqual([true, 1, 0]);
  });

  it('that is refused for good once it was answered as on its way is told to a person', async () => {
    const { time, sentAt, ask, heal, alerts, isWanted } = rigOf([BUSY, NO]);
    await ask();
    await time.advance(60_000);
    expect(sentAt).toEqual([0, 3]);
    heal();
    expect([alerts, isWanted()]).toEqual([['critical'], false]);
  });

  it('that is refused for good, or does not leave, at once is its answer, and told to nobody else', async () => {
    for (const answer of [NO, GONE]) {
      const { time, sentAt, ask, heal, alerts } = rigOf([answer, TAKEN]);
      expect(await ask()).toEqual({ outcome: answer, onDisk: false });
      // Asked for again, it is sent again, however soon.
      expect(await ask()).toEqual({ outcome: TAKEN, onDisk: false });
      await time.advance(5_000);
      heal();
      expect([sentAt, alerts]).toEqual([[0, 0], []]);
    }
  });

  it('is sent again where its sending fails in an unforeseen way, also at a later time', async () => {
    const { time, sentAt, ask } = rigOf([new Error('unforeseen'), new Error('again'), NO]);
    expect(await ask()).toBe('Error: unforeseen');
    await time.advance(60_000);
    expect(sentAt).toEqual([0, 3, 9]);
  });

  it('of a disputed order, which cannot be kept, ends once one of it was written', async () => {
    const order = orderRecord({ kind: 'disputed', row: bookRow() });
    const { time, sentAt, ask, heal, state } = rigOf([BUSY, BUSY, BUSY], order);
    await ask();
    await time.advance(10_000);
    heal();
    await time.advance(600_000);
    expect([sentAt, state.cancelsNotOnDisk.size]).toEqual([[0, 3, 9, 21], 0]);
  });

  it('of an order that is over and works in its row is sent until its row says that it is over', async () => {
    const order = orderRecord({ kind: 'filled', filledQuantity: 10, row: bookRow() });
    const { time, state, sentAt, ask } = rigOf([BUSY, BUSY, BUSY], order);
    await ask();
    await time.advance(10_000);
    const row = bookRow({ status: 'filled' });
    state.orders.set('ord_1', orderRecord({ kind: 'filled', filledQuantity: 10, row }));
    await time.advance(60_000);
    expect([sentAt.length, state.cancelsNotOnDisk.size]).toEqual([3, 0]);
  });

  it.each([GONE, NO])(
    'that somebody else was told of goes on, or is told to a person: $kind',
    async (answer) => {
      const rig = rigOf([answer], undefined, 1_000);
      const { time, sentAt, begin, heal, alerts, isWanted } = rig;
      const first = begin();
      await time.advance(500);
      const second = await begin();
      expect(second).toEqual({ outcome: null, onDisk: false });
      await time.advance(1_000);
      await first;
      heal();
      await time.advance(60_000);
      heal();
      expect(sentAt.length > 1 || isWanted() || alerts.length > 0).toBe(true);
    },
  );

  it('that was kept on disk is forgotten once it is not wanted there any more', async () => {
    const { time, state, sentAt, ask, heal, isWanted } = rigOf([BUSY, BUSY]);
    await ask();
    state.orders.set('ord_1', orderRecord({ row: bookRow(), cancelWanted: true }));
    await time.advance(10_000);
    heal();
    state.orders.set('ord_1', orderRecord({ row: bookRow() }));
    await time.advance(60_000);
    expect([sentAt.length, isWanted(), state.cancelsNotOnDisk.size]).toEqual([1, false, 0]);
  });

  it('ends with its order', async () => {
    const { time, state, sentAt, ask } = rigOf([BUSY]);
    await ask();
    state.orders.set('ord_1', orderRecord({ kind: 'cancelled', filledQuantity: 0 }));
    await time.advance(60_000);
    expect([sentAt.length, state.cancelsNotOnDisk.size]).toEqual([1, 0]);
  });
});
