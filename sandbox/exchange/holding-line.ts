import type { Instrument } from './instrument.ts';

/** Shares held; prices in paise. */
export interface HoldingLine {
  instrument: Instrument;
  /** Settled shares. */
  settled: number;
  /** Bought on the last trading day: delivered tomorrow, but already sellable. */
  t1: number;
  averagePrice: number;
  soldToday: number;
}
