import { GatewayProblem } from '../../domain/problem.ts';
import { type TriggerRecord, triggerStatusOf } from './trigger.ts';

export function stateProblem(trigger: TriggerRecord, why: string): GatewayProblem {
  return new GatewayProblem({
    code: 'order_state',
    detail: `trigger ${trigger.id} is ${triggerStatusOf(trigger)}: ${why}`,
    broker: trigger.broker,
    mayHaveExecuted: false,
  });
}

export function unknownTrigger(id: string): GatewayProblem {
  return new GatewayProblem({
    code: 'unknown_trigger',
    detail: `There is no trigger ${id}: GET /api/v1/triggers lists them.`,
  });
}
