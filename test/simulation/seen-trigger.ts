import type { OwnTriggerStatus } from '../../src/domain/trigger.ts';

/** From when to when the gateway that was up said the same of a trigger; epoch ms, `until` the last look. */
export interface SeenTrigger {
  readonly wanted: string;
  readonly status: OwnTriggerStatus;
  readonly life: number;
  readonly from: number;
  until: number;
}
