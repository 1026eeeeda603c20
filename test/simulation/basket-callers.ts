import type { BasketRequest } from '../../src/router/gateway.ts';
import { sleep } from '../../src/platform/clock.ts';
import { call, type Heard, tellOrder, tellProblem, type CallersParts } from './call.ts';
import type { Placed } from './caller-acts.ts';
import { violation } from './checks/violation.ts';
import type { Dice } from './dice.ts';
import { order } from './directions.ts';
import type { ToldItem } from './told-orders.ts';
import { randomOrder } from './random-order.ts';
import { richOrder } from './rich-orders.ts';
import { nameOf } from './world.ts';

/** An order of a basket as its caller knows it. */
type Wanted = Omit<Placed, 'id'>;

interface Basket {
  readonly caller: string;
  /** What the names of its requests begin with. */
  readonly name: string;
  readonly ordered: boolean;
}

/**
 * Places a basket: at times with a mistake first, or twice at the same moment. Sends it again under the same keys
 * while nothing definite has been heard, and at times afterwards: whole, with one order more that is wrong, or
 * one of its orders alone.
 */
export async function placeRandomBasket(
  parts: CallersParts,
  dice: Dice,
  caller: string,
): Promise<Placed[]> {
  const { time } = parts.world;
  const basket = { caller, name: `${caller}/basket-${time.now()}`, ordered: dice.chance(0.4) };
  const orders = basketOf(parts, dice, caller);
  const known = new Map<string, Placed>();
  const send = async (more: readonly Wanted[] = []): Promise<Heard<readonly ToldItem[]>> => {
    const heard = await ask(parts, basket, [...orders, ...more], more.length > 0);
    for (const each of placedOf(orders, heard)) known.set(each.wanted, each);
    return heard;
  };
  if (dice.chance(0.3))
    await mustBeRefused(parts, basket, withMistake(parts, dice, basket, orders));
  if (dice.chance(0.15)) void send();
  for (let tries = 0; tries < 6; tries += 1) {
    const { kind } = await send();
    // Asked again at times although the answer was clear: keys have to bear that.
    if (kind === 'answer' && !dice.chance(0.2)) break;
    if (kind === 'problem' && !dice.chance(0.3)) break;
    await sleep(time, dice.between(200, 9_000));
  }
  if (dice.chance(0.15)) await send([wrongOrder(parts, dice, basket)]);
  if (dice.chance(0.2)) await askForOne(parts, caller, dice.pick(orders));
  return [...known.values()];
}

function basketOf({ world, priceOf }: CallersParts, dice: Dice, caller: string): Wanted[] {
  const size = dice.chance(0.2) ? dice.whole(20, 50) : dice.whole(2, 8);
  const { plan, time, asked } = world;
  return Array.from({ length: size }, (_, index) => {
    const key = `basket-${time.now()}-${index}`;
    const wanted = nameOf({ caller, key });
    const liked = dice.chance(0.8) ? plan.favourite?.(dice, priceOf, time.now()) : undefined;
    const each = liked
      ? { request: liked, instrument: liked.instrument }
      : richOrder(dice, randomOrder(dice, plan, priceOf), priceOf);
    asked.orders.set(wanted, each);
    return { wanted, key, request: each.request };
  });
}

/** An order that is refused before anything is sent: what nobody lists, or a part of a lot. */
function wrongOrder({ world }: CallersParts, dice: Dice, { caller }: Basket): Wanted {
  const key = `basket-${world.time.now()}-wrong`;
  const { afterMarket: amo } = world.plan.hours;
  const instrument = dice.pick(['NSE:NOSUCH', 'NFO:NIFTY26NOV24450CE']);
  const request = order({ instrument, quantity: 7, amo, product: 'INTRADAY' });
  return { wanted: nameOf({ caller, key }), key, request };
}

/** The same orders with a wrong one among them, or with the key of one of them twice. */
function withMistake(
  parts: CallersParts,
  dice: Dice,
  basket: Basket,
  orders: readonly Wanted[],
): readonly Wanted[] {
  const place = dice.whole(0, orders.length);
  const wrong = dice.chance(0.7) ? wrongOrder(parts, dice, basket) : dice.pick(orders);
  return [...orders.slice(0, place), wrong, ...orders.slice(place)];
}

