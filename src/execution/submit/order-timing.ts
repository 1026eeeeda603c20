import type { OrderTimes } from '../../domain/order-times.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Clock, Moment } from '../../platform/clock.ts';
import type { ElapsedMs } from '../../units/branded.ts';

/** Notes when an order passes each step on its way to one broker. */
export interface OrderTiming {
  committed(): void;
  /** The broker's port is asked to send it. */
  handedOver(): void;
  /** Its request is written now. */
  left(): void;
  /** What was noted, with now as the time of the answer. */
  answered(outcome: Outcome): OrderTimes;
}

export function createOrderTiming(clock: Clock, received: Moment): OrderTiming {
  let committed = received.elapsed;
  let handedOver: ElapsedMs | null = null;
  let left: ElapsedMs | null = null;
  /** To the microsecond: more would only be digits in the journal. */
  const since = (at: ElapsedMs): number => Math.round((at - received.elapsed) * 1000) / 1000;
  return {
    committed: () => void (committed = clock.elapsed()),
    handedOver: () => void (handedOver = clock.elapsed()),
    left: () => void (left = clock.elapsed()),
    answered({ kind }) {
      // A port without a connection, such as that of the paper account, does not say when a request leaves.
      const sent = kind === 'not_sent' ? null : (left ?? handedOver);
      return {
        receivedAt: received.at,
        committedMs: since(committed),
        sentMs: sent === null ? null : since(sent),
        answeredMs: since(clock.elapsed()),
      };
    },
  };
}
