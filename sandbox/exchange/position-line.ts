import type { Product } from './managed-order.ts';
import type { Instrument } from './instrument.ts';

/** One instrument and product, today; values in paise. */
export interface PositionLine {
  instrument: Instrument;
  product: Product;
  overnight: number;
  overnightPrice: number;
  bought: number;
  boughtValue: number;
  sold: number;
  soldValue: number;
}

export const netOf = (line: PositionLine): number => line.overnight + line.bought - line.sold;

/** The average price of what is still open, paise; 0 when flat. */
export function averageOf(line: PositionLine): number {
  const net = netOf(line);
  if (net === 0) return 0;
  const carried = Math.abs(line.overnight);
  const long = line.overnight > 0 ? carried : 0;
  const short = line.overnight < 0 ? carried : 0;
  return net > 0
    ? (long * line.overnightPrice + line.boughtValue) / (long + line.bought)
    : (short * line.overnightPrice + line.soldValue) / (short + line.sold);
}

/** Profit made on what has been closed, paise. */
export function realisedOf(line: PositionLine): number {
  const flow = line.soldValue - line.boughtValue - line.overnight * line.overnightPrice;
  // An average is a fraction; what comes of it here is paise again, less the noise of floats.
  return Math.round((flow + netOf(line) * averageOf(line)) * 10_000) / 10_000;
}
