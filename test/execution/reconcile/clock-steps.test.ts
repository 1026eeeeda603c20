import { describe, expect, it } from 'vitest';
import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { decidePlaced, decideSend } from '../../../src/execution/submit/decide-place.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { bookRow, ist, orderIn, stateOf, TAG, terms } from '../support/makers.ts';
import { watchedBook } from '../support/watched-book.ts';
import { type EpochMs, epochMs } from '../../../src/units/branded.ts';

interface BrokerOptions {
  /** Whether replies say what time it is. */
  readonly tellsTime?: boolean;
  /** Whether the broker runs on this computer's clock, as in a rehearsal. */
  readonly sharesClock?: boolean;
}

/**
 * A broker with a clock of its own, and a gateway whose clock a test sets. Friday 6 November 2026,
 * 11:00 IST.
 */
function gatewayAndBroker({ tellsTime = true, sharesClock = false }: BrokerOptions = {}) {
  const time = new VirtualTime(ist('2026-11-06T11:00:00'));
  const start = time.now();
  const brokerNow = (): number => (sharesClock ? time.now() : start + time.elapsed());
  const book = { rows: [] as BrokerOrder[], fills: [] as BrokerFill[] };
  let told: { at: number; localAt: number; receivedAt: number } | null = null;
  const trading = {
    broker: 'alt',
    tagging: 'always',
    blocked: () => null,
    brokerTime: () => told,
    orderBook() {
      const at = Math.floor(brokerNow() / 1_000) * 1_000;
      if (tellsTime) told = { at, localAt: time.now(), receivedAt: time.elapsed() };
      return Promise.resolve([...book.rows]);
    },
    trades: () => Promise.resolve([...book.fills]),
  } as unknown as Trading;
  const state = stateOf();
  const { writer, alerts, poll } = watchedBook(time, state, trading);
  let poller = poll();
  return {
    ...{ time, state, book, alerts, brokerNow },
    /** Places `ord_1`, and gets no answer. */
    async loseAnswer(): Promise<void> {
      const at = time.now();
      const command = { ...sendCommand, at };
      await time.settle(writer.submit((current) => decideSend(current, command)));
      const outcome = uncertain({ kind: 'transport', message: 'no whole reply' });
      const placed = { attemptId: 'att_1', outcome, last: true, at };
      await time.settle(writer.submit((current) => decidePlaced(current, placed)));
      poller.schedule();
    },
    /** A row of the order, made at `at` by the broker's clock. */
    rowOf: (at: EpochMs, parts: Partial<BrokerOrder> = {}) =>
      bookRow({ tags: [TAG], createdAt: epochMs(at), updatedAt: at, ...parts }),
    /** An order of somebody else, made now. */
    sellElsewhere() {
      const at = epochMs(brokerNow());
      const parts = { instrument: 'NSE:TCS', side: 'SELL', createdAt: at, updatedAt: at } as const;
      book.rows.push(bookRow({ brokerOrderId: `other${at}`, ...parts }));
    },
    /** Another process on the same journal. */
    restart() {
      poller.stop();
      poller = poll();
      poller.schedule();
    },
  };
}

const sendCommand = {
  orderId: 'ord_1',
  attemptId: 'att_1',
  tag: TAG,
  tagSent: true,
  caller: 'someone',
  idempotencyKey: 'key',
  requestHash: 'hash',
  callerTag: null,
  terms: terms(),
  scripCode: 'NSE_1594',
  segment: 'EQUITY',
  broker: 'alt',
  mode: 'live',
  baseline: null,
  account: null,
  brokerAt: null,
  knowledge: null,
} as const;

const HOUR = 3_600_000;
const statusIn = (state: ExecutionState): string => orderIn(state).status;

describe('a clock that is set forward', () => {
  it.each([
    ['whose broker tells the time', true],
    ['whose broker does not', false],
  ])('by nine hours proves no order absent, at a gateway %s', async (_which, tellsTime) => {
    const { time, state, book, loseAnswer, rowOf, sellElsewhere, brokerNow } = gatewayAndBroker({
      tellsTime,
    });
    await loseAnswer();
    const sentAt = epochMs(brokerNow());
    await time.advance(60_000);
    sellElsewhere();
    time.stepWall(9 * HOUR);
    await time.advance(10 * 60_000);
    expect(statusIn(state)).toBe('uncertain');
    time.stepWall(-9 * HOUR);
    book.rows.push(rowOf(sentAt));
    await time.advance(60_000);
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });

  it('makes an order look absent no sooner', async () => {
    const { time, state, loseAnswer } = gatewayAndBroker({ tellsTime: false });
    await loseAnswer();
    time.stepWall(HOUR);
    await time.advance(60_000);
    expect(orderIn(state).absentSince).toBeNull();
  });

  it('by a day ends the day of no order while the broker says that it is not over', async () => {
    const { time, state, book, loseAnswer, rowOf, brokerNow } = gatewayAndBroker();
    await loseAnswer();
    await time.advance(10_000);
    time.stepWall(24 * HOUR);
    await time.advance(60_000);
    expect(statusIn(state)).toBe('uncertain');
    book.rows.push(rowOf(epochMs(brokerNow())));
    await time.advance(10_000);
    expect(statusIn(state)).toBe('working');
  });

  it.each([
    ['was uncertain', false],
    ['was working', true],
  ])(
    'by a day, at a broker that tells no time, disputes an order that %s until it is right',
    async (_which, isBound) => {
      const { time, state, book, loseAnswer, rowOf, brokerNow } = gatewayAndBroker({
        tellsTime: false,
      });
      await loseAnswer();
      if (isBound) book.rows.push(rowOf(epochMs(brokerNow())));
      await time.advance(10_000);
      time.stepWall(24 * HOUR);
      await time.advance(60_000);
      expect(statusIn(state)).toBe('disputed');
      if (!isBound) book.rows.push(rowOf(epochMs(brokerNow())));
      time.stepWall(-24 * HOUR);
      await time.advance(180_000);
      expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    },
  );

  it('is an alert, once', async () => {
    const { time, alerts, loseAnswer } = gatewayAndBroker();
    await loseAnswer();
    await time.advance(10_000);
    expect(alerts.filter((each) => each.includes('clock'))).toEqual([]);
    time.stepWall(5 * HOUR);
    await time.advance(60_000);
    expect(alerts.filter((each) => each.includes('clock'))).toEqual([
      expect.stringContaining('is 300 minutes ahead of that of alt'),
    ]);
  });

  it('is no alert where it is off by less than a minute', async () => {
    const { time, alerts, loseAnswer } = gatewayAndBroker();
    await loseAnswer();
    time.stepWall(55_000);
    await time.advance(60_000);
    expect(alerts.filter((each) => each.includes('clock'))).toEqual([]);
  });
});

