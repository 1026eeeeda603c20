import type { BrokerId } from './broker.ts';
import type { ExitResponse } from './exit.ts';
import type { OrderResponse } from './order.ts';

/**
 * Every reason for which the gateway itself refuses a request. Each entry point words it in its own
 * way.
 */
export const PROBLEM_CODES = [
  'invalid_request',
  'price_off_tick',
  'lot_size',
  'quantity_too_large',
  'trigger_side',
  'not_tradable',
  'wrong_mode',
  'several_brokers',
  'several_products',
  'repeated_key',
  'empty_range',
  'wrong_cursor',
  'cursor_expired',
  'not_offered',
  'unknown_instrument',
  'ambiguous_instrument',
  'unknown_order',
  'unknown_trigger',
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
  'basket_refused',
  'order_refused',
  'change_refused',
  'order_not_sent',
  'kill_switch',
  'disarmed',
  'disk_full',
  'limit_reached',
  'market_closed',
  'wrong_account',
  'order_state',
  'change_under_way',
  'modified_too_often',
  'exit_running',
  'unknown_exit',
  'unknown_closing',
  'unknown_key',
  'unknown_webhook',
  'unknown_hook',
  'unknown_day',
  'stale_signal',
  'sign_in_link_used',
  ...(['name_taken', 'key_revoked', 'admin_key'] as const),
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

/**
 * Codes of problems after which what was asked for may have happened all the same: the outcome is open, or it
 * is that of an earlier request under the same key. After all others it is known that nothing has happened.
 */
export const OPEN_CODES = [
  'idempotency_conflict',
  'basket_refused',
  'disarmed',
  'no_broker',
  'broker_unavailable',
  'broker_refused',
  'journal_unavailable',
  'internal',
] as const satisfies readonly ProblemCode[];
export type OpenCode = (typeof OPEN_CODES)[number];

export const isOpenCode = (code: ProblemCode): code is OpenCode =>
  OPEN_CODES.some((open) => open === code);

/** Codes of what ends without the caller: the same request may succeed later. */
const PASSING: ReadonlySet<ProblemCode> = new Set([
  ...(['order_not_sent', 'kill_switch', 'disk_full', 'limit_reached', 'market_closed'] as const),
  ...(['exit_running', 'recovering', 'no_broker', 'broker_unavailable', 'token_absent'] as const),
  ...(['journal_unavailable', 'too_many_requests', 'change_under_way'] as const),
]);

/** Whether what a problem says may be over later, with nothing changed in the request. */
export const passesByItself = (code: ProblemCode): boolean => PASSING.has(code);

interface SharedFields {
  /** For people: what is wrong, and what to do about it. Holds no secret. */
  readonly detail: string;
  readonly broker?: BrokerId;
  readonly retryAfterMs?: number;
  /** The field of an order that is wrong, where it is one: `price`. Shown in the errors of a basket. */
  readonly field?: string;
  /** Of a figure that is wrong: the right ones next to it, below and above. */
  readonly nearest?: readonly number[];
  readonly errors?: readonly ProblemError[];
  /** Further fields for the caller, such as the order or the exit concerned. */
  readonly extra?: Readonly<Record<string, unknown>> & {
    readonly order?: OrderResponse;
    readonly exit?: ExitResponse;
  };
}

/** One of several mistakes of a request. */
export interface ProblemError {
  /** `body.orders.1.price` */
  readonly path: string;
  readonly message: string;
  /** Where the mistake has a code of its own, beside that of the whole request. */
  readonly code?: ProblemCode;
  /** Of a figure that is wrong: the right ones next to it, below and above. */
  readonly nearest?: readonly number[];
}

/**
 * `mayHaveExecuted`: whether what was asked for, by this request or by an earlier one under its key, may have
 * happened in spite of this answer. False when absent. Whether a retry is safe follows from it
 * (docs/problems.md, "Two fields").
 */
export type ProblemFields = SharedFields &
  (
    | { readonly code: OpenCode; readonly mayHaveExecuted?: boolean }
    | { readonly code: Exclude<ProblemCode, OpenCode>; readonly mayHaveExecuted?: false }
  );

/** Methods of HTTP that do no more the second time: reads, and the deletion of what is deleted. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Whether sending the same request again, also under a new key, cannot make anything happen twice. It does not
 * say that the request will succeed.
 */
export const isRetrySafe = (
  { mayHaveExecuted }: Pick<ProblemFields, 'mayHaveExecuted'>,
  method: string,
): boolean => mayHaveExecuted !== true || REPEATABLE.has(method);

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
