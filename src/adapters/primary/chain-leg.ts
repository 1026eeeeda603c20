import { z } from 'zod';
import { parentExchange, type Instrument, type InstrumentLookup } from '../../domain/instrument.ts';
import type { OptionLeg } from '../../domain/option-chain.ts';
import { badPayload } from './envelope.ts';
import { expiryDay } from './expiry-day.ts';
import { number, price, text } from './schemas.ts';

export type Right = 'CE' | 'PE';

/**
 * One option of a chain as the reply describes it, and the contract with its id in the master list.
 */
export interface ReadLeg {
  readonly right: Right;
  readonly strike: number;
  /** The expiry that the row states; null when it states none. */
  readonly expiry: string | null;
  /** Null also when the contract in the master list has another strike or the other side. */
  readonly listed: Instrument | null;
  readonly figures: Omit<OptionLeg, 'instrument'>;
}

const row = z.record(z.string(), z.unknown());

export function readLeg(
  data: unknown,
  { right, strike }: { readonly right: Right; readonly strike: number },
  underlying: Instrument,
  lookup: InstrumentLookup,
): ReadLeg {
  const parsed = row.safeParse(data);
  if (!parsed.success) throw badPayload(`the ${right} of ${strike} is not an object`);
  const fields = parsed.data;
  const securityId = text(fields, 'security_id');
  const written = text(fields, 'expiry', 'expiry_date');
  const expiry = written === null ? null : expiryDay(written);
  if (written !== null && expiry === null)
    throw badPayload(`the ${right} of ${strike} has no readable expiry`);
  const exchange = parentExchange(underlying.exchange);
  const found = securityId && lookup.bySecurityId(exchange, securityId, 'DERIVATIVE');
  const agrees = found && found.strike === strike && found.optionType === right;
  return {
    right,
    strike,
    expiry,
    listed: agrees ? found : null,
    figures: {
      securityId,
      lastPrice: price(fields, 'last_price'),
      previousClose: price(fields, 'previous_close_price'),
      openInterest: number(fields.oi),
      previousOpenInterest: number(fields.previous_oi),
      volume: number(fields.volume),
      bid: price(fields, 'top_bid_price'),
      bidQuantity: number(fields.top_bid_quantity),
      ask: price(fields, 'top_ask_price'),
      askQuantity: number(fields.top_ask_quantity),
      impliedVolatility: price(fields, 'iv'),
      greeks: greeks(fields.greeks),
    },
  };
}

/** The option, if it has this expiry. It is not named after a contract of another day. */
export function optionLeg({ figures, listed }: ReadLeg, expiry: string | null): OptionLeg {
  const isOfChain = listed !== null && (expiry === null || listed.expiry === expiry);
  return { instrument: isOfChain ? listed.name : null, ...figures };
}

function greeks(data: unknown): OptionLeg['greeks'] {
  const parsed = row.safeParse(data);
  if (!parsed.success) return null;
  const { delta, gamma, theta, vega } = parsed.data;
  return {
    delta: number(delta),
    gamma: number(gamma),
    theta: number(theta),
    vega: number(vega),
  };
}
