/** Wall-clock time. The only way in which the gateway knows what time it is. */
export interface Clock {
  /** Epoch milliseconds. May step backwards when the host's clock is set. */
  now(): number;
  /** Milliseconds since some start; never steps, not even over a change of the host's clock. */
  elapsed(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
