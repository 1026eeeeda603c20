/** One request as the broker received it. */
export interface ReceivedRequest {
  at: number;
  method: string;
  path: string;
  /** The route's pattern with its method (`GET /orders`), or `unknown`. */
  endpoint: string;
  /** The limit category it counted towards; empty for an unknown route. */
  category: string;
  /** The status that the broker decided on, before any network fault; null when it did not act. */
  status: number | null;
  /** The request exceeded a limit and was refused for it (not by a fault). */
  limitBroken: boolean;
  authorization: string | null;
  /** The fault that struck this request. */
  fault: string | null;
}

export interface RequestLog {
  add(entry: ReceivedRequest): void;
  all(): readonly ReceivedRequest[];
  /** How many requests each endpoint received. */
  counts(): Record<string, number>;
  limitBreaks(): readonly ReceivedRequest[];
}

export function createRequestLog(): RequestLog {
  const entries: ReceivedRequest[] = [];
  return {
    add: (entry) => void entries.push(entry),
    all: () => entries,
    counts() {
      const counts: Record<string, number> = {};
      for (const { endpoint } of entries) counts[endpoint] = (counts[endpoint] ?? 0) + 1;
      return counts;
    },
    limitBreaks: () => entries.filter((entry) => entry.limitBroken),
  };
}
