/** How the broker wants an order named in a change of it. */
export interface OrderWay {
  readonly variety: string;
  /** The first leg, of an order that is the second leg of a cover order. */
  readonly parentOrderId: string | null;
}

/** The ways of the orders that were seen or placed. */
export interface OrderWays {
  of(brokerOrderId: string): OrderWay | null;
  learn(brokerOrderId: string, way: OrderWay): void;
}

/** Twice what the broker takes of an account in a day, and room for what was made in its app. */
const MOST = 12_000;

/**
 * An attempt to change an order does not have the order's variety: the book of the day does, and what
 * was placed since. The oldest are forgotten; a book that is read brings back those of the day.
 */
export function createOrderWays(): OrderWays {
  const ways = new Map<string, OrderWay>();
  return {
    of: (brokerOrderId) => ways.get(brokerOrderId) ?? null,
    learn(brokerOrderId, way) {
      ways.set(brokerOrderId, way);
      if (ways.size <= MOST) return;
      const oldest = ways.keys().next();
      if (!oldest.done) ways.delete(oldest.value);
    },
  };
}
