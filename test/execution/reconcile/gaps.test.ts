import { describe, expect, it } from 'vitest';
import type { BrokerOrder, UnreadRow } from '../../../src/domain/broker-order.ts';
import { BrokerError } from '../../../src/domain/outcome.ts';
import { tradingDay } from '../../../src/domain/ist.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import type { Accounts } from '../../../src/execution/reconcile/accounts.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { createChanged, createPrepare } from '../../../src/execution/submit/prepare.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { plus } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  NOTHING_BESIDE,
  OTHER_TAG,
} from '../support/makers.ts';
import { stateOf, TAG, terms, uncertainOrder, unreadRow as unread } from '../support/makers.ts';
import { watchedBook } from '../support/watched-book.ts';

const FILLED = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
const foreign = (brokerOrderId: string): BrokerOrder =>
  bookRow({ brokerOrderId, instrument: 'NSE:TCS', side: 'SELL' });

const FAILURE = new BrokerError('primary', { kind: 'transport', message: 'reset' });

/** A broker without tags, whose book a test writes, and a gateway that places there. */
function gatewayAndBook(state = stateOf()) {
  const time = new VirtualTime(AT);
  const rows = [foreign('f1'), foreign('f2')];
  /** So many reads are answered, and later ones fail. */
  const book = { rows, unread: [] as UnreadRow[], answers: Infinity };
  const trading = {
    broker: 'primary',
    tagging: 'never',
    blocked: () => null,
    permit: () => Promise.resolve(null),
    orderBook: () =>
      (book.answers -= 1) < 0 ? Promise.reject(FAILURE) : Promise.resolve([...book.rows]),
    trades: () => Promise.resolve([]),
    unread: (list: readonly unknown[]) => (list.length > 0 ? book.unread : []),
  } as unknown as Trading;
  const { alerts, poll } = watchedBook(time, state, trading);
  const poller = poll();
  const changed = createChanged(time);
  const accounts: Pick<Accounts, 'refresh' | 'beside' | 'today'> = {
    refresh: () => Promise.resolve(null),
    beside: () => NOTHING_BESIDE,
    today: () => tradingDay(time.now()),
  };
  const prepare = createPrepare({
    ...{ state, clock: time, scheduler: time, changed, pollerOf: () => poller },
    accounts: accounts as Accounts,
  });
  const order = { broker: 'primary', terms: terms(), orderId: 'ord_new', forcedBy: null };
  return {
    ...{ time, book, alerts, state, poller },
    /** What an order gets that is to be placed: a baseline, or why it cannot be. */
    prepare: (wanted = order) =>
      time.settle(prepare(trading, wanted, plus(time.elapsed(), 5_000), 'place')),
  };
}

