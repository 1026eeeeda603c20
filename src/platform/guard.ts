import type { Breaker } from './breaker.ts';
import type { Clock } from './clock.ts';

/** The breaker is open, so the call was not made. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}

/**
 * Makes one call behind a breaker and always reports its result to the breaker: a half-open breaker
 * without a report would refuse every later call. Rejects with BreakerOpen, or with what `run`
 * rejects with; `isDown` says which rejections mean that the other side could not be reached.
 */
export async function guard<T>(
  breaker: Breaker,
  run: () => Promise<T>,
  isDown: (error: unknown) => boolean,
): Promise<T> {
  if (!breaker.allow()) throw new BreakerOpen('the breaker is open');
  let down = false;
  try {
    return await run();
  } catch (error) {
    down = isDown(error);
    throw error;
  } finally {
    if (down) breaker.failed();
    else breaker.succeeded();
  }
}

/** Whether a call would be refused now. Does not use up the one call of a half-open breaker. */
export function isShut(breaker: Breaker, clock: Clock): boolean {
  const state = breaker.state();
  if (state.kind === 'open') return clock.elapsed() < state.until;
  return state.kind === 'half_open';
}
