import type { TickMode } from '../../../domain/tick.ts';

/** The broker's limits (Kite Connect docs). */
export const TOKENS_A_CONNECTION = 3_000;
export const CONNECTIONS = 3;

/** Which connection carries which tokens. A token stays on its connection until it is released. */
export interface Shares {
  /** By connection. */
  readonly tokens: readonly ReadonlyMap<number, TickMode>[];
  /** Returns the connection that carries the token; null when all are full. */
  take(token: number, mode: TickMode): number | null;
  /** The connection that carries the token; null when none does. */
  carrier(token: number): number | null;
  /** Returns the connection that carried the token; null when none did. */
  letGo(token: number): number | null;
}

export function createShares(): Shares {
  const tokens = Array.from({ length: CONNECTIONS }, () => new Map<number, TickMode>());
  const holder = (token: number) => [...tokens.entries()].find(([, each]) => each.has(token));
  const roomy = () => [...tokens.entries()].find(([, each]) => each.size < TOKENS_A_CONNECTION);
  return {
    tokens,
    take(token, mode) {
      const found = holder(token) ?? roomy();
      if (!found) return null;
      const [index, carried] = found;
      carried.set(token, mode);
      return index;
    },
    carrier: (token) => holder(token)?.[0] ?? null,
    letGo(token) {
      const found = holder(token);
      if (!found) return null;
      const [index, carried] = found;
      carried.delete(token);
      return index;
    },
  };
}
