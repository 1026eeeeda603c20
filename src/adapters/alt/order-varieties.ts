/** What the broker needs in the path of a request that changes an order. */
export interface VarietyOfOrder {
  readonly variety: string;
  /** The first leg, of an order that is the second leg of a cover order. */
  readonly parentOrderId: string | null;
}

/** The varieties of the orders that were placed or read in a book. */
export interface OrderVarieties {
  of(brokerOrderId: string): VarietyOfOrder | null;
  learn(brokerOrderId: string, variety: VarietyOfOrder): void;
}

/** Twice what the broker takes of an account in a day, and room for what was made in its app. */
const MOST = 12_000;

/**
 * An attempt to change an order does not have the order's variety: the book of the day does, and what
 * was placed since. The oldest are forgotten; a book that is read brings back those of the day.
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