describe('a row of somebody else that vanishes', () => {
  it('holds orders back for a minute, and then no longer, with an alert', async () => {
    const { time, book, alerts, prepare } = gatewayAndBook();
    expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2'] });
    await time.advance(2_000);
    book.rows.shift();
    expect(await prepare()).toMatchObject({ kind: 'not_sent', cause: 'baseline' });
    await time.advance(70_000);
    expect(alerts).toEqual([expect.stringContaining('lacked rows for more than a minute: f1')]);
    expect(await prepare()).toMatchObject({ baseline: ['f2', 'f1'] });
    expect(alerts).toHaveLength(1);
  });

  it('holds them back until a third read agrees, where most reads of the minute failed', async () => {
    const { time, book, prepare } = gatewayAndBook();
    await prepare();
    await time.advance(2_000);
    book.rows.shift();
    for (const outcome of [
      { cause: 'baseline' },
      { cause: 'baseline' },
      { baseline: ['f2', 'f1'] },
    ]) {
      book.answers = 1;
      expect(await prepare()).toMatchObject(outcome);
      await time.advance(70_000);
    }
  });

  it('is not missed where its order of the exchange is there under another id: it was misread', async () => {
    const { time, book, alerts, prepare } = gatewayAndBook();
    const [first, second] = [foreign('f1'), { ...foreign('f2'), exchangeOrderId: 'x2' }];
    book.rows = [first, { ...foreign('7'), exchangeOrderId: 'x2' }];
    await prepare();
    await time.advance(2_000);
    book.rows = [first, second];
    await prepare();
    await time.advance(2_000);
    expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2', '7'] });
    await time.advance(70_000);
    expect(alerts).toEqual([]);
  });

  it('is missed again once its own id is shown again: another read had misread it', async () => {
    const { time, book, prepare } = gatewayAndBook();
    const [first, second] = [foreign('f1'), { ...foreign('f2'), exchangeOrderId: 'x2' }];
    const misread = { ...foreign('7'), exchangeOrderId: 'x2' };
    for (const rows of [
      [first, second],
      [first, misread],
      [first, second],
    ]) {
      book.rows = rows;
      await prepare();
      await time.advance(2_000);
    }
    expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2', '7'] });
    book.rows = [first];
    await time.advance(2_000);
    expect(await prepare()).toMatchObject({ kind: 'not_sent', cause: 'baseline' });
  });

  it('begins the minute anew where another one vanishes', async () => {
    const { time, book, prepare } = gatewayAndBook();
    await prepare();
    book.rows.shift();
    await time.advance(2_000);
    await prepare();
    await time.advance(50_000);
    book.rows.shift();
    await time.advance(30_000);
    expect(await prepare()).toMatchObject({ cause: 'baseline' });
    await time.advance(60_000);
    expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2'] });
  });

  it.each([
    ['somebody else', null, 55_000, 75_000],
    ['ours', 'ord_1', 230_000, 260_000],
  ])(
    'before a restart ends the recovery all the same: %s',
    async (_whose, orderId, early, late) => {
      const gone = observedOrder({ brokerOrderId: 'gone', orderId });
      const orders = orderId === null ? [] : [orderRecord({ brokerOrderId: 'gone' })];
      const { time, poller, alerts, prepare } = gatewayAndBook(
        stateOf({ orders, observed: [gone] }),
      );
      expect(await prepare()).toMatchObject({ cause: 'recovering' });
      await time.advance(early);
      expect([poller.recovering(), alerts]).toEqual([true, []]);
      await time.advance(late - early);
      expect([poller.recovering(), alerts.length]).toEqual([false, 1]);
      expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2', 'gone'] });
    },
  );

  it('proves no order absent', async () => {
    const state = stateOf({
      orders: [uncertainOrder()],
      attempts: [attemptRecord()],
      observed: [observedOrder({ brokerOrderId: 'gone', orderId: null })],
    });
    const { time, poller } = gatewayAndBook(state);
    poller.schedule();
    await time.advance(20 * 60_000);
    expect(orderIn(state)).toMatchObject({ status: 'uncertain', absentSince: null });
  });
});

