import { z } from 'zod';
import { text } from './answer-parts.ts';
import { BrokerError } from '../domain/outcome.ts';
import {
  GatewayProblem,
  isRetrySafe,
  PROBLEM_CODES,
  type ProblemCode,
  type ProblemError,
  type ProblemFields,
} from '../domain/problem.ts';
import { FileWriteError } from '../platform/files.ts';
import { brokerProblem } from '../router/problems.ts';
import { answeringBroker } from './define-route.ts';
import { exitView } from './exit-schemas.ts';
import { orderView } from './order-schemas.ts';

/** Status and title of every problem: the one place where an error becomes a status code. */
const PROBLEMS: Readonly<Record<ProblemCode, readonly [status: number, title: string]>> = {
  invalid_request: [400, 'The request is not well-formed'],
  price_off_tick: [400, 'The price is between two ticks'],
  lot_size: [400, 'The quantity is not whole lots'],
  quantity_too_large: [400, 'The quantity is more than the exchange takes'],
  trigger_side: [400, 'The trigger is on the wrong side of the price'],
  not_tradable: [400, 'The instrument is not traded'],
  wrong_mode: [400, 'The broker named is of the other mode'],
  several_brokers: [400, 'One request is for one broker'],
  several_products: [400, 'The instrument is held as several products'],
  repeated_key: [400, 'Two orders of the basket have one key'],
  empty_range: [400, 'The range has no length'],
  wrong_cursor: [400, 'The cursor belongs to another list'],
  cursor_expired: [410, 'Events after the cursor may be missing'],
  not_offered: [400, 'No broker offers this for the instrument'],
  unknown_instrument: [404, 'There is no such instrument'],
  ambiguous_instrument: [400, 'The symbol is that of several instruments'],
  unknown_order: [404, 'There is no such order'],
  unknown_trigger: [404, 'There is no such trigger'],
  unauthorized: [401, 'A valid key or checksum is required'],
  forbidden: [403, 'The key does not allow this'],
  not_found: [404, 'There is no such path'],
  method_not_allowed: [405, 'The path does not take this method'],
  wrong_host: [421, 'The gateway does not answer for this host'],
  foreign_origin: [403, 'Pages of other origins may not change anything'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body is of a type that is not accepted here'],
  too_many_requests: [429, 'Too many requests'],
  idempotency_conflict: [422, 'The idempotency key belongs to another request'],
  basket_refused: [400, 'Orders of the basket are refused for several reasons'],
  order_refused: [422, 'The order was refused and not placed'],
  change_refused: [422, 'The change was refused; the order is unchanged'],
  order_not_sent: [503, 'The order was not sent'],
  kill_switch: [409, 'The kill switch is engaged'],
  disarmed: [409, 'The data directory may be a copy: nothing is sent'],
  disk_full: [503, 'The disk is nearly full'],
  limit_reached: [409, 'The order is above a limit of the settings'],
  market_closed: [409, 'The market is closed'],
  wrong_account: [409, 'The order belongs to another account'],
  order_state: [409, 'The order is in a state that does not allow this'],
  change_under_way: [409, 'Another change of the order is under way'],
  modified_too_often: [409, 'The order has been modified as often as brokers allow'],
  exit_running: [409, 'Another exit of this position is under way'],
  unknown_exit: [404, 'There is no such exit'],
  unknown_closing: [404, 'There is no such closing'],
  unknown_key: [404, 'There is no such key'],
  unknown_webhook: [404, 'There is no such webhook'],
  unknown_hook: [404, 'There is no such hook'],
  unknown_day: [404, 'The journal has nothing of the day'],
  stale_signal: [409, 'The alert is too old'],
  sign_in_link_used: [410, 'The link does not work any more'],
  name_taken: [409, 'Another key has the name'],
  key_revoked: [409, 'The key was revoked'],
  admin_key: [409, 'The admin key cannot be changed in this way'],
  recovering: [503, 'The gateway is not ready'],
  no_broker: [503, 'No broker can serve this'],
  not_supported: [501, 'The broker does not offer this'],
  broker_unavailable: [503, 'The broker cannot be reached'],
  broker_refused: [502, 'The broker refused'],
  token_absent: [503, 'There is no valid token'],
  no_token: [404, 'There is no valid token to show'],
  login_refused: [403, 'The login is refused'],
  login_failed: [502, 'The login failed'],
  journal_unavailable: [503, 'The journal cannot be written'],
  internal: [500, 'Something went wrong inside the gateway'],
};

const errorSchema = z.object({
  path: text('The field, with where it stands: body.quantity, query.status'),
  message: text('What it takes, or what is wrong with it'),
  code: z
    .enum(PROBLEM_CODES)
    .optional()
    .meta({ description: 'What kind of mistake it is, where that is known of the field alone' }),
  nearest: z.array(z.number()).optional().meta({
    description: 'Of a figure that is wrong: the right ones next to it, below and above',
  }),
});

/** RFC 9457 with the gateway's own members; `order` and other members may follow. */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'A URN with the code' }),
    title: z.string().meta({ description: 'What the code means; the same for each' }),
    status: z.int().meta({ description: 'The HTTP status of the answer' }),
    detail: z.string().meta({
      description: 'For people: what is wrong, where, and what to do next. It holds no secret',
    }),
    code: z.enum(PROBLEM_CODES).meta({
      description: 'What kind of problem it is: docs/problems.md says what to do about each',
    }),
    broker: answeringBroker.optional().meta({
      description: 'The broker concerned; absent where none is',
    }),
    mayHaveExecuted: z.boolean().meta({
      description:
        'Whether what was asked for, by this request or by an earlier one under its key, may have happened ' +
        'all the same',
    }),
    retrySafe: z.boolean().meta({
      description:
        'Whether sending the request again, also under a new key, cannot make anything happen twice',
    }),
    requestId: text('The id of the request, as in the header X-Request-Id; the log has it'),
    errors: z.array(errorSchema).optional().meta({
      description: 'Each wrong field, and what it takes: body.quantity',
    }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof problemSchema>;

export const statusOf = (code: ProblemCode): number => PROBLEMS[code][0];
export const titleOf = (code: ProblemCode): string => PROBLEMS[code][1];

export const PROBLEM_TYPE = 'application/problem+json';

export const problemOf = (
  fields: ProblemFields,
  { requestId, method }: AskedFor,
  status?: number,
): Problem => ({
  ...problemPart(
    fields.errors ? fields : { ...fields, ...errorOf(fields, method) },
    method,
    status,
  ),
  requestId,
});

/** A problem of one field of a body has it among its errors, as the problem of several fields has. */
function errorOf(
  { code, detail: message, field, nearest }: ProblemFields,
  method: string,
): Pick<ProblemFields, 'errors'> {
  if (field === undefined || method === 'GET' || method === 'HEAD') return {};
  const error = { path: `body.${field}`, message, code };
  return { errors: [nearest === undefined ? error : { ...error, nearest }] };
}

/** The request that a problem answers. */
export interface AskedFor {
  readonly requestId: string;
  /** Of HTTP: whether a retry is safe depends on it. */
  readonly method: string;
}

/** A problem of a part of a request: the request's id is that of the whole answer. */
export function problemPart(
  fields: ProblemFields,
  method: string,
  status = PROBLEMS[fields.code][0],
): Omit<Problem, 'requestId'> {
  return {
    ...extraMembers(fields.extra),
    type: `urn:altbroker-gateway:problem:${fields.code}`,
    title: PROBLEMS[fields.code][1],
    status,
    detail: fields.detail,
    code: fields.code,
    ...(fields.broker === undefined ? {} : { broker: fields.broker }),
    mayHaveExecuted: fields.mayHaveExecuted ?? false,
    retrySafe: isRetrySafe(fields, method),
    ...(fields.errors === undefined ? {} : { errors: fields.errors.map(errorView) }),
  };
}

const errorView = ({ nearest, ...error }: ProblemError): z.output<typeof errorSchema> =>
  nearest === undefined ? error : { ...error, nearest: [...nearest] };

/** Orders and exits are shown as everywhere else, whichever module put them there. */
function extraMembers(extra: ProblemFields['extra']): Readonly<Record<string, unknown>> {
  const { order, exit, ...others } = extra ?? {};
  return {
    ...others,
    ...(order === undefined ? {} : { order: orderView(order) }),
    ...(exit === undefined ? {} : { exit: exitView(exit) }),
  };
}

/**
 * What to tell of anything that was thrown. A GatewayProblem is told in its own words and a
 * BrokerError in the broker's, from which the adapter has taken its secrets; of the rest nothing is
 * quoted. Where the request could have changed something (`changes`), an error that nobody foresaw
 * leaves open whether it did.
 */
export function fieldsOf(error: unknown, changes: boolean): ProblemFields {
  if (error instanceof GatewayProblem) return error.fields;
  if (error instanceof BrokerError) return brokerProblem(error, changes).fields;
  if (error instanceof FileWriteError) return NOT_WRITTEN;
  const known = clientErrorOf(error);
  if (known) return known;
  return {
    code: 'internal',
    detail: changes
      ? 'An unexpected error; the request may have taken effect. Read the order or the state ' +
        'before you retry.'
      : 'An unexpected error; the gateway’s log has the details.',
    mayHaveExecuted: changes,
  };
}

const NOT_WRITTEN: ProblemFields = {
  code: 'journal_unavailable',
  detail:
    'The change could not be written to disk, so it was not made: check the disk, then try again.',
  mayHaveExecuted: false,
};

/** Errors of the HTTP library about what the client sent, before any handler has run. */
function clientErrorOf(error: unknown): ProblemFields | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof URIError) {
    return {
      code: 'invalid_request',
      detail: 'The path has an invalid percent-encoding: ' + 'correct it.',
    };
  }
  return null;
}
