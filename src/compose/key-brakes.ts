import type { KeyRecord } from '../callers/caller.ts';
import type { KeyBrakes } from '../domain/order-limits.ts';

/** What stops the orders of single keys, by the id of the key. */
export function keyBrakes(keys: readonly KeyRecord[]): ReadonlyMap<string, KeyBrakes> {
  return new Map(keys.map((key) => [key.id, brakesOf(key)]));
}

function brakesOf({ name, limits, marks, stopped, revokedAt }: KeyRecord): KeyBrakes {
  const { maxOrderQuantity, maxOpenOrders } = limits;
  return {
    name,
    marks: {
      ...(marks.algoId === null ? {} : { algoId: marks.algoId }),
      ...(marks.marketProtection === null ? {} : { marketProtection: marks.marketProtection }),
    },
    // Its orders that have not left yet, and would open a position, do not leave any more.
    stopped: revokedAt === null ? (stopped?.reason ?? null) : 'it was revoked',
    limits: {
      value: limits.maxOrderValue,
      quantity: { ...maxOrderQuantity, named: namedOf(maxOrderQuantity.named) },
      openOrders: { ...maxOpenOrders, named: namedOf(maxOpenOrders.named) },
      perMinute: limits.maxOrdersPerMinute,
    },
    maxDailyLoss: limits.maxDailyLoss,
  };
}

const namedOf = (named: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(named));
