import type { OrderRequest } from '../../src/domain/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import { placeRandomBasket } from './basket-callers.ts';
import { call, type CallersParts, tellOrder, tellProblem, type Heard } from './call.ts';
import { cancel, modify, type Placed } from './caller-acts.ts';
import { createDice, type Dice } from './dice.ts';
import { limit, order } from './directions.ts';
import { NOTHING } from './rich-orders.ts';
import type { ToldResult } from './told-orders.ts';
import { tellPlacing } from './trigger-told.ts';
import { randomTrigger, stopOrderOf } from './trigger-terms.ts';
import { nameOf } from './world.ts';

/** The instrument that one broker of the route alone lists, on days on which there is one. */
const LISTED_BY_ONE = 'NSE:TATASTEEL';
/** Rests until somebody cancels it. */
const resting = limit(0.97, [3, 9, 20]);
/** Within so long of the moment of a rush everything of it is asked for, ms. */
const RUSH_MS = 1_500;

/**
 * Programs that ask for everything at once, a moment before something goes wrong: an order that names its broker, one for
 * what a single broker of the route lists, a trigger that names none, a basket, and a change and a cancel of orders of the
 * rush before. They time out, and ask again (impatience.ts).
 */
export async function runImpatientCallers(parts: CallersParts): Promise<void> {
  const { time, plan } = parts.world;
  let before: readonly Placed[] = [];
  for (const [index, at] of (plan.rushes ?? []).entries()) {
    await sleep(time, at - time.now());
    const placed: Placed[] = [];
    void rush(parts, createDice(`${plan.seed}/rush/${index}`), `rush-${index + 1}`, {
      before,
      placed: (one) => void placed.push(one),
    });
    before = placed;
  }
}

async function rush(
  parts: CallersParts,
  dice: Dice,
  name: string,
  of: { readonly before: readonly Placed[]; readonly placed: (one: Placed) => void },
): Promise<void> {
  const { time } = parts.world;
  const { priceOf } = parts;
  const named = { ...resting(dice, priceOf, time.now())!, broker: 'alt', mode: 'live' } as const;
  const price = Math.round(priceOf(LISTED_BY_ONE) * 0.97 * 2) / 2;
  const single = order({ instrument: LISTED_BY_ONE, orderType: 'LIMIT', price, quantity: 11 });
  const plain = resting(dice, priceOf, time.now())!;
  const place = async (key: string, caller: string, request: OrderRequest): Promise<void> => {
    const one = await placeOne(parts, { caller, key: `${name}-${key}`, request });
    if (one !== null) of.placed(one);
  };
  const [first, second] = of.before;
  const acts = [
    () => place('named', 'caller-1', named),
    () => place('single', 'caller-1', single),
    () => place('plain', 'caller-2', plain),
    () => placeTrigger(parts, dice, { caller: 'caller-2', key: `${name}-trigger` }),
    () => placeRandomBasket(parts, dice, 'caller-3'),
    () => (first ? modify(parts, first, 'caller-1', dearer(first)) : Promise.resolve()),
    () => (second ? cancel(parts, second, 'caller-1') : Promise.resolve()),
  ];
  const waits = acts.map(() => dice.between(0, RUSH_MS));
  await Promise.all(
    acts.map(async (act, index) => {
      await sleep(time, waits[index] ?? 0);
      await act();
    }),
  );
}

const dearer = ({ request }: Placed) => ({ ...NOTHING, price: (request.price ?? 100) - 1 });

/** Once, as far as the program goes by itself: it asks again while it hears nothing, or hears that nothing is known. */
async function placeOne(
  parts: CallersParts,
  { caller, key, request }: { caller: string; key: string; request: OrderRequest },
): Promise<Placed | null> {
  const { world } = parts;
  const wanted = nameOf({ caller, key });
  world.asked.orders.set(wanted, { request, instrument: request.instrument });
  const hear = (each: Heard<ToldResult>): void => {
    if (each.kind === 'answer') tellOrder(parts, wanted, each.value.order);
    if (each.kind === 'problem') tellProblem(parts, wanted, each, { of: 'placing' });
  };
  const heard = await whileUnknown(
    parts,
    () =>
      call(
        world,
        wanted,
        (gateway) => gateway.placeOrder(request, { caller, idempotencyKey: key }),
        { late: hear },
      ),
    hear,
  );
  return heard?.kind === 'answer' ? { wanted, key, id: heard.value.order.id, request } : null;
}

/** Of no broker: the route leads to the alternative one, or to the primary one, where it is an order. */
async function placeTrigger(
  parts: CallersParts,
  dice: Dice,
  { caller, key }: { readonly caller: string; readonly key: string },
): Promise<void> {
  const { world } = parts;
  const wanted = nameOf({ caller, key });
  const drawn = randomTrigger(dice, parts.priceOf, { near: 0, broker: 'primary', pairs: 0 });
  const request = { ...drawn, broker: null };
  world.asked.triggers.placed.set(wanted, request);
  world.asked.orders.set(wanted, { request: stopOrderOf(request), instrument: drawn.instrument });
  world.timeline.note('caller', `${wanted}: places a trigger ${JSON.stringify(request.legs)}`);
  const hear = (each: Parameters<typeof tellPlacing>[2]): void => tellPlacing(parts, wanted, each);
  await whileUnknown(
    parts,
    () =>
      call(
        world,
        wanted,
        (gateway) => gateway.placeTrigger(request, { caller, idempotencyKey: key }),
        { late: hear },
      ),
    hear,
  );
}

const AGAIN_MS = 4_000;
const TIMES = 20;

/** Asks again under the same key until something definite is told: who believes that nothing happened asks no more. */
async function whileUnknown<T>(
  { world }: CallersParts,
  ask: () => Promise<Heard<T>>,
  hear: (heard: Heard<T>) => void,
): Promise<Heard<T> | null> {
  for (let times = 0; times < TIMES; times += 1) {
    const heard = await ask();
    hear(heard);
    if (heard.kind === 'answer') return heard;
    if (heard.kind === 'problem' && heard.problem.fields.mayHaveExecuted !== true) return heard;
    await sleep(world.time, AGAIN_MS);
  }
  return null;
}
