import type { Turned } from '../asked.ts';
import type { Stretch } from '../hours.ts';
import type { World } from '../world.ts';
import type { Day } from './context.ts';

/** The gateway looks at the disk every ten seconds, and when it begins to send an order. */
const NOTICED_MS = 11_000;

/** When only ways out may be sent. */
export interface Braked extends Stretch {
  readonly what: string;
  /** The property that an order breaks that leaves meanwhile. */
  readonly property: 'S9' | 'S39';
  /** Of this key alone; null for all. */
  readonly caller: string | null;
}

/** All stretches of a day in which only ways out may be sent. */
export function braked(day: Day): Braked[] {
  const { world } = day;
  const low = world.lowDisk.map(({ from, until }) => ({
    ...({ property: 'S9', caller: null, from: from + NOTICED_MS, until } as const),
    what: 'the disk was noticed to be nearly full',
  }));
  return [...engagedStretches(day), ...low, ...stoppedKeys(world)];
}

/** When the kill switch was engaged. */
export function engagedStretches({ killSwitch, world }: Day): Braked[] {
  const what = 'the kill switch was engaged';
  return stretches(killSwitch, world).map((each) => ({
    ...{ ...each, property: 'S9', caller: null, what },
  }));
}

/** When the orders of one key were stopped. */
function stoppedKeys(world: World): Braked[] {
  const { keyStops } = world.asked;
  return [...new Set(keyStops.map(({ caller }) => caller))].flatMap((caller) => {
    const own = keyStops.filter((each) => each.caller === caller);
    const what = `${caller} was stopped`;
    return stretches(own, world).map((each) => ({ ...each, property: 'S39', caller, what }));
  });
}

/** Until a release is asked for, or a process ends that could not write the brake down. */
function stretches(turned: readonly Turned[], { crashes, births }: World): Stretch[] {
  const ends = [...crashes.map(({ at }) => at), ...births];
  return turned.flatMap(({ at, engaged, isOnDisk }, index) => {
    if (!engaged) return [];
    const released = turned[index + 1]?.at ?? Infinity;
    const forgotten = isOnDisk ? Infinity : Math.min(...ends.filter((end) => end > at), Infinity);
    return [{ from: at, until: Math.min(released, forgotten) }];
  });
}
