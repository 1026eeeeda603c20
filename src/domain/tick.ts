import type { BrokerId } from './broker.ts';
import type { Instrument } from './instrument.ts';
import type { Quote } from './quote.ts';

/**
 * What a tick contains, least first: the last price; the day's figures; the market depth as well.
 */
export const TICK_MODES = ['ltp', 'quote', 'full'] as const;
export type TickMode = (typeof TICK_MODES)[number];

export function isRicher(mode: TickMode, than: TickMode): boolean {
  return TICK_MODES.indexOf(mode) > TICK_MODES.indexOf(than);
}

/**
 * A price that the broker streamed. Figures that its mode does not contain are null, and circuit
 * limits always are. `at` is the exchange's time where the broker sends it.
 */
export interface Tick extends Quote {
  readonly mode: TickMode;
}

/** The source of ticks. Ticks are not a complete record: some are never sent, and some are lost. */
export interface TickFeed {
  readonly broker: BrokerId;
  /**
   * Sets what the broker sends for an instrument from now on; null ends it. Throws a BrokerError
   * `not_sent` when the broker does not know the instrument, or has no more places.
   */
  want(instrument: Instrument, mode: TickMode | null): void;
  /** Calls the listener with each tick of the wanted instruments. */
  onTick(listener: (tick: Tick) => void): () => void;
  /**
   * Whether the connection that carries a wanted instrument is open and was heard within 5 s. While it is, the
   * last tick is the price of now, however old it is; false for an instrument that is not wanted.
   */
  isLive(instrument: Instrument): boolean;
  /** Calls the listener when `isLive` may have changed, of any instruments. */
  onLive(listener: () => void): () => void;
}