describe('an order whose answer was lost, after the close', () => {
  it('is proven absent late in the evening, where all clocks agree and the book is alive', async () => {
    const { time, state, loseAnswer, sellElsewhere } = gatewayAndBroker();
    await loseAnswer();
    await time.advance(HOUR);
    sellElsewhere();
    await time.advanceTo('2026-11-06T19:59:00+05:30');
    expect(statusIn(state)).toBe('uncertain');
    await time.advanceTo('2026-11-06T20:02:00+05:30');
    expect(orderIn(state)).toMatchObject({ status: 'rejected', calledAbsent: { by: 'close' } });
  });

  it.each([
    ['is empty', [], 0],
    ['shows nothing later than the send', ['before'], 0],
  ])('is not proven absent by a book that %s', async (_which, before) => {
    const { time, state, loseAnswer, sellElsewhere } = gatewayAndBroker();
    if (before.length > 0) sellElsewhere();
    await time.advance(60_000);
    await loseAnswer();
    await time.advanceTo('2026-11-06T23:00:00+05:30');
    expect(statusIn(state)).toBe('uncertain');
    await time.advanceTo('2026-11-07T06:01:30+05:30');
    expect(statusIn(state)).toBe('disputed');
  });

  it('is proven absent by a later process once that has run for as long as it takes', async () => {
    const { time, state, loseAnswer, sellElsewhere, restart } = gatewayAndBroker();
    await loseAnswer();
    await time.advance(HOUR);
    sellElsewhere();
    restart();
    await time.advanceTo('2026-11-06T20:59:00+05:30');
    expect(statusIn(state)).toBe('uncertain');
    await time.advanceTo('2026-11-06T21:02:00+05:30');
    expect(orderIn(state)).toMatchObject({ status: 'rejected', calledAbsent: { by: 'close' } });
  });

  it('is not proven absent by clocks that were all set while the gateway was down', async () => {
    const { time, state, loseAnswer, sellElsewhere, restart } = gatewayAndBroker({
      sharesClock: true,
    });
    await loseAnswer();
    await time.advance(HOUR);
    time.stepWall(9 * HOUR);
    sellElsewhere();
    restart();
    await time.advance(30 * 60_000);
    expect(statusIn(state)).toBe('uncertain');
  });

  it('is not proven absent where the broker tells no time, nor do its rows', async () => {
    const { time, state, loseAnswer, sellElsewhere } = gatewayAndBroker({ tellsTime: false });
    await loseAnswer();
    await time.advance(HOUR);
    sellElsewhere();
    await time.advanceTo('2026-11-06T23:00:00+05:30');
    expect(statusIn(state)).toBe('uncertain');
  });

  it.each([
    ['17 minutes after the close', '2026-11-06T15:47:00'],
    ['in a session that was extended to 17:00', '2026-11-06T16:59:00'],
    ['when it had been called absent', '2026-11-06T22:00:00'],
    ['shortly before the book is gone', '2026-11-07T05:30:00'],
  ])('is found where its row appears %s', async (_when, at) => {
    const { time, state, book, loseAnswer, rowOf, sellElsewhere } = gatewayAndBroker();
    const sentAt = time.now();
    await loseAnswer();
    await time.advance(60_000);
    sellElsewhere();
    await time.advanceTo(ist(at));
    book.rows.push(
      rowOf(sentAt, { filledQuantity: 0, status: 'cancelled', rawStatus: 'CANCELLED' }),
    );
    await time.advance(15 * 60_000);
    expect(orderIn(state)).toMatchObject({ status: 'cancelled', brokerOrderId: 'b1' });
  });

  it('is found where it is the only one of the day, and its book is empty until after the close', async () => {
    const { time, state, book, loseAnswer, rowOf } = gatewayAndBroker();
    const sentAt = time.now();
    await loseAnswer();
    await time.advanceTo(ist('2026-11-06T16:00:00'));
    expect(statusIn(state)).toBe('uncertain');
    book.rows.push(rowOf(sentAt, { filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' }));
    await time.advance(120_000);
    expect(statusIn(state)).toBe('filled');
  });
});
