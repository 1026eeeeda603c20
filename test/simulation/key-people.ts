import { sleep } from '../../src/platform/clock.ts';
import { call, type CallersParts } from './call.ts';
import { checkComparison } from './checks/key-books.ts';
import { createDice, type Dice } from './dice.ts';
import type { LiveBroker } from './traffic.ts';
import type { PlannedStop } from './planned-keys.ts';

const ADMIN = { caller: 'person', idempotencyKey: null };
/** How long after the callers' last order an admin still compares the books. */
const AFTERWARDS_MS = 6 * 60_000;
/** Nothing goes wrong any more, and people have resolved what is disputed. */
const EVENING_MS = 20 * 60_000;

/** The admin who compares the books of all keys with the accounts, and those who stop and release keys. */
export async function runKeyPeople(parts: CallersParts): Promise<void> {
  const { keys, seed } = parts.world.plan;
  if (!keys) return;
  const dice = createDice(`${seed}/key-people`);
  await Promise.all([
    compareAllDay(parts, dice, keys.compareMs),
    ...keys.stops.map((stop) => stopKey(parts, stop)),
  ]);
}

async function compareAllDay(parts: CallersParts, dice: Dice, everyMs: number): Promise<void> {
  const { time, plan } = parts.world;
  const live = plan.tradingRoute.filter((each): each is LiveBroker => each !== 'paper');
  for (const { from, until } of plan.hours.placing) {
    await sleep(time, from - time.now());
    while (time.now() < until + AFTERWARDS_MS) {
      await sleep(time, dice.between(everyMs / 2, everyMs));
      await compareOnce(parts, dice.pick(live), false);
    }
  }
  await sleep(time, plan.hours.evening + EVENING_MS - time.now());
  for (const broker of live) await compareOnce(parts, broker, true);
}

async function compareOnce(
  parts: CallersParts,
  broker: LiveBroker,
  isEvening: boolean,
): Promise<void> {
  const { world } = parts;
  const askedAt = world.time.now();
  const heard = await call(world, 'person/by-key', (gateway) =>
    gateway.comparePositions(broker, ADMIN),
  );
  if (heard.kind !== 'answer') return;
  const { positions, uncertainOrders } = heard.value;
  const differing = positions.filter(({ difference }) => difference !== 0).length;
  const said = `${positions.length} lines, ${differing} with a difference, ${uncertainOrders.length} uncertain`;
  world.timeline.note('world', `the books of keys at ${broker}: ${said}`);
  for (const each of checkComparison(world, { broker, askedAt, isEvening, told: heard.value })) {
    parts.notice(each);
  }
}

/** Stops a key, and releases it once the time is over; each is asked for until it is answered. */
async function stopKey(parts: CallersParts, stop: PlannedStop): Promise<void> {
  const { world } = parts;
  await sleep(world.time, stop.at - world.time.now());
  await turn(parts, stop, true);
  await sleep(world.time, stop.forMs);
  await turn(parts, stop, false);
}

async function turn(parts: CallersParts, stop: PlannedStop, engaged: boolean): Promise<void> {
  const { time, asked, timeline } = parts.world;
  const caller = engaged && stop.byItself ? stop.caller : 'person';
  for (;;) {
    // A release holds from when it was asked for at the earliest, a stop once it was answered.
    const askedAt = time.now();
    const heard = await call(parts.world, `${caller}/stop`, (gateway) =>
      gateway.stopKey(stop.caller, engaged, { caller, idempotencyKey: null }),
    );
    if (heard.kind === 'answer') {
      const at = engaged ? time.now() : askedAt;
      timeline.note('world', `${stop.caller} is ${engaged ? 'stopped' : 'released'}`);
      asked.keyStops.push({ at, caller: stop.caller, engaged, isOnDisk: heard.value });
      return;
    }
    await sleep(time, 1_000);
  }
}
