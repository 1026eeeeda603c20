import type { Instrument } from '../../domain/instrument.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { tradingDay } from '../../domain/ist.ts';
import { rupees } from '../../domain/rupees.ts';
import { freezeQuantityOf } from '../submit/preflight.ts';
import { exitPrice } from './exit-price.ts';
import { again, type ExitRun, type Step, stopped, type StepOver } from './exit-run.ts';
import type { ExitLeg, ExitRecord } from './exit.ts';
import type { FollowLeg } from './follow-leg.ts';
import { legCommand } from './leg-command.ts';
import type { Held } from './what-is-held.ts';

type Priced = Pick<ExitLeg, 'orderType' | 'price' | 'atBand' | 'atProtection' | 'withoutBid'>;
type PricedLeg = { readonly kind: 'leg'; readonly leg: Priced } | StepOver;

const MARKET: PricedLeg = { kind: 'leg', leg: { orderType: 'MARKET', price: null, atBand: false } };

/** What is waited for only while nothing is free: once something is, another wait begins anew. */
const WHEN_NOTHING_IS_FREE = ['opened', 'unseen', 'fills', 'newer'] as const;

/**
 * Writes down the next leg and places its order. `sending` waits for the answer, for a while: it gets null, or the
 * problem that kept the order from being made at all.
 */
export async function sendLeg(
  run: ExitRun,
  held: Held,
  sending: FollowLeg['sending'],
): Promise<Step> {
  const { parts } = run;
  for (const what of WHEN_NOTHING_IS_FREE) run.arrived(what);
  const exit = run.exit();
  const instrument = parts.instruments.byName(exit.instrument);
  if (!instrument) return stopped('refused', `no instrument list has ${exit.instrument} now`);
  const quantity = legQuantity(run, held, instrument);
  if (quantity === 0) {
    const detail = `${held.free} is less than one lot of ${instrument.lotSize}`;
    const over = { end: 'partly_flat', why: 'not_covered', detail, held: held.quantity } as const;
    return { kind: 'over', over };
  }
  const priced = await priceOf(run, { exit, held, instrument, quantity });
  if (priced.kind === 'over') return priced;
  const number = exit.legs.length + 1;
  const at = parts.clock.now();
  const sent: ExitLeg = { number, quantity, at, isOver: false, ...priced.leg };
  const price = sent.price === null ? 'MARKET' : `at ${rupees(sent.price)}`;
  await run.note({
    legs: [...exit.legs, sent],
    ...knownBefore(held),
    doing: `leg ${number}: ${exit.side} ${quantity} ${price}`,
  });
  const placed = parts.place(legCommand(parts, exit, sent, instrument)).then(
    () => null,
    (error: unknown) => {
      if (error instanceof GatewayProblem) return error;
      throw error;
    },
  );
  await sending(sent, placed);
  return again();
}

/**
 * What bounds all legs, before any of them has filled; see KnownAtBegin. Where less is held later than it leaves, others have
 * sold some, and that counts from then on.
 */
function knownBefore(held: Held): Pick<ExitRecord, 'known'> {
  const { sold, most: now, knownLeft, filledToday, missing } = held;
  if (sold > 0 && now >= (knownLeft ?? -Infinity)) return {};
  const { opened, ended } = filledToday;
  const known = { most: now + sold, opened, ended: Math.max(0, ended - sold) };
  return { known: missing > 0 ? { ...known, missing } : known };
}

/** Legs follow one another, so that the freeze quantity limits each, and not the exit. */
function legQuantity({ parts, exit }: ExitRun, { free }: Held, instrument: Instrument): number {
  const most = exit().plan.most ?? Infinity;
  const today = tradingDay(parts.clock.now());
  const freeze = freezeQuantityOf(instrument, parts.freezeQuantities, today) ?? Infinity;
  const { lotSize } = instrument;
  return Math.floor(Math.min(free, most, freeze) / lotSize) * lotSize;
}

async function priceOf(
  { parts }: ExitRun,
  {
    exit,
    held,
    instrument,
    quantity,
  }: {
    readonly exit: ExitRecord;
    readonly held: Held;
    readonly instrument: Instrument;
    readonly quantity: number;
  },
): Promise<PricedLeg> {
  const { side, plan } = exit;
  if (plan.orderType === 'MARKET') return MARKET;
  const { settings } = parts;
  const quote = await parts.quoteOf(instrument);
  const asked = { side, quantity, instrument, quote, attempt: plan.attempt, settings };
  const price = exitPrice({ ...asked, now: parts.clock.now() });
  switch (price.kind) {
    case 'limit': {
      const edge = price.atProtection ? { atProtection: price.atProtection } : {};
      const { atBand } = price;
      return { kind: 'leg', leg: { orderType: 'LIMIT', price: price.price, atBand, ...edge } };
    }
    case 'no_price': {
      // The broker has a price of its own for shares and futures. An option may be worth anything.
      const mayBeMarket = instrument.optionType === null && !plan.isMarketBlocked;
      return mayBeMarket ? MARKET : stopped('no_price', price.reason, held.quantity);
    }
    case 'no_bid': {
      if (settings.restWithoutBid && side === 'SELL') {
        const order = { orderType: 'LIMIT', price: price.edge, atBand: false } as const;
        return { kind: 'leg', leg: { ...order, withoutBid: true } };
      }
      const who = side === 'SELL' ? 'bids for' : 'offers';
      return stopped('no_bid', `nobody ${who} ${instrument.name}`, held.quantity);
    }
  }
}
