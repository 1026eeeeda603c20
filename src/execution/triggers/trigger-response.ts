import type { TriggerResponse } from '../../domain/trigger.ts';
import { termsAtBroker } from './terms-at-broker.ts';
import {
  mayStillTrigger,
  ordersOfTrigger,
  triggerBindingOf,
  type TriggerRecord,
  triggerRowOf,
  triggerStatusOf,
} from './trigger.ts';

import { averagePriceOf } from './trigger-order.ts';

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
    legs: termsAtBroker(trigger).legs.map((leg, place) => {
      const brokerOrderId = row?.legs[place]?.brokerOrderId ?? null;
      const order = ordersOfTrigger(trigger).find((each) => each.brokerOrderId === brokerOrderId);
      return {
        ...{ ...leg, brokerOrderId, reason: row?.legs[place]?.reason ?? null },
        filledQuantity: order === undefined || order.state === 'lost' ? null : order.filledQuantity,
        averagePrice: order ? averagePriceOf(order) : null,
      };
    }),
    candidates: state.kind === 'uncertain' ? state.candidates : [],
    deleteWanted: trigger.isDeleteWanted && mayStillTrigger(trigger),
    ...{ createdAt: trigger.createdAt, updatedAt: trigger.updatedAt },
    expiresAt: row?.expiresAt ?? null,
  };
}
