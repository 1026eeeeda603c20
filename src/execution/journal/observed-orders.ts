import type { BrokerId } from '../../domain/broker.ts';
import type { ObservedOrder } from './records.ts';

/** Orders observed in brokers' books, by broker, day and broker order id. */
export interface ObservedRows {
  get(broker: BrokerId, day: string, brokerOrderId: string): ObservedOrder | undefined;
  /** Orders observed in one broker's book on `day`, by broker order id. */
  on(broker: BrokerId, day: string): ReadonlyMap<string, ObservedOrder>;
}

const NONE: ReadonlyMap<string, ObservedOrder> = new Map();

/**
 * Maps within maps: the reader looks up each row of each book several times, and making a string key for
 * each lookup was the largest cost of reading a book of a thousand orders.
 */
export class ObservedIndex implements ObservedRows {
  readonly #brokers = new Map<BrokerId, Map<string, Map<string, ObservedOrder>>>();

  get(broker: BrokerId, day: string, brokerOrderId: string): ObservedOrder | undefined {
    return this.#brokers.get(broker)?.get(day)?.get(brokerOrderId);
  }

  on(broker: BrokerId, day: string): ReadonlyMap<string, ObservedOrder> {
    return this.#brokers.get(broker)?.get(day) ?? NONE;
  }

  put(observed: ObservedOrder): void {
    const days =
      this.#brokers.get(observed.broker) ?? new Map<string, Map<string, ObservedOrder>>();
    this.#brokers.set(observed.broker, days);
    const rows = days.get(observed.day) ?? new Map<string, ObservedOrder>();
    days.set(observed.day, rows.set(observed.brokerOrderId, observed));
  }

  remove({ broker, day, brokerOrderId }: ObservedOrder): void {
    this.#brokers.get(broker)?.get(day)?.delete(brokerOrderId);
  }
}
