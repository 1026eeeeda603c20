import type { ExitLeg, ExitRecord } from '../../../src/execution/exits/exit.ts';
import { legKey } from '../../../src/execution/exits/exit.ts';
import type { SeenLeg } from '../seen-exit.ts';
import { spellingsOf } from '../rich-orders.ts';
import type { Sent } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, violation, type Violation } from './context.ts';
import { inspectorOf } from './exit-books.ts';

/** What a LIMIT of an exit is away from the last price at least, as the settings have it. */
const OFFSET = 0.003;
/** A quote of three seconds may be used. */
const QUOTE_MS = 4_000;
/** Prices are whole paise. */
const HALF_A_PAISA = 0.005;

/** S30 and L19: the prices of an exit of shares, and how often it tries. */
export function exitPricesAreTrue({ world, state }: Day): Violation[] {
  return [...state.exits.values()].flatMap((exit) => [
    ...awayFromTheMarket(world, exit),
    ...triesAllAttempts(world, exit),
  ]);
}

/**
 * S30: a LIMIT of an exit of shares is its offset away from a last price that a broker has told just before, or
 * further: rounding to the tick never takes it nearer. Left out is what stands at the circuit.
 */
function awayFromTheMarket(world: World, exit: ExitRecord): Violation[] {
  const seen = world.exits.get(exit.id);
  if (exit.instrument.startsWith('NFO')) return [];
  return exit.legs.flatMap(({ number, orderType, price, atBand }) => {
    const leg = seen?.legs.get(number);
    if (orderType !== 'LIMIT' || price === null || atBand || leg === undefined) return [];
    const told = quotesOf(world, exit.instrument, leg);
    if (told.length === 0) return [];
    const isSell = exit.side === 'SELL';
    const nearest = isSell ? Math.max(...told) * (1 - OFFSET) : Math.min(...told) * (1 + OFFSET);
    if (isSell ? price <= nearest + HALF_A_PAISA : price >= nearest - HALF_A_PAISA) return [];
    const text = `leg ${number} of ${exit.id}: ${exit.side} at ${price}, nearer to ${told.join(', ')} than the offset`;
    return [violation('S30', text)];
  });
}

/**
 * The last prices of an instrument, rupees, that brokers have told in the seconds before a leg was written: before a
 * restart it may have been written and not seen.
 */
function quotesOf({ sent }: World, instrument: string, { at, after }: SeenLeg): readonly number[] {
  const names = spellingsOf(instrument);
  return sent.flatMap((each) => {
    if (each.answer === null || each.answer.at > at || each.answer.at < after - QUOTE_MS) return [];
    return /\/quotes?\b/.test(each.request.url) ? lastPricesIn(each, names) : [];
  });
}

function lastPricesIn({ answer }: Sent, names: readonly string[]): readonly number[] {
  // A reply whose fault lies elsewhere tells prices too.
  if (answer?.reaction.kind !== 'answer' || answer.reaction.status !== 200) return [];
  const data = quotesIn(answer.reaction.body);
  return names.flatMap((name) => {
    const row = data?.[name];
    const price = row?.last_price ?? row?.live_price;
    return typeof price === 'number' && Number.isFinite(price) ? price : [];
  });
}

function quotesIn(body: string): Prices | null {
  try {
    return (JSON.parse(body) as { data?: Prices | null }).data ?? null;
  } catch {
    return null;
  }
}

/** Of a reply with a fault, a price may be anything. */
type Prices = Record<string, { last_price?: unknown; live_price?: unknown }>;

/** How often a leg is placed at a new price, as the settings have it. */
const ATTEMPTS = 3;

/**
 * L19: an exit that ends because nothing filled has tried as often as it may: a LIMIT that was refused, and sent
 * again as MARKET, is one attempt. One that ends because of the price protection has sent a MARKET at last.
 */
function triesAllAttempts(world: World, exit: ExitRecord): Violation[] {
  const why = exit.over?.why ?? null;
  if (why !== 'not_filled' && why !== 'outside_protection') return [];
  if (exit.mode !== 'live') return [];
  if (why === 'outside_protection' && !triesMarket(world, exit)) {
    return [violation('L19', `${exit.id} ended ${why} without a MARKET: ${exit.over?.detail}`)];
  }
  // A MARKET after a LIMIT that rested at the edge of the price protection is of the same attempt.
  const legs = exit.legs.filter(({ orderType }, at) => {
    return orderType === 'LIMIT' || exit.legs[at - 1]?.atProtection !== true;
  });
  const since = legs.findLastIndex((leg) => orderOf(world, exit, leg)?.phase === 'complete') + 1;
  // A MARKET that is blocked ends an attempt, and so does a LIMIT that is refused after it.
  const used = legs
    .slice(since)
    .filter((leg) => leg.orderType === 'MARKET' || rested(world, exit, leg));
  const isBlocked = legs.some((leg) => leg.orderType === 'MARKET' && !rested(world, exit, leg));
  if (isBlocked || used.length >= ATTEMPTS) return [];
  return [violation('L19', `${exit.id} ended ${why} after ${used.length} attempts`)];
}

/** What the price protection has kept from filling goes out as MARKET at last, where the broker takes one. */
const triesMarket = (world: World, exit: ExitRecord): boolean =>
  exit.legs.some((leg) => leg.orderType === 'MARKET' && !rested(world, exit, leg)) ||
  exit.legs.at(-1)?.orderType === 'MARKET';

function orderOf(world: World, exit: ExitRecord, { number }: ExitLeg) {
  const wanted = `${exit.caller}/${legKey(exit.id, number)}`;
  const taken = world.taken.find((each) => each.wanted === wanted);
  if (taken === undefined) return undefined;
  return inspectorOf(world, taken.broker).order(taken.brokerOrderId);
}

const rested = (world: World, exit: ExitRecord, leg: ExitLeg): boolean => {
  const order = orderOf(world, exit, leg);
  return order !== undefined && order.phase !== 'rejected';
};
