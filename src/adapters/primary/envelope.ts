import { BrokerError, type BrokerFailure } from '../../domain/outcome.ts';
import type { HttpReply } from '../../platform/http.ts';
import { readRetryAfter, unsentReason } from '../kit/replies.ts';
import type { EpochMs } from '../../units/branded.ts';

/**
 * The payload of a 2xx body, or the reason why it has none. `data` is null only where null is a
 * valid answer.
 */
export type Reading<Data = unknown> =
  { readonly kind: 'data'; readonly data: Data } | BrokerFailure;

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads orders and portfolio. A body that reports a failure is a failure, whatever its HTTP status,
 * and null or an empty list is an empty answer only beside a reported success (docs/spec/primary-brokerage.md,
 * "Response envelope").
 */
export function readStrict(text: string): Reading {
  const body = parseJson(text);
  if (body === undefined) return unreadable('the reply is not JSON');
  if (Array.isArray(body)) return body.length === 0 ? UNSAID_EMPTY : payload(body);
  if (!isObject(body)) return unreadable('the reply is not an object');
  if (reportsFailure(body)) return errorBody(body);
  if (!reportsSuccess(body) && isEmptyList(body.data ?? body)) return UNSAID_EMPTY;
  // An undocumented status may be another word for a failure.
  if (isOddlyEnveloped(body)) return unreadable('the reply has an unknown status');
  if (body.data === null) {
    return reportsSuccess(body)
      ? payload(null)
      : unreadable('the reply has no data and does not report success');
  }
  if (body.data !== undefined) return payload(body.data);
  // The older form of the positions wraps its lists without an envelope.
  if (body.net_positions !== undefined || body.day_positions !== undefined) return payload(body);
  return unreadable('the reply has no data');
}

/** Also in the older form of the positions, whose net list counts (portfolio-mapping.ts). */
function isEmptyList(value: unknown): boolean {
  const list = isObject(value) ? (value.net_positions ?? value.day_positions) : value;
  return Array.isArray(list) && list.length === 0;
}

/** As readStrict, for a list; null is an empty list. */
export function readList(text: string): Reading<readonly unknown[]> {
  const reading = readStrict(text);
  if (reading.kind !== 'data') return reading;
  if (Array.isArray(reading.data)) return payload(reading.data);
  if (reading.data === null) return payload([]);
  return unreadable('the reply is not a list');
}

/** As readStrict, for one object. */
export function readObject(text: string): Reading<Fields> {
  const reading = readStrict(text);
  if (reading.kind !== 'data') return reading;
  if (isObject(reading.data)) return payload(reading.data);
  return unreadable('the reply is not an object with data');
}

/**
 * Reads market data: `data` where there is one, else the body itself. A failure without data is a
 * failure, not an empty map.
 */
export function readLenient(text: string): Reading<Fields> {
  const body = parseJson(text);
  if (body === undefined) return unreadable('the reply is not JSON');
  if (!isObject(body)) return unreadable('the reply is not an object');
  // Prices beside a reported failure are still prices. Without any, the reply is a failure.
  const nothing = isObject(body.data) && Object.keys(body.data).length === 0;
  if (isObject(body.data) && !(nothing && reportsFailure(body))) return payload(body.data);
  if (reportsFailure(body)) return errorBody(body);
  const enveloped = body.status !== undefined || body.success !== undefined;
  if (body.data === undefined && !enveloped) return payload(body);
  if (body.data === null && reportsSuccess(body)) return payload({});
  return unreadable('the reply has no data');
}

