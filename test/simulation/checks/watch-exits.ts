import type { ExitId } from '../../../src/units/branded.ts';
import type { World } from '../world.ts';

const LOOK_MS = 250;
/** A leg at the circuit may rest until the close: then a look now and then is enough. */
const LONG_MS = 5 * 60_000;
const LONG_LOOK_MS = 5_000;
/** A request may wait so long until its exit is written down: the disk is full, or the gateway is down. */
const BEGUN_WITHIN_MS = 3 * 60_000;

/** Looks at the exits of the gateway that is up, from the moment at which somebody asks for one. */
export function watchExits({ plan, time, current, exits }: World): void {
  let until = -Infinity;
  let isLooking = false;

  function look(): void {
    const now = time.now();
    const records = current()?.composed?.execution.state.exits ?? new Map<ExitId, never>();
    let isRunning = false;
    for (const { id, over } of records.values()) {
      const seen = exits.get(id) ?? { begunAt: now, runningAt: now, overAt: null };
      exits.set(id, seen);
      if (over !== null) seen.overAt ??= now;
      else seen.runningAt = now;
    }
    for (const { overAt } of exits.values()) isRunning ||= overAt === null;
    isLooking = isRunning || now < until;
    if (isLooking) time.after(now < until + LONG_MS ? LOOK_MS : LONG_LOOK_MS, look);
  }

  for (const { at } of plan.exits ?? []) {
    time.after(at - time.now(), () => {
      until = at + BEGUN_WITHIN_MS;
      if (!isLooking) look();
    });
  }
}
