import type { Hours } from '../hours.ts';
import type { World } from '../world.ts';

const QUIET_LOOK_MS = 60_000;
/** How long after callers, people and troubles there is still much to see. */
const AFTERWARDS_MS = 30 * 60_000;

/**
 * Looks again and again while the day is played: every `everyMs`, and once a minute in the hours in which
 * nobody acts and nothing goes wrong. Those are most of a day, and half the time that it takes to play it.
 */
export function lookEvery({ time, plan }: World, everyMs: number, look: () => void): void {
  const isBusy = busyTimes(plan.hours);
  function lookLater(): void {
    const wait = isBusy(time.now()) ? everyMs : Math.max(everyMs, QUIET_LOOK_MS);
    time.after(wait, () => {
      look();
      lookLater();
    });
  }
  lookLater();
}

function busyTimes(hours: Hours): (now: number) => boolean {
  const { boot, placing, trouble, cleared, evening, evenings } = hours;
  const stretches = [...placing, ...trouble, ...(cleared ? [cleared] : [])];
  const moments = [boot, evening, ...evenings].map((at) => ({ from: at, until: at }));
  const busy = [...stretches, ...moments];
  return (now) => busy.some(({ from, until }) => from <= now && now <= until + AFTERWARDS_MS);
}
