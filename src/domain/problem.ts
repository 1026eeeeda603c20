import type { BrokerId } from './broker.ts';
import type { OrderResponse } from './order.ts';

/**
 * Every reason for which the gateway itself refuses a request. Each entry point words it in its own
 * way.
 */
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
  'disk_full',
  'limit_reached',
  'market_closed',
  'wrong_account',
  'order_state',
  'exit_running',
  'unknown_exit',
  'unknown_closing',
  'unknown_key',
  'key_refused',
  'recovering',
  'no_broker',
  'not_supported',
  'broker_unavailable',
  'broker_refused',
  'token_absent',
  'no_token',
  'login_refused',
  'login_failed',
  'journal_unavailable',
  'internal',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface ProblemFields {
  readonly code: ProblemCode;
  /** For people: what is wrong, and what to do about it. Holds no secret. */
  readonly detail: string;
  readonly broker?: BrokerId;
  /**
   * Whether an order may exist at a broker in spite of this answer. False unless that is unknown.
   */
  readonly mayHaveExecuted?: boolean;
  /** Whether the same request may be sent again (orders: under a new key) without risk. */
  readonly retrySafe?: boolean;
  readonly retryAfterMs?: number;
  /** The field of an order that is wrong, where it is one: `price`. Shown in the errors of a basket. */
  readonly field?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** Further fields for the caller, such as the order concerned. */
  readonly extra?: Readonly<Record<string, unknown>> & { readonly order?: OrderResponse };
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
