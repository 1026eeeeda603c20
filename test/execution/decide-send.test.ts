import { describe, expect, it } from 'vitest';
import { decideSend, laneHolder, type SendCommand } from '../../src/execution/decide-place.ts';
import type { ExecutionState } from '../../src/execution/state.ts';
import {
  accept,
  AT,
  attemptRecord,
  DAY,
  eventsOf,
  ist,
  orderRecord,
  portfolio,
  position,
  stateOf,
  TAG,
  terms,
  uncertainOrder,
} from './support/makers.ts';

const command = (parts: Partial<SendCommand> = {}): SendCommand => ({
  orderId: 'ord_9',
  attemptId: 'att_9',
  tag: 'theTagOfTheNinthOrdr',
  tagSent: true,
  caller: 'someone',
  idempotencyKey: 'a key',
  requestHash: 'hash',
  callerTag: 'theirs',
  terms: terms(),
  scripCode: 'NSE_1594',
  segment: 'EQUITY',
  broker: 'primary',
  mode: 'live',
  baseline: ['old'],
  at: AT,
  ...parts,
});

const thrown = { thrown: true, reason: 'something is off', changedAt: AT };

describe('a request that may leave', () => {
  it('is an order and an attempt, both on their way', () => {
    const state = stateOf();
    const reply = accept(state, decideSend(state, command()));
    expect(reply.kind).toBe('sending');
    expect(state.orders.get('ord_9')).toMatchObject({
      status: 'sending',
      day: DAY,
      filledQuantity: null,
      brokerOrderId: null,
      callerTag: 'theirs',
    });
    expect(state.attempts.get('att_9')).toMatchObject({
      kind: 'place',
      state: 'sending',
      day: DAY,
      tag: 'theTagOfTheNinthOrdr',
      baseline: ['old'],
      fingerprint: 'primary|NSE:INFY|BUY|CNC|LIMIT|DAY|10|1500|',
      sentAt: AT,
    });
  });

  it('comes with the event that tells of it', () => {
    expect(eventsOf(decideSend(stateOf(), command()))).toMatchObject([
      { sequence: 1, type: 'order.updated', orderId: 'ord_9' },
    ]);
  });

  it('belongs to the broker’s day, which begins at six', () => {
    const state = stateOf();
    accept(state, decideSend(state, command({ at: Date.parse('2026-11-07T05:59:59+05:30') })));
    expect([state.orders.get('ord_9')?.day, state.attempts.get('att_9')?.day]).toEqual([DAY, DAY]);
  });
});

describe('a key that has made an order', () => {
  it('gives that order, and sends nothing', () => {
    const state = stateOf({ orders: [orderRecord({ idempotencyKey: 'a key' })] });
    const decision = decideSend(state, command());
    expect(decision.changes).toEqual([]);
    expect(decision.reply).toMatchObject({ kind: 'known', order: { id: 'ord_1' } });
  });

  it('is another one when another caller uses it', () => {
    const state = stateOf({ orders: [orderRecord({ idempotencyKey: 'a key' })] });
    expect(decideSend(state, command({ caller: 'another' })).reply.kind).toBe('sending');
  });

  it('is answered also under the kill switch', () => {
    const orders = [orderRecord({ idempotencyKey: 'a key' })];
    const state = stateOf({ orders, killSwitch: thrown });
    expect(decideSend(state, command()).reply.kind).toBe('known');
  });

  it('lets its own order go on to the next broker', () => {
    const state = stateOf({
      orders: [
        uncertainOrder({
          id: 'ord_9',
          idempotencyKey: 'a key',
          status: 'accepted',
          broker: 'alt',
          reason: 'alt could not be reached',
        }),
      ],
    });
    const reply = accept(state, decideSend(state, command()));
    expect(reply.kind).toBe('sending');
    expect(state.orders.get('ord_9')).toMatchObject({
      status: 'sending',
      broker: 'primary',
      reason: null,
      createdAt: AT,
    });
  });
});

describe('an order that was cancelled between two brokers', () => {
  it('does not go on to the next one', () => {
    const between = uncertainOrder({
      id: 'ord_9',
      idempotencyKey: 'a key',
      status: 'accepted',
      cancelWanted: true,
    });
    const decision = decideSend(stateOf({ orders: [between] }), command());
    expect(decision).toEqual({ changes: [], reply: { kind: 'cancelled' } });
  });
});

describe('the kill switch', () => {
  it('keeps an order from leaving, and writes nothing', () => {
    const decision = decideSend(stateOf({ killSwitch: thrown }), command());
    expect(decision.changes).toEqual([]);
    expect(decision.reply).toEqual({
      kind: 'kill_switch',
      reason: 'the kill switch is thrown: something is off',
    });
  });

  it('lets an order leave that only reduces', () => {
    const positions = [position({ quantity: 10 })];
    const state = stateOf({ killSwitch: thrown, portfolios: [portfolio({ positions })] });
    const sell = command({ terms: terms({ side: 'SELL' }) });
    expect(decideSend(state, sell).reply.kind).toBe('sending');
  });
});

describe('a lane', () => {
  const busy = (state: 'sending' | 'uncertain', day = DAY): ExecutionState =>
    stateOf({ orders: [uncertainOrder({ day })], attempts: [attemptRecord({ state, day })] });

  it.each(['sending', 'uncertain'] as const)('is busy while one like it is %s', (kind) => {
    const decision = decideSend(busy(kind), command());
    expect(decision.reply).toEqual({ kind: 'lane_busy' });
    expect(decision.changes).toEqual([]);
  });

  it('is free for an order that differs', () => {
    const other = command({ terms: terms({ price: 1_501 }) });
    expect(decideSend(busy('uncertain'), other).reply.kind).toBe('sending');
  });

  it('does not matter where rows carry our tag', () => {
    expect(decideSend(busy('uncertain'), command({ baseline: null })).reply.kind).toBe('sending');
  });

  it('is free on the day after', () => {
    expect(decideSend(busy('uncertain', '2026-11-05'), command()).reply.kind).toBe('sending');
  });

  it.each([
    ['2026-11-06', 'ord_1'],
    ['2026-11-09', null],
  ])('of last night’s after-market order is, on %s, held by %s', (day, holder) => {
    const order = uncertainOrder({
      day: '2026-11-05',
      createdAt: ist('2026-11-05T20:00:00'),
      terms: terms({ amo: true }),
    });
    const state = stateOf({
      orders: [order],
      attempts: [attemptRecord({ day: '2026-11-05' })],
    });
    expect(laneHolder(state, attemptRecord().fingerprint!, day)).toBe(holder);
  });

  it.each(['acknowledged', 'refused', 'not_sent', 'absent'] as const)(
    'is free once the one before is %s',
    (kind) => {
      const state = stateOf({
        orders: [orderRecord()],
        attempts: [attemptRecord({ state: kind })],
      });
      expect(laneHolder(state, attemptRecord().fingerprint!, DAY)).toBeNull();
    },
  );

  it('is kept by a disputed order', () => {
    const state = stateOf({
      orders: [uncertainOrder({ status: 'disputed' })],
      attempts: [attemptRecord({ tag: TAG })],
    });
    expect(decideSend(state, command()).reply.kind).toBe('lane_busy');
  });

  it('is not kept by a cancel that is open', () => {
    const state = stateOf({
      orders: [orderRecord()],
      attempts: [attemptRecord({ kind: 'cancel' })],
    });
    expect(laneHolder(state, attemptRecord().fingerprint!, DAY)).toBeNull();
  });
});
