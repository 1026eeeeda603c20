import { sha256 } from '../platform/digest.ts';

const MOST_KEPT = 100;

/**
 * The request tokens that the broker has been shown: one that is refused is then known to have been
 * used already, not to be too old.
 */
export interface SpentTokens {
  /** Keeps it, by its hash; true when it was there before. */
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
