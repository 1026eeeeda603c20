import { DAY_MS, brokerDay } from './ist.ts';

/**
 * At most `max` requests in any window of `windowMs`; a window of a day also counts refused ones.
 */
export interface LimitRule {
  windowMs: number;
  max: number;
}

export interface Limiter {
  /** Counts the request; false when it exceeds a limit and must be answered with 429. */
  admit(category: string, at: number): boolean;
}

/** A sliding window for each rule: a fixed one would allow twice the limit around its border. */
export function createLimiter(rules: Record<string, readonly LimitRule[]>): Limiter {
  const admitted = new Map<string, number[]>();
  const perDay = new Map<string, number>();
  return {
    admit(category, at) {
      const own = rules[category] ?? [];
      const longest = Math.max(
        0,
        ...own.map((rule) => (rule.windowMs < DAY_MS ? rule.windowMs : 0)),
      );
      const recent = (admitted.get(category) ?? []).filter((time) => time > at - longest);
      admitted.set(category, recent);
      const dayKey = `${category}:${brokerDay(at)}`;
      const today = (perDay.get(dayKey) ?? 0) + 1;
      perDay.set(dayKey, today);
      for (const rule of own) {
        const used =
          rule.windowMs >= DAY_MS
            ? today - 1
            : recent.filter((time) => time > at - rule.windowMs).length;
        if (used >= rule.max) return false;
      }
      recent.push(at);
      return true;
    },
  };
}
