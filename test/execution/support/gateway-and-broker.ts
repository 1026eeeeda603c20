import type { BrokerFill, BrokerOrder, UnreadRow } from '../../../src/domain/broker-order.ts';
import { notSent, uncertain } from '../../../src/domain/outcome.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import { UnitOfWork } from '../../../src/execution/journal/unit-of-work.ts';
import { decidePlaced, decideSend } from '../../../src/execution/submit/decide-place.ts';
import { type EpochMs, epochMs } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { bookRow, ist, stateOf, TAG, terms } from './makers.ts';
import { watchedBook } from './watched-book.ts';

export interface BrokerOptions {
  /** Whether replies say what time it is. */
  readonly tellsTime?: boolean;
  /** Whether the broker runs on this computer's clock, as in a rehearsal. */
  readonly sharesClock?: boolean;
}

/**
 * A broker with a clock of its own, and a gateway whose clock a test sets. Friday 6 November 2026,
 * 11:00 IST.
 */
export function gatewayAndBroker({ tellsTime = true, sharesClock = false }: BrokerOptions = {}) {
  const time = new VirtualTime(ist('2026-11-06T11:00:00'));
  const start = time.now();
  const brokerNow = (): number => (sharesClock ? time.now() : start + time.elapsed());
  /** `unread`: rows of it that cannot be read whole. */
  const book = { rows: [] as BrokerOrder[], fills: [] as BrokerFill[], unread: [] as UnreadRow[] };
  let lastRows: readonly BrokerOrder[] | null = null;
  let block: ReturnType<Trading['blocked']> = null;
  let told: { at: number; localAt: number; receivedAt: number } | null = null;
  const trading = {
    broker: 'alt',
    tagging: 'always',
    blocked: () => block,
    brokerTime: () => told,
    orderBook() {
      const at = Math.floor(brokerNow() / 1_000) * 1_000;
      if (tellsTime) told = { at, localAt: time.now(), receivedAt: time.elapsed() };
      lastRows = [...book.rows];
      return Promise.resolve(lastRows);
    },
    trades: () => Promise.resolve([...book.fills]),
    unread: (list: unknown) => (list === lastRows ? book.unread : []),
  } as unknown as Trading;
  const state = stateOf();
  const { writer, alerts, poll } = watchedBook(time, state, trading);
  let poller = poll();
  return {
    /** The session ends, as it does by a clock that is past its end, or is there again. */
    setSession(isThere: boolean): void {
      block = isThere ? null : notSent('token', 'the session has ended');
    },
    /** A caller cancels `ord_1`. */
    async wantCancel(): Promise<void> {
      const wanted = writer.submit((current) => {
        const unit = new UnitOfWork(current, time.now());
        unit.move('ord_1', { type: 'want_cancel' });
        return { changes: unit.changes, reply: null };
      });
      await time.settle(wanted);
    },
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
