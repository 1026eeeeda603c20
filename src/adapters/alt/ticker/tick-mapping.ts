import type { InstrumentName } from '../../../domain/instrument.ts';
import { changeOf, percentOf } from '../../../domain/money.ts';
import type { Tick } from '../../../domain/tick.ts';
import type { KiteTick } from './frames.ts';

/** A packet as a tick of the gateway (docs/spec/kite-ticker.md). */
export function toTick(instrument: InstrumentName, tick: KiteTick): Tick {
  const { mode, lastPrice, open, high, low, previousClose, volume, depth, trading, at } = tick;
  const change = previousClose === null ? null : changeOf(lastPrice, previousClose);
  return {
    instrument,
    mode,
    lastPrice,
    ...{ open, high, low, previousClose },
    change,
    changePercent:
      change === null || previousClose === null ? null : percentOf(change, previousClose),
    volume,
    bid: depth?.buy[0]?.price ?? null,
    ask: depth?.sell[0]?.price ?? null,
    depth,
    upperCircuit: null,
    lowerCircuit: null,
    ...(trading === null ? {} : { trading }),
    at,
  };
}
