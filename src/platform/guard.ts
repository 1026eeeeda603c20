import type { Breaker } from './breaker.ts';
import type { Clock } from './clock.ts';

/** The breaker let no call through: nothing was tried. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}

/**
 * Runs one call behind a breaker and reports how it went, whatever happens: a half-open breaker
 * that is never told would stay shut for good. Rejects with BreakerOpen, or with what `run` rejects
 * with; `isDown` says which of those mean that the other side could not be reached.
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

/** Whether a call would be refused now. Looks only: takes no half-open turn. */
export function isShut(breaker: Breaker, clock: Clock): boolean {
  const state = breaker.state();
  if (state.kind === 'open') return clock.elapsed() < state.until;
  return state.kind === 'half_open';
}
