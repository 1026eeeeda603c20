/** What the broker needs in the path of a request that changes an order. */
export interface VarietyOfOrder {
  readonly variety: string;
  /** The first leg, where the order is the second leg of a cover order; else null. */
  readonly parentOrderId: string | null;
}

/** The varieties of the orders that were placed or read in a book. */
export interface OrderVarieties {
  of(brokerOrderId: string): VarietyOfOrder | null;
  learn(brokerOrderId: string, variety: VarietyOfOrder): void;
}

/** Twice the broker's daily limit for an account, and room for orders placed in its app. */
const MOST = 12_000;

/**
 * A request to change an order needs the order's variety, which the attempt does not have. It comes
 * from the book of the day and from what was placed since. The oldest entries are dropped; reading
 * a book brings back those of the day.
 */
export function createOrderVarieties(): OrderVarieties {
  const varieties = new Map<string, VarietyOfOrder>();
  return {
    of: (brokerOrderId) => varieties.get(brokerOrderId) ?? null,
    learn(brokerOrderId, variety) {
      varieties.set(brokerOrderId, variety);
      if (varieties.size <= MOST) return;
      const oldest = varieties.keys().next();
      if (!oldest.done) varieties.delete(oldest.value);
    },
  };
}
