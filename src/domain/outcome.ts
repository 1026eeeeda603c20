import type { BrokerFailure, NotSentReason, RejectionClass } from './failure.ts';

/**
 * What is known about one request that changes something at a broker. There is no fifth case:
 * whatever is not known to be one of the first three is `uncertain`
 * (docs/decisions/0002-outcomes.md).
 */
export type Outcome =
  | { readonly kind: 'acknowledged'; readonly brokerOrderId: string }
  | {
      readonly kind: 'refused';
      readonly rejection: RejectionClass;
      readonly reason: string;
      /** The broker is already working on it (a pending cancel): ask again shortly. */
      readonly pending?: boolean;
    }
  | { readonly kind: 'not_sent'; readonly cause: NotSentReason; readonly reason: string }
  | { readonly kind: 'uncertain'; readonly failure: BrokerFailure; readonly reason: string };

export type NotSent = Extract<Outcome, { kind: 'not_sent' }>;

export function notSent(cause: NotSentReason, reason: string): NotSent {
  return { kind: 'not_sent', cause, reason };
}

/**
 * Whether a broker cannot serve because there is no session with it, and not because of an outage:
 * only without a session may the paper account take its place (docs/spec/routing.md).
 */
export function lacksSession(blocked: NotSent | null): boolean {
  return blocked !== null && (blocked.cause === 'token' || blocked.cause === 'not_open');
}

/** The broker refused, and is known not to have placed anything. */
export function refused(rejection: RejectionClass, reason: string): Outcome {
  return { kind: 'refused', rejection, reason };
}

export function uncertain(failure: BrokerFailure): Outcome {
  return { kind: 'uncertain', failure, reason: failure.message };
}
