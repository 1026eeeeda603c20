import type { BrokerFill, BrokerOrder } from './broker-order.ts';
import type { BrokerId } from './broker.ts';
import type { RejectionClass } from './rejection.ts';
import type { BrokerOrderId } from '../units/branded.ts';

/**
 * What is known about one request that changes something at a broker. There is no fifth case:
 * whatever is not known to be one of the first three is `uncertain`
 * (docs/decisions/0002-outcomes.md).
 */
export type Outcome =
  | {
      readonly kind: 'acknowledged';
      readonly brokerOrderId: BrokerOrderId;
      /** A new order as the broker's answer shows it; absent where the answer tells no more than its id. */
      readonly shown?: ShownOrder;
    }
  | {
      readonly kind: 'refused';
      readonly rejection: RejectionClass;
      readonly reason: string;
      /** The broker is already working on it (a pending cancel): ask again shortly. */
      readonly pending?: boolean;
      /**
       * The words are not among those known to mean that. Those of a placing are believed once a whole
       * order book that was read afterwards has no row that could be the order, and those of a change once
       * the order's row does not show it.
       */
      readonly isUnlisted?: boolean;
    }
  | { readonly kind: 'not_sent'; readonly cause: NotSentReason; readonly reason: string }
  | { readonly kind: 'uncertain'; readonly failure: BrokerFailure; readonly reason: string };

/** An order that has just been placed: its row of the order book, and what has been filled at once. */
export interface ShownOrder {
  readonly row: BrokerOrder;
  readonly fills: readonly BrokerFill[];
}

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

/** Why a request never left this machine. Each reason proves that nothing was placed. */
export const NOT_SENT_REASONS = [
  'not_open',
  'token',
  'connect',
  'held_back',
  'breaker',
  'no_permit',
  'late',
  'kill_switch',
  'disk_full',
  'limit_reached',
  'duplicate',
  'baseline',
  'recovering',
  'closing',
  'journal',
] as const;
export type NotSentReason = (typeof NOT_SENT_REASONS)[number];

/**
 * How far a call to a broker got (docs/spec/outcomes.md). One union for reads and orders; each
 * broker's classification decides what it means for an order.
 */
export type BrokerFailure =
  | { readonly kind: 'not_sent'; readonly reason: NotSentReason; readonly message: string }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly code: string | null;
      readonly message: string;
      readonly retryAfterMs: number | null;
      /**
       * True for the broker's own error body; false for a proxy's page, or where that is unknown.
       */
      readonly ownWords?: boolean;
      /**
       * How far this computer's clock is ahead of the reply's, ms; present only for minutes or
       * more.
       */
      readonly clockAheadMs?: number;
    }
  | { readonly kind: 'transport'; readonly message: string }
  | { readonly kind: 'bad_payload'; readonly message: string }
  | { readonly kind: 'error_body'; readonly code: string | null; readonly message: string };

export type FailureKind = BrokerFailure['kind'];

/**
 * Statuses below 500 by which a server on the way says that it stopped waiting, with whatever body: 408,
 * 425, 444 and 499 of web servers, 460 of a load balancer.
 */
const STOPPED_WAITING: ReadonlySet<number> = new Set([408, 425, 444, 460, 499]);

/**
 * Whether an HTTP status leaves open what became of a request, in whatever words: it says who stopped
 * waiting, and a server between us and the broker may have passed the request on
 * (docs/spec/outcomes.md). Every status of 500 and above does.
 */
export function isOpenStatus(status: number): boolean {
  return status >= 500 || STOPPED_WAITING.has(status);
}

/** The error that adapters throw from reads. Place, cancel and modify return an outcome instead. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly broker: BrokerId;
  readonly failure: BrokerFailure;

  constructor(broker: BrokerId, failure: BrokerFailure, cause?: unknown) {
    super(`${broker}: ${failure.message}`, cause === undefined ? undefined : { cause });
    this.broker = broker;
    this.failure = failure;
  }

  get kind(): FailureKind {
    return this.failure.kind;
  }
}

/**
 * Whether a failure means that the broker could not be reached, and not that it refused. The
 * breaker counts these failures, and market data fails over after them.
 */
export function isConnectivity(failure: BrokerFailure): boolean {
  if (failure.kind === 'http') return failure.status >= 500;
  if (failure.kind === 'not_sent') return failure.reason === 'connect';
  return failure.kind === 'transport' || failure.kind === 'bad_payload';
}