/** Candles by scrip code, and whether the broker reported success. */
export interface History {
  readonly success: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Reads historical data, whose envelope says `success: true`. A body that reports a failure is a
 * failure, also beside data. A body without `success` may still hold candles, but an empty one
 * proves nothing: the mapping decides, so `success` is passed on.
 */
export function readHistory(text: string): Reading<History> {
  const body = parseJson(text);
  if (body === undefined) return unreadable('the reply is not JSON');
  if (!isObject(body)) return unreadable('the reply is not an object');
  if (reportsFailure(body)) return errorBody(body);
  const success = reportsSuccess(body);
  if (isObject(body.data)) return payload({ success, data: body.data });
  if (body.data === null && success) return payload({ success, data: {} });
  return unreadable('the reply has no data');
}

/** Reads CSV text. JSON or markup in its place is not a list of instruments. */
export function readCsvText(text: string): Reading<string> {
  const start = text.trimStart()[0];
  if (start === undefined) return unreadable('the instrument list is empty');
  if (start === '{' || start === '[') {
    const reading = readStrict(text);
    return reading.kind === 'data' ? unreadable('the instrument list is not CSV') : reading;
  }
  if (start === '<') return unreadable('the instrument list is not CSV');
  return payload(text);
}

function payload<Data>(data: Data): Reading<Data> {
  return { kind: 'data', data };
}

/** Rows are rows, whatever is around them, but that there are none is believed of a success alone. */
const UNSAID_EMPTY = {
  kind: 'bad_payload',
  message: 'the reply is an empty list and does not report success',
} as const;

function unreadable(message: string): BrokerFailure {
  return { kind: 'bad_payload', message };
}

function errorBody(body: Record<string, unknown>): BrokerFailure {
  const code = errorCode(body);
  const message = describeError(body) ?? code ?? 'the broker reported a failure without a reason';
  return { kind: 'error_body', code, message: clip(message) };
}

function reportsFailure(body: Record<string, unknown>): boolean {
  const status = typeof body.status === 'string' ? body.status.toLowerCase() : null;
  if (status === 'error' || status === 'failure' || body.success === false) return true;
  return [body.error, body.error_type, body.error_code].some(isFilled);
}

function reportsSuccess(body: Record<string, unknown>): boolean {
  const status = typeof body.status === 'string' ? body.status.toLowerCase() : null;
  return status === 'success' || body.success === true;
}

/** Has a status field that means neither success nor failure. */
function isOddlyEnveloped(body: Record<string, unknown>): boolean {
  return (
    !reportsSuccess(body) && [body.status, body.success].some((word) => (word ?? null) !== null)
  );
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Undefined when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LONGEST_MESSAGE = 300;

export function badPayload(message: string): BrokerError {
  return new BrokerError('primary', { kind: 'bad_payload', message: clip(message) });
}

/** One line of at most 300 characters. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE - 1)}…`;
}

/** How far a request got (docs/spec/primary-brokerage.md); null for a complete 2xx reply. */
export function failureOf(reply: HttpReply, now: EpochMs): BrokerFailure | null {
  if (reply.kind === 'not_sent') {
    return { kind: 'not_sent', reason: unsentReason(reply), message: clip(reply.message) };
  }
  if (reply.kind === 'broken') return { kind: 'transport', message: clip(reply.message) };
  if (reply.status >= 200 && reply.status < 300) return null;
  const body = parseObject(reply.body);
  const described = body ? describeError(body) : plainText(reply.body);
  return {
    kind: 'http',
    status: reply.status,
    code: body ? errorCode(body) : null,
    message: clip(described ?? `HTTP ${reply.status} ${reply.statusText}`),
    retryAfterMs: readRetryAfter(reply.headers['retry-after'], now),
    ownWords: body !== null && (describeError(body) !== null || errorCode(body) !== null),
  };
}

/** All texts of an error body: the cause may be in `debug_info` alone. */
export function describeError(body: Readonly<Record<string, unknown>>): string | null {
  const nested = isObject(body.error) ? [body.error.msg, body.error.message] : [body.error];
  const texts = [body.message, ...nested, body.debug_info]
    .filter((text): text is string => typeof text === 'string')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return texts.length === 0 ? null : [...new Set(texts)].join(': ');
}

export function errorCode(body: Readonly<Record<string, unknown>>): string | null {
  for (const code of [body.error_type, body.error_code]) {
    if (typeof code === 'string' && code !== '') return code;
    if (typeof code === 'number') return String(code);
  }
  return null;
}

/** The broker answered that it does not serve this query, which is not a failure to serve it. */
export function isRefusedQuery(error: unknown): error is BrokerError {
  return (
    error instanceof BrokerError &&
    error.failure.kind === 'http' &&
    [400, 404, 422].includes(error.failure.status)
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The error page of a proxy is markup, which is not shown to anyone. */
function plainText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.startsWith('<') ? null : trimmed;
}
