import type { EpochMs } from '../../../src/units/branded.ts';
import { type Outcome, refused, uncertain } from '../../../src/domain/outcome.ts';
import type {
  AttemptState,
  AttemptStateKind,
  CancelAttemptRecord,
  ModifyAttemptRecord,
  PlaceAttemptRecord,
} from '../../../src/execution/order/attempt.ts';
import { AT, DAY, TAG, terms } from './makers.ts';

/** An open placing of `ord_1`, in a state other than acknowledged. */
export function attemptRecord(parts: Partial<PlaceAttemptRecord> = {}): PlaceAttemptRecord {
  return {
    id: 'att_1',
    orderId: 'ord_1',
    kind: 'place',
    broker: 'primary',
    day: DAY,
    tag: TAG,
    tagSent: true,
    fingerprint: 'primary|NSE:INFY|BUY|CNC|LIMIT|DAY|10|1500|',
    baseline: ['old'],
    sentAt: AT,
    state: attemptState('uncertain'),
    ...parts,
  };
}

export function cancelAttempt(parts: Partial<CancelAttemptRecord> = {}): CancelAttemptRecord {
  const { id, orderId, broker, day, sentAt } = attemptRecord();
  const identity = { id, orderId, broker, day, sentAt };
  return { ...identity, kind: 'cancel', state: attemptState('uncertain'), ...parts };
}

export function modifyAttempt(parts: Partial<ModifyAttemptRecord> = {}): ModifyAttemptRecord {
  const changes = {
    quantity: null,
    price: 1_510,
    triggerPrice: null,
    orderType: null,
    validity: null,
  };
  return {
    ...cancelAttempt(),
    kind: 'modify',
    changes,
    state: attemptState('uncertain'),
    ...parts,
  };
}

/** A state of an attempt, with what that state has besides its kind. */
export function attemptState<Kind extends AttemptStateKind>(
  kind: Kind,
  reason = 'timed out',
): Extract<AttemptState, { readonly kind: Kind }> {
  const states: { readonly [K in AttemptStateKind]: Extract<AttemptState, { readonly kind: K }> } =
    {
      sending: { kind: 'sending' },
      acknowledged: { kind: 'acknowledged', settledAt: AT, brokerOrderId: 'b1' },
      refused: { kind: 'refused', settledAt: AT, reason },
      not_sent: { kind: 'not_sent', settledAt: AT, reason },
      uncertain: { kind: 'uncertain', settledAt: AT, reason },
      absent: { kind: 'absent', settledAt: AT, reason },
    };
  return states[kind];
}

export const ORDERS = 5;

/** The command to send the order of one of a few numbered callers. */
export function sendCommand(who: number, at: EpochMs, tagged: boolean, account: string | null) {
  return {
    orderId: `ord_${who}`,
    attemptId: `att_${who}`,
    tag: `tag ${who}`,
    tagSent: true,
    caller: 'someone',
    idempotencyKey: `key ${who}`,
    requestHash: 'hash',
    callerTag: null,
    terms: terms({ quantity: 10 + who }),
    scripCode: null,
    segment: 'EQUITY' as const,
    broker: 'primary' as const,
    mode: 'live' as const,
    baseline: tagged ? null : [],
    ...{ account, brokerAt: null, knowledge: null },
    at,
  };
}

/** What the broker answers to it: `what` chooses among acknowledgements, true and false, and others. */
export function answerTo(who: number, what: number, anyId: string): Outcome {
  if (what === 5) return { kind: 'acknowledged', brokerOrderId: 'nobody' };
  if (what === 6) return { kind: 'acknowledged', brokerOrderId: anyId };
  if (what < 7) return { kind: 'acknowledged', brokerOrderId: `b${who}` };
  if (what < 9) return { kind: 'acknowledged', brokerOrderId: `b${(who + 1) % ORDERS}` };
  if (what === 9) return refused('other', 'no');
  return uncertain({ kind: 'transport', message: 'no answer' });
}
