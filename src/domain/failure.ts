import type { BrokerId } from './broker.ts';

/** Why a request never left this machine. All of them prove that nothing was placed. */
export type NotSentReason =
  | 'not_open'
  | 'token'
  | 'connect'
  | 'breaker'
  | 'no_permit'
  | 'kill_switch'
  | 'lane'
  | 'baseline'
  | 'recovering'
  | 'closing'
  | 'journal';

/**
 * How far a call to a broker got (docs/spec/outcomes.md). One union for reads and orders alike; what
 * it means for an order is a matter of the broker's classification.
 */
export type BrokerFailure =
  | { readonly kind: 'not_sent'; readonly reason: NotSentReason; readonly message: string }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly code: string | null;
      readonly message: string;
      readonly retryAfterMs: number | null;
      /** The broker's own error body, not a proxy's page on the way: false where it cannot be told. */
      readonly ownWords?: boolean;
      /** How far this computer's clock is ahead of the answer's, ms; there only when it is minutes. */
      readonly clockAheadMs?: number;
    }
  | { readonly kind: 'transport'; readonly message: string }
  | { readonly kind: 'bad_payload'; readonly message: string }
  | { readonly kind: 'error_body'; readonly code: string | null; readonly message: string };

export type FailureKind = BrokerFailure['kind'];

/** What adapters throw out of reads. Placing, cancelling and modifying answer an outcome instead. */
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

/** The classes of refusal that a protective exit tells apart (docs/spec/outcomes.md). */
export type RejectionClass =
  'rate_limited' | 'price' | 'market_blocked' | 'auth' | 'not_sent' | 'other';

/**
 * Whether a failure says that the broker could not be reached, as against that it answered: what
 * the breaker counts, and what lets market data fail over.
 */
export function isConnectivity(failure: BrokerFailure): boolean {
  if (failure.kind === 'http') return failure.status >= 500;
  if (failure.kind === 'not_sent') return failure.reason === 'connect';
  return failure.kind === 'transport' || failure.kind === 'bad_payload';
}
