import { sleep } from '../../src/platform/clock.ts';
import { createDice } from './dice.ts';
import type { World } from './world.ts';

/** How long programs wait for an answer before they ask again, ms. */
const PATIENCE_MS = [300, 1_500, 1_500, 4_000] as const;
/** How often one asks at most. */
const TIMES = 12;

/**
 * What a program does that times out: it makes the same request again, under the same key, while the earlier ones are
 * under way. Returns what is heard first; `late` is told of whatever comes after that.
 */
export async function insist<T>(
  { plan, time, asked }: World,
  wanted: string,
  ask: () => Promise<T>,
  late: (heard: T) => void,
): Promise<T> {
  const dice = createDice(`${plan.seed}/impatience/${wanted}/${asked.calls.length}`);
  const patienceMs = dice.pick(PATIENCE_MS);
  const heard: T[] = [];
  const asking: Promise<void>[] = [];
  for (let times = 1; heard.length === 0; times += 1) {
    if (times <= TIMES) asking.push(ask().then(hear));
    await Promise.race([...asking, ...(times < TIMES ? [sleep(time, patienceMs)] : [])]);
  }
  return heard[0]!;

  function hear(one: T): void {
    heard.push(one);
    if (heard.length > 1) late(one);
  }
}
