import type { BrokerId } from '../domain/broker.ts';
import type { SeenOrder } from './records.ts';

/** What was seen in books, by broker, day and the broker's id of the order. */
export interface SeenRows {
  get(broker: BrokerId, day: string, brokerOrderId: string): SeenOrder | undefined;
  /** All of a broker's day, by id. */
  on(broker: BrokerId, day: string): ReadonlyMap<string, SeenOrder>;
}

const NONE: ReadonlyMap<string, SeenOrder> = new Map();

/**
 * Maps within maps: each row of each book that is read is looked up here several times, and making a
 * key for each of them is what took longest of reading a book of a thousand orders.
 */
export class SeenIndex implements SeenRows {
  readonly #brokers = new Map<BrokerId, Map<string, Map<string, SeenOrder>>>();

  get(broker: BrokerId, day: string, brokerOrderId: string): SeenOrder | undefined {
    return this.#brokers.get(broker)?.get(day)?.get(brokerOrderId);
  }

  on(broker: BrokerId, day: string): ReadonlyMap<string, SeenOrder> {
    return this.#brokers.get(broker)?.get(day) ?? NONE;
  }

  put(seen: SeenOrder): void {
    const days = this.#brokers.get(seen.broker) ?? new Map<string, Map<string, SeenOrder>>();
    this.#brokers.set(seen.broker, days);
    const rows = days.get(seen.day) ?? new Map<string, SeenOrder>();
    days.set(seen.day, rows.set(seen.brokerOrderId, seen));
  }

  remove({ broker, day, brokerOrderId }: SeenOrder): void {
    this.#brokers.get(broker)?.get(day)?.delete(brokerOrderId);
  }
}
