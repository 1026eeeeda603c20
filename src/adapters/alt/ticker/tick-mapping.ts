import type { InstrumentName } from '../../../domain/instrument.ts';
import type { Tick } from '../../../domain/tick.ts';
import type { KiteTick } from './frames.ts';

/** A packet as the gateway speaks of it (docs/spec/kite-ticker.md). */
export function toTick(instrument: InstrumentName, tick: KiteTick): Tick {
  const { mode, lastPrice, open, high, low, previousClose, volume, depth, at } = tick;
  const change = previousClose === null ? null : rounded(lastPrice - previousClose);
  return {
    instrument,
    mode,
    lastPrice,
    ...{ open, high, low, previousClose },
    change,
    changePercent:
      change === null || previousClose === null ? null : rounded((change / previousClose) * 100),
    volume,
    bid: depth?.buy[0]?.price ?? null,
    ask: depth?.sell[0]?.price ?? null,
    depth,
    upperCircuit: null,
    lowerCircuit: null,
    at,
  };
}

/** Binary fractions of a difference, cut at a hundredth of a paisa, as in quotes that are asked for. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
