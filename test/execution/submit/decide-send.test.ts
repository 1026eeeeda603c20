import { describe, expect, it } from 'vitest';
import { decideSend } from '../../../src/execution/submit/decide-place.ts';
import type { SendCommand } from '../../../src/execution/submit/send-command.ts';
import { openDuplicate } from '../../../src/execution/submit/preflight.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { attemptRecord, attemptState, cancelAttempt } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  AT,
  DAY,
  eventsOf,
  ist,
  orderIn,
  orderRecord,
  portfolio,
  position,
  stateOf,
  TAG,
  terms,
  uncertainOrder,
  NOTHING_KNOWN,
} from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

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
  knowledge: NOTHING_KNOWN,
  account: null,
  brokerAt: null,
  at: AT,
  ...parts,
});

const engaged = { engaged: true, reason: 'something is off', changedAt: AT, changedBy: null };

describe('a request that may leave', () => {
  it('is an order and an attempt, both on their way', () => {
    const state = stateOf();
    const reply = accept(state, decideSend(state, command()));
    expect(reply.kind).toBe('sending');
    expect(orderIn(state, 'ord_9')).toMatchObject({
      status: 'sending',
      day: DAY,
      filledQuantity: null,
      brokerOrderId: null,
      callerTag: 'theirs',
    });
    expect(state.attempts.get('att_9')).toMatchObject({
      kind: 'place',
      state: { kind: 'sending' },
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
    accept(
      state,
      decideSend(state, command({ at: epochMs(Date.parse('2026-11-07T05:59:59+05:30')) })),
    );
    expect([orderIn(state, 'ord_9').day, state.attempts.get('att_9')?.day]).toEqual([DAY, DAY]);
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
    const state = stateOf({ orders, killSwitch: engaged });
    expect(decideSend(state, command()).reply.kind).toBe('known');
  });

  it('lets its own order go on to the next broker', () => {
    const state = stateOf({
      orders: [
        uncertainOrder({
          id: 'ord_9',
          idempotencyKey: 'a key',
          kind: 'accepted',
          broker: 'alt',
          reason: 'alt could not be reached',
        }),
      ],
    });
    const reply = accept(state, decideSend(state, command()));
    expect(reply.kind).toBe('sending');
    expect(orderIn(state, 'ord_9')).toMatchObject({
      status: 'sending',
      broker: 'primary',
      reason: null,
      createdAt: AT,
    });
  });
});

describe('an order that was cancelled while it waited for its next broker', () => {
  it('does not go on to the next one', () => {
    const waiting = uncertainOrder({
      id: 'ord_9',
      idempotencyKey: 'a key',
      kind: 'accepted',
      cancelWanted: true,
    });
    const decision = decideSend(stateOf({ orders: [waiting] }), command());
    expect(decision).toEqual({
      changes: [],
      reply: { kind: 'stopped', reason: 'it was cancelled before it was sent' },
    });
  });
});

describe('the kill switch', () => {
  it('keeps an order from leaving, and writes nothing', () => {
    const decision = decideSend(stateOf({ killSwitch: engaged }), command());
    expect(decision.changes).toEqual([]);
    expect(decision.reply).toEqual({
      kind: 'braked',
      brake: { code: 'kill_switch', reason: 'the kill switch is engaged: something is off' },
    });
  });

  it('lets an order leave that only reduces', () => {
    const positions = [position({ quantity: 10 })];
    const state = stateOf({ killSwitch: engaged, portfolios: [portfolio({ positions })] });
    const sell = command({ terms: terms({ side: 'SELL' }) });
    expect(decideSend(state, sell).reply.kind).toBe('sending');
  });
});

describe('an order whose account was not read, as the kill switch was released', () => {
  const unknown = command({ terms: terms({ side: 'SELL' }), knowledge: null });

  it('leaves while the switch is released, and is prepared again where it was engaged since', () => {
    expect(decideSend(stateOf(), unknown).reply.kind).toBe('sending');
    const decision = decideSend(stateOf({ killSwitch: engaged }), unknown);
    expect([decision.changes, decision.reply.kind]).toEqual([[], 'account_unread']);
  });
});

describe('an order that an admin forces', () => {
  const forced = command({
    terms: terms({ side: 'SELL' }),
    knowledge: { ...NOTHING_KNOWN, unread: 'HTTP 500', forcedBy: 'admin' },
  });

  it('leaves under the kill switch, and the journal says who sent it', () => {
    const decision = decideSend(stateOf({ killSwitch: engaged }), forced);
    expect(decision.reply.kind).toBe('sending');
    expect(eventsOf(decision)).toContainEqual(
      expect.objectContaining({
        type: 'order.forced',
        orderId: 'ord_9',
        data: expect.objectContaining({ by: 'admin', broker: 'primary', unread: 'HTTP 500' }),
      }),
    );
    expect(alertsOf(decision)).toEqual(['warning']);
  });

  it('is like any other while the switch is released', () => {
    expect(eventsOf(decideSend(stateOf(), forced)).map(({ type }) => type)).not.toContain(
      'order.forced',
    );
  });
});

describe('the duplicate guard', () => {
  const busy = (state: 'sending' | 'uncertain', day = DAY): ExecutionState =>
    stateOf({
      orders: [uncertainOrder({ day })],
      attempts: [attemptRecord({ state: attemptState(state), day })],
    });

  it.each(['sending', 'uncertain'] as const)('refuses an order while one like it is %s', (kind) => {
    const decision = decideSend(busy(kind), command());
    expect(decision.reply).toEqual({ kind: 'duplicate_open' });
    expect(decision.changes).toEqual([]);
  });

  it('lets an order pass that differs', () => {
    const other = command({ terms: terms({ price: 1_501 }) });
    expect(decideSend(busy('uncertain'), other).reply.kind).toBe('sending');
  });

  it('does not apply where rows carry our tag', () => {
    expect(decideSend(busy('uncertain'), command({ baseline: null })).reply.kind).toBe('sending');
  });

  it('lets an order pass on the day after', () => {
    expect(decideSend(busy('uncertain', '2026-11-05'), command()).reply.kind).toBe('sending');
  });

  it.each([
    ['2026-11-06', 'ord_1'],
    ['2026-11-09', null],
  ])('after last night’s after-market order names, on %s, as open: %s', (day, duplicate) => {
    const order = uncertainOrder({
      day: '2026-11-05',
      createdAt: ist('2026-11-05T20:00:00'),
      terms: terms({ amo: true }),
    });
    const state = stateOf({
      orders: [order],
      attempts: [attemptRecord({ day: '2026-11-05' })],
    });
    expect(openDuplicate(state, attemptRecord().fingerprint, day)).toBe(duplicate);
  });

  it.each(['acknowledged', 'refused', 'not_sent', 'absent'] as const)(
    'lets an order pass once the one before is %s',
    (kind) => {
      const state = stateOf({
        orders: [orderRecord()],
        attempts: [attemptRecord({ state: attemptState(kind) })],
      });
      expect(openDuplicate(state, attemptRecord().fingerprint, DAY)).toBeNull();
    },
  );

  it('counts a disputed order as open', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'disputed' })],
      attempts: [attemptRecord({ tag: TAG })],
    });
    expect(decideSend(state, command()).reply.kind).toBe('duplicate_open');
  });

  it('does not count a cancel that is open', () => {
    const state = stateOf({
      orders: [orderRecord()],
      attempts: [cancelAttempt()],
    });
    expect(openDuplicate(state, attemptRecord().fingerprint, DAY)).toBeNull();
  });
});
