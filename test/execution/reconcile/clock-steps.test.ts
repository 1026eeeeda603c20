import { describe, expect, it } from 'vitest';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { gatewayAndBroker } from '../support/gateway-and-broker.ts';
import { ist, orderIn, TAG, trade, unreadRow } from '../support/makers.ts';

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

  it('by a day, past the end of the session, leaves an order without a row uncertain once it is right', async () => {
    const { time, state, loseAnswer, wantCancel, setSession, alerts } = gatewayAndBroker();
    await loseAnswer();
    await wantCancel();
    await time.advance(10_000);
    time.stepWall(24 * HOUR);
    setSession(false);
    await time.advance(120_000);
    expect(statusIn(state)).toBe('disputed');
    time.stepWall(-24 * HOUR);
    setSession(true);
    await time.advance(120_000);
    const reason = 'no whole reply';
    expect(orderIn(state)).toMatchObject({ status: 'uncertain', reason, cancelWanted: true });
    expect(alerts.filter((each) => each.includes('is not over at alt'))).toHaveLength(1);
  });

  it('by a day leaves an order whose row the book has lost working once it is right', async () => {
    const { time, state, book, loseAnswer, rowOf, brokerNow } = gatewayAndBroker({
      tellsTime: false,
    });
    await loseAnswer();
    book.rows.push(rowOf(epochMs(brokerNow())));
    await time.advance(10_000);
    book.rows.length = 0;
    time.stepWall(24 * HOUR);
    await time.advance(60_000);
    expect(statusIn(state)).toBe('disputed');
    time.stepWall(-24 * HOUR);
    await time.advance(180_000);
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });

  it.each([
    ['cannot be read whole', true],
    ['could not be read whole, and is gone from the book', false],
  ])('by a day leaves an order whose row %s working once it is right', async (_how, isThere) => {
    const { time, state, book, loseAnswer, wantCancel } = gatewayAndBroker({ tellsTime: false });
    await loseAnswer();
    await wantCancel();
    book.unread.push(unreadRow({ brokerOrderId: 'b1', tags: [TAG] }));
    await time.advance(10_000);
    if (!isThere) book.unread.length = 0;
    time.stepWall(24 * HOUR);
    await time.advance(60_000);
    expect(statusIn(state)).toBe('disputed');
    time.stepWall(-24 * HOUR);
    await time.advance(65_000);
    const working = { status: 'working', brokerOrderId: 'b1', cancelWanted: true };
    expect(orderIn(state)).toMatchObject({ ...working, filledQuantity: null });
    book.fills.push(trade({ brokerOrderId: 'b1', quantity: 4, at: time.now() }));
    await time.advance(10_000);
    expect(orderIn(state)).toMatchObject({ status: 'working', filledQuantity: 4 });
  });

  it('by a day forgets no cancel of an order whose row the book shows', async () => {
    const { time, state, book, loseAnswer, wantCancel, rowOf, brokerNow } = gatewayAndBroker({
      tellsTime: false,
    });
    await loseAnswer();
    await wantCancel();
    book.rows.push(rowOf(epochMs(brokerNow())));
    await time.advance(10_000);
    time.stepWall(24 * HOUR);
    await time.advance(60_000);
    expect(statusIn(state)).toBe('disputed');
    time.stepWall(-24 * HOUR);
    await time.advance(180_000);
    expect(orderIn(state)).toMatchObject({ status: 'working', cancelWanted: true });
  });

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
