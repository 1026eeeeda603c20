import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { ElapsedMs } from '../units/branded.ts';

/** Alerts that one hook takes in a minute. */
export const MOST_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Counts the alerts of each hook. Throws `too_many_requests` for one too many, which does not count. */
export function createAlertLimit(clock: Clock): (hookId: string) => void {
  const taken = new Map<string, readonly ElapsedMs[]>();
  return (hookId) => {
    const now = clock.elapsed();
    const recent = (taken.get(hookId) ?? []).filter((at) => at > now - MINUTE_MS);
    const [first] = recent;
    if (first !== undefined && recent.length >= MOST_A_MINUTE) {
      throw new GatewayProblem({
        code: 'too_many_requests',
        detail: `the hook takes ${MOST_A_MINUTE} alerts a minute: nothing was placed for this one`,
        retryAfterMs: first + MINUTE_MS - now,
      });
    }
    taken.set(hookId, [...recent, now]);
  };
}

/** Whether something may be said of a hook: once a minute, so that a repeated mistake fills no chat. */
export function createNoticeLimit(clock: Clock): (hookId: string) => boolean {
  const said = new Map<string, ElapsedMs>();
  return (hookId) => {
    const last = said.get(hookId);
    const now = clock.elapsed();
    if (last !== undefined && now - last < MINUTE_MS) return false;
    said.set(hookId, now);
    return true;
  };
}
