import type { InstrumentLookup } from '../../domain/instrument.ts';
import type {
  OptionChain,
  OptionChainQuery,
  OptionLeg,
  OptionStrike,
} from '../../domain/option-chain.ts';
import { optionLeg, readLeg, type ReadLeg, type Right } from './chain-leg.ts';
import { badPayload, isObject } from './envelope.ts';
import { expiryDay } from './expiry-day.ts';
import { number, price, text } from './schemas.ts';

type Payload = Readonly<Record<string, unknown>>;

/**
 * Maps the documented form: `{underlying_ltp, expiry, strikes: {"24450": {ce, pe}}}`
 * (docs/spec/primary-brokerage.md, "Option chain"). `sent` is the expiry that we asked for: a chain
 * of another expiry is a failure.
 */
export function mapChain(
  data: Payload,
  query: OptionChainQuery,
  sent: string | null,
  lookup: InstrumentLookup,
): OptionChain {
  if (!isObject(data.strikes)) throw badPayload('the option chain has no strikes');
  const legs = Object.entries(data.strikes).flatMap(([key, entry]) => {
    const strike = number(key);
    if (strike === null || strike <= 0)
      throw badPayload('a strike of the option chain is not a number');
    if (!isObject(entry)) throw badPayload(`the strike ${strike} is not an object`);
    return (['CE', 'PE'] as const).flatMap((right) => {
      const leg = entry[right.toLowerCase()] ?? null;
      return leg === null ? [] : [readLeg(leg, { right, strike }, query.underlying, lookup)];
    });
  });
  const written = text(data, 'expiry');
  const said = written === null ? null : expiryDay(written);
  if (written !== null && said === null)
    throw badPayload('the option chain has no readable expiry');
  const expiry = said ?? sent;
  const strays = legs.some((leg) => leg.expiry !== null && leg.expiry !== expiry);
  if ((sent !== null && expiry !== sent) || strays) {
    throw badPayload(`the option chain is not of the expiry ${sent ?? expiry ?? 'asked for'}`);
  }
  return chainOf(legs, query, expiry, price(data, 'underlying_ltp'));
}

/**
 * Maps the older form: `{calls, puts}`, lists of options. The fields of an option are not
 * documented: they are read by the newer names. A row must state its strike, and its expiry too
 * unless a master list has it. Where the reply holds several expiries, the result is the one that
 * was asked for, or the nearest from `today` on.
 */
export function mapOlderChain(
  data: Payload,
  query: OptionChainQuery,
  today: string,
  lookup: InstrumentLookup,
): OptionChain {
  const side = (list: unknown, right: Right): readonly ReadLeg[] => {
    if (!Array.isArray(list)) throw badPayload('the option chain has no calls and puts');
    return list.map((leg: unknown) => {
      const strike = isObject(leg) ? price(leg, 'strike_price', 'strike') : null;
      if (strike === null) throw badPayload('an option of the chain has no strike');
      return readLeg(leg, { right, strike }, query.underlying, lookup);
    });
  };
  const legs = [...side(data.calls, 'CE'), ...side(data.puts, 'PE')];
  const underlyingPrice = price(data, 'underlying_ltp', 'underlying_price');
  const dayOf = ({ expiry, listed }: ReadLeg): string | null => expiry ?? listed?.expiry ?? null;
  const days = new Set(legs.map(dayOf));
  if (days.has(null) && (days.size > 1 || query.expiry !== null)) {
    throw badPayload('the option chain does not state its expiry');
  }
  const future = [...days].filter((day) => day !== null && day >= today).sort();
  const expiry = query.expiry ?? future[0] ?? null;
  const own = legs.filter((leg) => dayOf(leg) === expiry);
  if (own.length === 0 && legs.length > 0) {
    throw badPayload(`the option chain has no option of the expiry ${expiry ?? 'to come'}`);
  }
  return chainOf(own, query, expiry, underlyingPrice);
}

/** Groups the options of one expiry by strike, and keeps as many strikes as were asked for. */
function chainOf(
  legs: readonly ReadLeg[],
  query: OptionChainQuery,
  expiry: string | null,
  underlyingPrice: number | null,
): OptionChain {
  const strikes = new Map<number, { call: OptionLeg | null; put: OptionLeg | null }>();
  for (const leg of legs) {
    const both = strikes.get(leg.strike) ?? { call: null, put: null };
    const side = leg.right === 'CE' ? 'call' : 'put';
    if (both[side] !== null) throw badPayload(`the chain has ${leg.strike} ${leg.right} twice`);
    both[side] = optionLeg(leg, expiry);
    strikes.set(leg.strike, both);
  }
  const all = [...strikes]
    .map(([strike, both]): OptionStrike => ({ strike, ...both }))
    .sort((left, right) => left.strike - right.strike);
  return {
    underlying: query.underlying.name,
    underlyingPrice,
    expiry,
    strikes: nearest(all, underlyingPrice, query.strikes),
  };
}

/**
 * The `count` strikes on either side of the price, and the one at the price if there is one. The
 * documentation does not say whether the broker counts one side or both, so the reply may hold more
 * than were asked for.
 */
function nearest(
  strikes: readonly OptionStrike[],
  at: number | null,
  count: number | null,
): readonly OptionStrike[] {
  if (count === null || at === null) return strikes;
  const below = strikes.filter(({ strike }) => strike < at);
  return [
    ...below.slice(Math.max(0, below.length - count)),
    ...strikes.filter(({ strike }) => strike === at),
    ...strikes.filter(({ strike }) => strike > at).slice(0, count),
  ];
}
