import type { BrokerId } from './broker.ts';

/** Every way in which the gateway itself says no. The entry points turn a code into their own words. */
export const PROBLEM_CODES = [
  'invalid_request',
  'unknown_instrument',
  'unknown_order',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'wrong_host',
  'foreign_origin',
  'body_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'idempotency_conflict',
  'order_refused',
  'change_refused',
  'order_not_sent',
  'kill_switch',
  'market_closed',
  'wrong_account',
  'order_state',
  'recovering',
  'no_broker',
  'not_supported',
  'broker_unavailable',
  'broker_refused',
  'token_absent',
  'login_refused',
  'login_failed',
  'journal_unavailable',
  'internal',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface ProblemFields {
  readonly code: ProblemCode;
  /** For the person who reads it: what was wrong, and what would be right. Holds no secret. */
  readonly detail: string;
  readonly broker?: BrokerId;
  /** Whether an order may exist at a broker in spite of this answer. False unless it is open. */
  readonly mayHaveExecuted?: boolean;
  /** Whether the same request may be sent again (orders: under a new key) without risk. */
  readonly retrySafe?: boolean;
  readonly retryAfterMs?: number;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** More that the caller can act on: the order concerned, for one. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export class GatewayProblem extends Error {
  override readonly name = 'GatewayProblem';
  readonly fields: ProblemFields;

  constructor(fields: ProblemFields, cause?: unknown) {
    super(fields.detail, cause === undefined ? undefined : { cause });
    this.fields = fields;
  }

  get code(): ProblemCode {
    return this.fields.code;
  }
}
