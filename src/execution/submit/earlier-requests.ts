import type { BrokerId } from '../../domain/broker.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import type { EpochMs } from '../../units/branded.ts';

/** The longest limit of a broker on order requests is one of a day. */
const LONGEST_MS = 86_400_000;
/**
 * How long ago a request is taken to have been that is later than now, since the clock was set back: it counts for the
 * day, and not for the minute, so that a wrong clock holds no way out back.
 */
const NOT_KNOWN_MS = 3_600_000;

/**
 * How long ago the order requests to a broker were that the journal has of the last day, ms, the oldest first: placings,
 * changes and cancels, also of orders placed elsewhere. What is known not to have left does not count; what a broker
 * refused does (docs/spec/kite-limits.md).
 */
export function earlierRequests(
  { attempts, externalChanges }: Pick<ExecutionState, 'attempts' | 'externalChanges'>,
  broker: BrokerId,
  now: EpochMs,
): readonly number[] {
  const ago: number[] = [];
  for (const requests of [attempts, externalChanges]) {
    for (const { broker: sentTo, sentAt, state } of requests.values()) {
      if (sentTo !== broker || state.kind === 'not_sent') continue;
      const since = now - sentAt;
      if (since < LONGEST_MS) ago.push(since < 0 ? NOT_KNOWN_MS : since);
    }
  }
  return ago.sort((one, other) => other - one);
}

/**
 * Tells each broker what earlier processes have sent to it, before anything else leaves: otherwise a restart would forget
 * what is used of its limits, and with it what is kept of the day for ways out.
 */
export function countEarlierRequests(
  {
    brokers,
    clock,
  }: {
    readonly brokers: readonly { readonly trading: Pick<Trading, 'broker' | 'countEarlier'> }[];
    readonly clock: Clock;
  },
  state: Pick<ExecutionState, 'attempts' | 'externalChanges'>,
): void {
  for (const { trading } of brokers) {
    trading.countEarlier?.(earlierRequests(state, trading.broker, clock.now()));
  }
}
