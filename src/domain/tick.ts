import type { BrokerId } from './broker.ts';
import type { Instrument } from './instrument.ts';
import type { Quote } from './quote.ts';

/** How much a tick tells, least first: the last price, the day's figures, the book as well. */
export const TICK_MODES = ['ltp', 'quote', 'full'] as const;
export type TickMode = (typeof TICK_MODES)[number];

export function isRicher(mode: TickMode, than: TickMode): boolean {
  return TICK_MODES.indexOf(mode) > TICK_MODES.indexOf(than);
}

/**
 * A price that the broker sent by itself. Figures that its mode does not carry are null, circuit
 * limits always. `at` is the exchange's own time where it was sent.
 */
export interface Tick extends Quote {
  readonly mode: TickMode;
}

/** Where ticks come from. Ticks are no record: some are never sent, and some are lost. */
export interface TickFeed {
  readonly broker: BrokerId;
  /**
   * Sets how much is to be sent of an instrument from now on; null ends it. Throws a BrokerError
   * `not_sent` when the broker does not know the instrument, or when it would be one too many.
   */
  want(instrument: Instrument, mode: TickMode | null): void;
  /** Hears ticks of what is wanted, as they come. */
  onTick(listener: (tick: Tick) => void): () => void;
}
