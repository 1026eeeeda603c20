import type { TriggerResponse } from '../../domain/trigger.ts';
import {
  mayStillTrigger,
  triggerBindingOf,
  type TriggerRecord,
  triggerRowOf,
  triggerStatusOf,
} from './trigger.ts';

/** A trigger as callers see it. */
export function triggerResponse(trigger: TriggerRecord): TriggerResponse {
  const { id, broker, mode, terms, state } = trigger;
  const row = triggerRowOf(trigger);
  return {
    ...{ id, clientOrderId: trigger.idempotencyKey, broker, mode },
    instrument: terms.instrument,
    status: triggerStatusOf(trigger),
    reason: 'reason' in state ? state.reason : null,
    triggerId: triggerBindingOf(trigger)?.triggerId ?? null,
    rawStatus: row?.rawStatus ?? null,
    legs: terms.legs.map((leg, place) => ({
      ...leg,
      brokerOrderId: row?.legs[place]?.brokerOrderId ?? null,
      reason: row?.legs[place]?.reason ?? null,
    })),
    candidates: state.kind === 'uncertain' ? state.candidates : [],
    deleteWanted: trigger.isDeleteWanted && mayStillTrigger(trigger),
    ...{ createdAt: trigger.createdAt, updatedAt: trigger.updatedAt },
    expiresAt: row?.expiresAt ?? null,
  };
}
