import type { Instrument } from '../../domain/instrument.ts';

/**
 * The code under which market data knows an instrument, `NSE_1594`, `NFO_51011`, `NIDX_40000001`;
 * null where the broker has no id for it.
 */
export function scripCode(instrument: Instrument): string | null {
  if (instrument.securityId === null) return null;
  return `${prefix(instrument)}_${instrument.securityId}`;
}

function prefix(instrument: Instrument): string {
  if (instrument.segment !== 'INDEX') return instrument.exchange;
  return instrument.exchange === 'BSE' ? 'BIDX' : 'NIDX';
}
