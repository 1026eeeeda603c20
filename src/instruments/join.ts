import { parentExchange, type Instrument } from '../domain/instrument.ts';

/**
 * Joins the brokers' masters into one list (docs/spec/instruments.md): by segment and the exchange's
 * own id; indices, whose ids are each broker's own, by name. The name is the alternative broker's
 * where it has one, because that is the one that orders and people use.
 */
export function joinMasters(masters: readonly (readonly Instrument[])[]): readonly Instrument[] {
  const joined = new Map<string, Instrument>();
  for (const master of masters) {
    for (const instrument of master) {
      const key = joinKey(instrument);
      const known = joined.get(key);
      joined.set(key, known ? merge(known, instrument) : instrument);
    }
  }
  return [...joined.values()];
}

function joinKey(instrument: Instrument): string {
  const exchange = parentExchange(instrument.exchange);
  if (instrument.segment === 'INDEX' || instrument.securityId === null) {
    return `${exchange}|${instrument.segment}|${instrument.tradingSymbol}`;
  }
  return `${exchange}|${instrument.segment}|${instrument.securityId}`;
}

/** The first to know a thing keeps it, but for the name: that follows the instrument token. */
function merge(first: Instrument, second: Instrument): Instrument {
  const named = first.instrumentToken === null && second.instrumentToken !== null ? second : first;
  return {
    name: named.name,
    exchange: named.exchange,
    tradingSymbol: named.tradingSymbol,
    segment: first.segment,
    // Indices keep the id that scrip codes are made of: an index has no instrument of that id else.
    securityId: securityIdOf(first, second),
    instrumentToken: first.instrumentToken ?? second.instrumentToken,
    lotSize: Math.max(first.lotSize, second.lotSize),
    tickSize: named.tickSize ?? first.tickSize ?? second.tickSize,
    freezeQuantity: first.freezeQuantity ?? second.freezeQuantity,
    isin: first.isin ?? second.isin,
    displayName: first.displayName || second.displayName,
    expiry: first.expiry ?? second.expiry,
    strike: first.strike ?? second.strike,
    optionType: first.optionType ?? second.optionType,
  };
}

function securityIdOf(first: Instrument, second: Instrument): string | null {
  if (first.segment !== 'INDEX') return first.securityId ?? second.securityId;
  const own = first.instrumentToken === null ? first : second;
  return own.securityId ?? first.securityId ?? second.securityId;
}
