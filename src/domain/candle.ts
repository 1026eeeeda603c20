import type { Instrument } from './instrument.ts';
import type { EpochMs } from '../units/branded.ts';

/** Every interval that at least one broker offers; each broker lists its own. */
export const CANDLE_INTERVALS = [
  '1minute',
  '2minute',
  '3minute',
  '4minute',
  '5minute',
  '10minute',
  '15minute',
  '30minute',
  '60minute',
  '120minute',
  '180minute',
  '240minute',
  '1day',
  '1week',
  '1month',
] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** `at` is the candle's start, epoch ms. Rupees and shares. */
export interface Candle {
  readonly at: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Of a derivative, at the end of the candle; absent where the broker does not send it. */
  readonly openInterest?: number | null;
}

/** Any length: the adapter reads several pages. Epoch ms; `from` is included, `to` is not. */
export interface CandleQuery {
  readonly instrument: Instrument;
  readonly interval: CandleInterval;
  readonly from: EpochMs;
  readonly to: EpochMs;
}
