import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';
import type { ObservedOrder } from './records.ts';

/** Orders observed in brokers' books, by broker, day and broker order id. */
export interface ObservedRows {
  get(broker: BrokerId, day: TradingDay, brokerOrderId: BrokerOrderId): ObservedOrder | undefined;
  /** Orders observed in one broker's book on `day`, by broker order id. */
  on(broker: BrokerId, day: TradingDay): ReadonlyMap<BrokerOrderId, ObservedOrder>;
  /** Those of these ids that are of orders of ours. */
  ours(broker: BrokerId, day: TradingDay): ReadonlySet<BrokerOrderId>;
  /** The days on which any were. */
  days(broker: BrokerId): readonly TradingDay[];
  /**
   * How often an id of ours may have become another's: until it changes, a row that was of an order of ours
   * still is.
   */
  losses(): number;
}

const NONE: ReadonlyMap<BrokerOrderId, ObservedOrder> = new Map();
const NO_IDS: ReadonlySet<BrokerOrderId> = new Set();

/**
 * Maps within maps: the reader looks up each row of each book several times, and making a string key for
 * each lookup was the largest cost of reading a book of a thousand orders.
 */
export class ObservedIndex implements ObservedRows {
  readonly #brokers = new Map<BrokerId, Map<TradingDay, Map<BrokerOrderId, ObservedOrder>>>();
  readonly #ours = new Map<BrokerId, Map<TradingDay, Set<BrokerOrderId>>>();

  #losses = 0;

  losses(): number {
    return this.#losses;
  }

  get(broker: BrokerId, day: TradingDay, brokerOrderId: BrokerOrderId): ObservedOrder | undefined {
    return this.#brokers.get(broker)?.get(day)?.get(brokerOrderId);
  }

  on(broker: BrokerId, day: TradingDay): ReadonlyMap<BrokerOrderId, ObservedOrder> {
    return this.#brokers.get(broker)?.get(day) ?? NONE;
  }

  ours(broker: BrokerId, day: TradingDay): ReadonlySet<BrokerOrderId> {
    return this.#ours.get(broker)?.get(day) ?? NO_IDS;
  }

  days(broker: BrokerId): readonly TradingDay[] {
    return [...(this.#brokers.get(broker)?.keys() ?? [])];
  }

  put(observed: ObservedOrder): void {
    const days =
      this.#brokers.get(observed.broker) ??
      new Map<TradingDay, Map<BrokerOrderId, ObservedOrder>>();
    this.#brokers.set(observed.broker, days);
    const rows = days.get(observed.day) ?? new Map<BrokerOrderId, ObservedOrder>();
    days.set(observed.day, rows.set(observed.brokerOrderId, observed));
    if (observed.orderId === null) this.#disown(observed);
    else this.#own(observed);
    // From now on, instrument and side tell whose a row under the id is.
    if (observed.shared === true) this.#losses += 1;
  }

  remove(observed: ObservedOrder): void {
    const { broker, day, brokerOrderId } = observed;
    this.#brokers.get(broker)?.get(day)?.delete(brokerOrderId);
    this.#disown(observed);
  }

  #own({ broker, day, brokerOrderId }: ObservedOrder): void {
    const days = this.#ours.get(broker) ?? new Map<TradingDay, Set<BrokerOrderId>>();
    this.#ours.set(broker, days);
    days.set(day, (days.get(day) ?? new Set()).add(brokerOrderId));
  }

  #disown({ broker, day, brokerOrderId }: ObservedOrder): void {
    if (this.#ours.get(broker)?.get(day)?.delete(brokerOrderId) === true) this.#losses += 1;
  }
}
