import type { ClosingId, ExitId } from '../../../src/units/branded.ts';
import type { Seen, SeenLeg } from '../seen-exit.ts';
import type { World } from '../world.ts';

const LOOK_MS = 250;
/** A leg at the circuit may rest until the close: then a look now and then is enough. */
const LONG_MS = 10 * 60_000;
const LONG_LOOK_MS = 5_000;
/** A request may wait so long until its exit is written down: the disk is full, or the gateway is down. */
const BEGUN_WITHIN_MS = 3 * 60_000;

/** Looks at the exits and closings of the gateway that is up, from the moment at which somebody asks for one. */
export function watchExits({ plan, time, current, exits, closings }: World): void {
  let until = -Infinity;
  let isLooking = false;
  let lookedAt = time.now();

  function note(seen: Seen, isOver: boolean): void {
    if (isOver) seen.overAt ??= time.now();
    else seen.runningAt = time.now();
  }

  function look(): void {
    const now = time.now();
    const begun = { begunAt: now, runningAt: now, overAt: null };
    const state = current()?.composed?.execution.state;
    for (const { id, over, legs } of (state?.exits ?? new Map<ExitId, never>()).values()) {
      const seen = exits.get(id) ?? { ...begun, legs: new Map<number, SeenLeg>() };
      exits.set(id, seen);
      note(seen, over !== null);
      for (const { number } of legs) {
        if (!seen.legs.has(number)) seen.legs.set(number, { at: now, after: lookedAt });
      }
    }
    if (state !== undefined) lookedAt = now;
    for (const record of (state?.closings ?? new Map<ClosingId, never>()).values()) {
      const seen = closings.get(record.id) ?? { ...begun, record };
      closings.set(record.id, seen);
      seen.record = record;
      note(seen, record.over !== null);
    }
    const all: readonly Seen[] = [...exits.values(), ...closings.values()];
    isLooking = now < until || all.some(({ overAt }) => overAt === null);
    if (isLooking) time.after(now < until + LONG_MS ? LOOK_MS : LONG_LOOK_MS, look);
  }

  for (const { at } of [...(plan.exits ?? []), ...(plan.closings ?? [])]) {
    time.after(at - time.now(), () => {
      until = at + BEGUN_WITHIN_MS;
      if (!isLooking) look();
    });
  }
}