/** Each key stays free. */
async function mustBeRefused(
  parts: CallersParts,
  basket: Basket,
  orders: readonly Wanted[],
): Promise<void> {
  const heard = await ask(parts, basket, orders, true);
  if (heard.kind !== 'answer') return;
  parts.notice(
    violation('S31', `${basket.name} was not refused, though one of its orders is wrong`),
  );
}

/** How long a program takes from an answer to its next request, at least. */
const ANSWER_READ_MS = 5;

/** One request, with a name of its own: what leaves for it is told by that. */
async function ask(
  parts: CallersParts,
  { caller, name, ordered }: Basket,
  orders: readonly Wanted[],
  isWrong: boolean,
): Promise<Heard<readonly ToldItem[]>> {
  const { world } = parts;
  const { baskets } = world.asked;
  const own = `${name}#${baskets.size + 1}`;
  baskets.set(own, { wanted: orders.map(({ wanted }) => wanted), ordered, isWrong });
  const what = `${ordered ? ', ordered' : ''}${isWrong ? ', wrong' : ''}`;
  world.timeline.note('caller', `${own}: ${orders.length} orders${what}`);
  const request: BasketRequest = {
    orders: orders.map((each) => ({ request: each.request, clientOrderId: each.key })),
    ...{ ordered, dryRun: false },
  };
  const heard = await call(world, own, (gateway) => gateway.placeBasket(request, caller), {
    late: (each) => tell(parts, own, orders, each),
  });
  tell(parts, own, orders, heard);
  // What is asked for next is asked for later: what was told before is true of then.
  await sleep(world.time, ANSWER_READ_MS);
  return heard;
}

/** Tells the checker what a caller was told of each order. */
function tell(
  parts: CallersParts,
  own: string,
  orders: readonly Wanted[],
  heard: Heard<readonly ToldItem[]>,
): void {
  if (heard.kind === 'lost') return parts.world.timeline.note('caller', `${own}: connection lost`);
  if (heard.kind === 'problem') {
    for (const { wanted } of orders) tellProblem(parts, wanted, heard, { of: 'placing' });
    nothingLeft(parts, own, heard.problem.fields.mayHaveExecuted === true ? [] : orders);
    return;
  }
  const { call } = heard;
  for (const [index, { wanted }] of orders.entries()) {
    const item = heard.value[index];
    if (item?.kind === 'order') tellOrder(parts, wanted, item.result.order);
    else if (item) tellProblem(parts, wanted, { problem: item.problem, call }, { of: 'placing' });
    else parts.notice(violation('S31', `${own} has no answer for ${wanted}`));
  }
  const isUnsent = (_: Wanted, index: number): boolean => {
    const item = heard.value[index];
    return item?.kind === 'problem' && item.problem.fields.mayHaveExecuted !== true;
  };
  nothingLeft(parts, own, orders.filter(isUnsent));
}

/** S31: by a request that calls an order not sent, without an order of the gateway, it did not leave. */
function nothingLeft(
  { world, notice }: CallersParts,
  own: string,
  unsent: readonly Wanted[],
): void {
  for (const { inBasket, wanted } of world.sent) {
    if (inBasket !== own || !unsent.some((each) => each.wanted === wanted)) continue;
    notice(violation('S31', `${own} calls ${wanted} not sent, and it has left`));
  }
}

function placedOf(orders: readonly Wanted[], heard: Heard<readonly ToldItem[]>): Placed[] {
  if (heard.kind !== 'answer') return [];
  return orders.flatMap((each, index) => {
    const item = heard.value[index];
    return item?.kind === 'order' ? [{ ...each, id: item.result.order.id }] : [];
  });
}

/** An order of a basket is repeated alone, as any other. */
async function askForOne(parts: CallersParts, caller: string, one: Wanted): Promise<void> {
  const { key, wanted, request } = one;
  const heard = await call(parts.world, wanted, (gateway) =>
    gateway.placeOrder(request, { caller, idempotencyKey: key }),
  );
  if (heard.kind === 'answer') tellOrder(parts, wanted, heard.value.order);
  if (heard.kind === 'problem') tellProblem(parts, wanted, heard, { of: 'placing' });
}
