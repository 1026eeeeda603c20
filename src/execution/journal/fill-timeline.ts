import type { BrokerId } from '../../domain/broker.ts';
import type { FillRecord } from '../order/fills.ts';
import type { EpochMs } from '../../units/branded.ts';

/** The fills of each broker by their time. */
export interface FillsByTime {
  /** A broker's fills at `at` (epoch ms) or later, newest first. */
  since(broker: BrokerId, at: EpochMs): Iterable<FillRecord>;
}

/**
 * Sorted lists: what has filled since an account was read is at their end, and does not have to be
 * looked for among all fills of a week. Fills of one time are in the order of their keys.
 */
export class FillTimeline implements FillsByTime {
  readonly #brokers = new Map<BrokerId, FillRecord[]>();

  *since(broker: BrokerId, at: EpochMs): Iterable<FillRecord> {
    const fills = this.#brokers.get(broker) ?? [];
    for (let place = fills.length - 1; place >= 0; place -= 1) {
      const fill = fills[place];
      if (fill === undefined || fill.at < at) return;
      yield fill;
    }
  }

  put(fill: FillRecord): void {
    const fills = this.#brokers.get(fill.broker) ?? [];
    this.#brokers.set(fill.broker, fills);
    fills.splice(this.#placeOf(fills, fill), 0, fill);
  }

  remove(fill: FillRecord): void {
    const fills = this.#brokers.get(fill.broker) ?? [];
    const place = this.#placeOf(fills, fill);
    if (fills[place]?.key === fill.key) fills.splice(place, 1);
    if (fills.length === 0) this.#brokers.delete(fill.broker);
  }

  /** How many fills come before a fill: the place that it has, or is to have. */
  #placeOf(fills: readonly FillRecord[], { at, key }: FillRecord): number {
    let [low, high] = [0, fills.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const fill = fills[middle];
      const isBefore = fill && (fill.at < at || (fill.at === at && fill.key < key));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
