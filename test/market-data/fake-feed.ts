import { BrokerError } from '../../src/domain/outcome.ts';
import type { InstrumentName } from '../../src/domain/instrument.ts';
import type { Tick, TickFeed, TickMode } from '../../src/domain/tick.ts';

const NOTHING = {
  ...{ open: null, high: null, low: null, previousClose: null, change: null },
  ...{ changePercent: null, volume: null, bid: null, ask: null, depth: null },
  ...{ upperCircuit: null, lowerCircuit: null, at: null },
};

export const tick = (instrument: InstrumentName, lastPrice: number, mode: TickMode): Tick => ({
  ...NOTHING,
  ...{ instrument, lastPrice, mode },
});

/** A feed that sends what the test says, and accepts at most `capacity` instruments. */
export function createFakeFeed(capacity = Infinity) {
  const wanted = new Map<InstrumentName, TickMode>();
  /** Under which token each is subscribed to. */
  const tokens = new Map<InstrumentName, number | null>();
  /** Every call to it. */
  const told: [InstrumentName, TickMode | null][] = [];
  const listeners = new Set<(tick: Tick) => void>();
  const liveListeners = new Set<() => void>();
  let isLive = true;
  const feed: TickFeed = {
    broker: 'alt',
    want({ name, instrumentToken }, mode) {
      if (mode !== null && !wanted.has(name) && wanted.size >= capacity) {
        throw new BrokerError('alt', { kind: 'not_sent', reason: 'no_permit', message: 'full' });
      }
      told.push([name, mode]);
      if (mode === null) wanted.delete(name);
      else wanted.set(name, mode);
      if (mode === null) tokens.delete(name);
      else tokens.set(name, instrumentToken);
    },
    onTick(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isLive: ({ name }) => isLive && wanted.has(name),
    onLive(listener) {
      liveListeners.add(listener);
      return () => void liveListeners.delete(listener);
    },
  };
  return {
    ...feed,
    wanted,
    tokens,
    told,
    /** Its connection breaks, or is there again. */
    setLive(live: boolean): void {
      isLive = live;
      for (const listener of [...liveListeners]) listener();
    },
    /** Sends a tick in the mode that was asked for; no tick of an instrument that nobody wants. */
    send(name: InstrumentName, lastPrice: number, mode = wanted.get(name)): void {
      if (mode === undefined || !wanted.has(name)) return;
      for (const listener of listeners) listener(tick(name, lastPrice, mode));
    },
  };
}