describe('a row that cannot be read', () => {
  const unreadRow = (parts: Partial<UnreadRow> = {}): UnreadRow =>
    unread({ brokerOrderId: 'bad', reason: 'no readable quantity', ...parts });

  it('is in the baseline, holds no order back, and is an alert, once', async () => {
    const { time, book, alerts, prepare } = gatewayAndBook();
    book.unread = [unreadRow()];
    expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2', 'bad'] });
    await time.advance(2_000);
    await prepare();
    expect(alerts).toEqual([expect.stringContaining('cannot be read: bad (no readable quantity)')]);
  });

  it('is not missing', async () => {
    const state = stateOf({ observed: [observedOrder({ brokerOrderId: 'bad', orderId: null })] });
    const { book, prepare } = gatewayAndBook(state);
    book.unread = [unreadRow()];
    expect(await prepare()).toMatchObject({ baseline: ['f1', 'f2', 'bad'] });
  });

  it('is missing once it is gone', async () => {
    const state = stateOf({ observed: [observedOrder({ brokerOrderId: 'bad', orderId: null })] });
    const { time, book, prepare } = gatewayAndBook(state);
    book.unread = [unreadRow()];
    await prepare();
    book.unread = [];
    await time.advance(2_000);
    expect(await prepare()).toMatchObject({ cause: 'baseline' });
  });

  it.each([
    ['anything', {}, 'baseline'],
    ['the same instrument and side', { instrument: 'NSE:INFY', side: 'BUY' }, 'baseline'],
    ['the scrip code of the instrument', { instrument: 'NSE_1594', side: 'BUY' }, 'baseline'],
    ['another instrument', { instrument: 'NSE:TCS' }, undefined],
    ['the other side', { side: 'SELL' }, undefined],
  ] as const)(
    'without an id holds back for a minute what it could be: %s',
    async (_what, parts, cause) => {
      const { time, book, prepare } = gatewayAndBook();
      await prepare();
      book.unread = [unreadRow({ brokerOrderId: null, ...parts })];
      await time.advance(2_000);
      const first = await prepare();
      expect('cause' in first ? first.cause : undefined).toBe(cause);
      await time.advance(70_000);
      expect(await prepare()).toHaveProperty('baseline');
    },
  );

  it.each([
    ['may be the order', {}, null],
    ['is of another instrument', { instrument: 'NSE:TCS' }, AT + 180_000],
  ] as const)('counts against absence where it %s', async (_what, parts, since) => {
    const state = stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord()] });
    const { time, book, poller } = gatewayAndBook(state);
    book.unread = [unreadRow(parts)];
    poller.schedule();
    await time.advance(20 * 60_000);
    const { absentSince } = orderIn(state);
    expect(absentSince === null).toBe(since === null);
  });

  it('keeps an equal row without a tag from being taken for an order that it may be', async () => {
    const state = stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord({ tag: TAG })] });
    const { time, book, poller } = gatewayAndBook(state);
    book.unread = [unreadRow()];
    book.rows.push(bookRow());
    poller.schedule();
    await time.advance(10_000);
    expect(orderIn(state).status).toBe('uncertain');
    book.unread = [];
    book.rows.push(foreign('bad'));
    await time.advance(10_000);
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });
});

describe('an id that reads show in place of those of other rows', () => {
  const [TWO, BAD] = [{ id: 'ord_2', brokerOrderId: 'b2' }, { brokerOrderId: '7' }];
  const setUp = (ended: Partial<BrokerOrder>, kind: 'filled' | 'working') => {
    const one = bookRow({ tags: [TAG], exchangeOrderId: 'x1', ...ended });
    const two = { ...one, brokerOrderId: 'b2', tags: [OTHER_TAG], exchangeOrderId: 'x2' };
    const { filledQuantity } = one;
    const state = stateOf({
      orders: [
        orderRecord({ kind, filledQuantity, row: one }),
        orderRecord({ ...TWO, kind, filledQuantity, row: two }),
      ],
      attempts: [
        attemptRecord({ tag: TAG, state: attemptState('acknowledged') }),
        attemptRecord({
          ...{ id: 'att_2', orderId: 'ord_2', tag: OTHER_TAG },
          state: attemptState('acknowledged'),
        }),
      ],
      observed: [observedOrder(), observedOrder({ brokerOrderId: 'b2', orderId: 'ord_2' })],
    });
    const isComplete = (...rows: readonly BrokerOrder[]): boolean => {
      const decision = reconcileBook(state, observation({ rows, tagged: true }));
      accept(state, decision);
      return decision.reply.complete;
    };
    return { one, two, isComplete };
  };

  it('is not missed for the rest of the day where two reads showed it: they misread two rows', () => {
    const { one, two, isComplete } = setUp(FILLED, 'filled');
    isComplete({ ...one, ...BAD }, two);
    isComplete(one, { ...two, ...BAD });
    isComplete(one, two);
    expect(isComplete(one, two)).toBe(true);
  });

  it('is not missed at all where the row that it may be was only out of sight', () => {
    const { one, two, isComplete } = setUp({}, 'working');
    isComplete({ ...one, ...BAD }, two);
    isComplete({ ...one, ...BAD }, two);
    expect(isComplete(one, two)).toBe(true);
  });
});
