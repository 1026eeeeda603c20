import { type TriggerRecord, triggerStatusOf } from '../../../src/execution/triggers/trigger.ts';
import type { TriggerId } from '../../../src/units/branded.ts';
import type { SeenTrigger } from '../seen-trigger.ts';
import type { World } from '../world.ts';

const LOOK_MS = 500;
/** Once the market is closed, a look now and then is enough. */
const LATER_LOOK_MS = 30_000;
const BUSY_MS = 45 * 60_000;

const nameOf = ({ caller, idempotencyKey }: TriggerRecord): string => `${caller}/${idempotencyKey}`;

/** Looks again and again at what the gateway that is up says of each trigger, on days that have some. */
export function watchTriggers({ plan, time, current, births, seenTriggers }: World): void {
  if (!plan.triggers) return;
  const last = new Map<TriggerId, SeenTrigger>();
  const { placing } = plan.hours;
  const isBusy = (now: number): boolean =>
    placing.some(({ from }) => now >= from && now < from + BUSY_MS);

  function look(): void {
    const now = time.now();
    const life = births.length;
    for (const trigger of current()?.composed?.execution.state.triggers.values() ?? []) {
      const status = triggerStatusOf(trigger);
      const before = last.get(trigger.id);
      if (before?.status === status && before.life === life) before.until = now;
      else {
        const seen = { wanted: nameOf(trigger), status, life, from: now, until: now };
        last.set(trigger.id, seen);
        seenTriggers.push(seen);
      }
    }
    time.after(isBusy(now) ? LOOK_MS : LATER_LOOK_MS, look);
  }

  time.after((placing[0]?.from ?? 0) - time.now(), look);
}
