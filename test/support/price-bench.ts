import { parseInstrumentReference, type Instrument } from '../../src/domain/instrument.ts';
import type { InstrumentDirectory } from '../../src/instruments/directory.ts';
import type { Scheduler } from '../../src/platform/clock.ts';
import { createPriceStreams } from '../../src/router/price-streams.ts';
import { createPriceReaders } from '../../src/routes/price-readers.ts';
import { hubBench } from '../market-data/live/support.ts';
import { named } from '../market-data/support.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Every NSE instrument but GHOST, by its name or by its symbol alone. */
function resolve(text: string): Instrument | null {
  const name = parseInstrumentReference(text) === null ? `NSE:${text}` : text;
  return /^NSE:(?!GHOST)/.test(name) ? named(name) : null;
}

const directory = {
  ensureLoaded: async () => undefined,
  ...{ resolve, listings: () => [], size: () => 1, lists: () => [] },
} as unknown as InstrumentDirectory;

/** Streams of prices over a ticker and brokers that a test controls. */
export function priceBench(time: VirtualTime, scheduler: Scheduler = time) {
  const hub = hubBench({ time, scheduler });
  const prices = createPriceStreams({ directory, hub: hub.hub });
  const readers = createPriceReaders({ clock: time, scheduler, prices });
  return { ...hub, prices, readers };
}
