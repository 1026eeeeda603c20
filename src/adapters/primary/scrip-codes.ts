import { parentExchange, type Instrument } from '../../domain/instrument.ts';

/**
 * The codes under which market data may know an instrument, the likelier one first: `NSE_1594`,
 * `NFO_51011`, `NIDX_40000001`. Indices and derivatives also occur with the prefix of their
 * exchange (docs/spec/primary-brokerage.md, "Instrument"). Empty where the broker has no id for it.
 */
export function scripCodes(instrument: Instrument): readonly string[] {
  const { securityId, exchange, segment } = instrument;
  if (securityId === null) return [];
  const prefixes = [prefix(instrument)];
  if (segment !== 'EQUITY') prefixes.push(parentExchange(exchange));
  return [...new Set(prefixes)].map((each) => `${each}_${securityId}`);
}

function prefix({ exchange, segment }: Instrument): string {
  if (segment !== 'INDEX') return exchange;
  return exchange === 'BSE' ? 'BIDX' : 'NIDX';
}
