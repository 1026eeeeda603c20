import { sha256 } from '../platform/secret.ts';

const MOST_KEPT = 100;

/**
 * The request tokens that were sent to the broker: a refused one is then known to be used already,
 * and not too old.
 */
export interface SpentTokens {
  /** Stores a token's hash; true when it was already stored. */
  spend(requestToken: string): boolean;
}

export function createSpentTokens(): SpentTokens {
  const spent = new Set<string>();
  return {
    spend(requestToken) {
      const hash = sha256(requestToken);
      if (spent.has(hash)) return true;
      spent.add(hash);
      for (const oldest of spent) {
        if (spent.size <= MOST_KEPT) break;
        spent.delete(oldest);
      }
      return false;
    },
  };
}
