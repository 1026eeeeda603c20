/** The gateway's only source of time. */
export interface Clock {
  /** Epoch milliseconds. May step backwards when the host's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start; never steps, also when the host's clock is changed. */
  elapsed(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
