import type { Clock } from '../platform/clock.ts';
import type { ElapsedMs } from '../units/branded.ts';

/** Lines of a minute: of requests that were refused, and of all others. */
export const LINES_A_MINUTE = { refused: 60, others: 600 } as const;
const MINUTE_MS = 60_000;

/**
 * Bounds the lines about requests of a listener that anybody may reach through a tunnel, so that nobody fills the disk
 * with them (docs/security.md, "Listeners").
 */
export interface LogLineLimit {
  /** Whether a request that was answered with this status gets its line; one that does not is counted. */
  mayWrite(status: number): boolean;
  /** How many requests since the last line had none. */
  takeUnwritten(): number;
}

export function createLogLineLimit(clock: Clock): LogLineLimit {
  let minute: { readonly since: ElapsedMs; refused: number; others: number } | null = null;
  let unwritten = 0;
  return {
    mayWrite(status) {
      const now = clock.elapsed();
      if (minute === null || now - minute.since >= MINUTE_MS) {
        minute = { since: now, refused: 0, others: 0 };
      }
      const kind = status >= 400 && status < 500 ? 'refused' : 'others';
      minute[kind] += 1;
      if (minute[kind] <= LINES_A_MINUTE[kind]) return true;
      unwritten += 1;
      return false;
    },
    takeUnwritten() {
      const count = unwritten;
      unwritten = 0;
      return count;
    },
  };
}

/** Every request has its line: only who is on this computer, or has a key, reaches the main listener. */
export const ALL_LINES: LogLineLimit = { mayWrite: () => true, takeUnwritten: () => 0 };
