import type { BrokerFailure } from '../../domain/failure.ts';
import { clip, describeError, errorCode, isObject } from './errors.ts';

/** The payload of a 2xx body, or why there is none. `data` is null only where null is an answer. */
export type Reading = { readonly kind: 'data'; readonly data: unknown } | BrokerFailure;

/**
 * Orders and portfolio: a body that reports a failure is one, whatever its HTTP status, and only a
 * null that comes with a success is empty (docs/spec/primary-brokerage.md, "Response envelope").
 */
export function readStrict(text: string): Reading {
  const body = parseJson(text);
  if (body === undefined) return unreadable('the reply is not JSON');
  if (Array.isArray(body)) return payload(body);
  if (!isObject(body)) return unreadable('the reply is not an object');
  if (reportsFailure(body)) return errorBody(body);
  // A status that nobody has documented may be one more word for a failure.
  if (isOddlyEnveloped(body)) return unreadable('the reply has a status that is not known');
  if (body.data === null) {
    return reportsSuccess(body) ? payload(null) : unreadable('no data, and no success either');
  }
  if (body.data !== undefined) return payload(body.data);
  // The older form of the positions wraps its lists without an envelope.
  if (body.net_positions !== undefined || body.day_positions !== undefined) return payload(body);
  return unreadable('the reply has no data');
}

/** A strict reading that must be a list; null is an empty one. */
export function readList(text: string): Reading {
  const reading = readStrict(text);
  if (reading.kind !== 'data' || Array.isArray(reading.data)) return reading;
  if (reading.data === null) return payload([]);
  return unreadable('the reply is not a list');
}

/** A strict reading that must be one object. */
export function readObject(text: string): Reading {
  const reading = readStrict(text);
  if (reading.kind !== 'data' || isObject(reading.data)) return reading;
  return unreadable('the reply is not an object with data');
}

/**
 * Market data: unwraps `data` where there is one, and takes the body itself where there is none. A
 * reported failure without data is still a failure, not a map without instruments.
 */
export function readLenient(text: string): Reading {
  const body = parseJson(text);
  if (body === undefined) return unreadable('the reply is not JSON');
  if (!isObject(body)) return unreadable('the reply is not an object');
  // A price that comes beside a failure is one; nothing beside a failure is the failure.
  const nothing = isObject(body.data) && Object.keys(body.data).length === 0;
  if (isObject(body.data) && !(nothing && reportsFailure(body))) return payload(body.data);
  if (reportsFailure(body)) return errorBody(body);
  const enveloped = body.status !== undefined || body.success !== undefined;
  if (body.data === undefined && !enveloped) return payload(body);
  if (body.data === null && reportsSuccess(body)) return payload({});
  return unreadable('the reply has no data');
}

/** Candles by scrip code, and whether the broker said that it succeeded. */
export interface History {
  readonly success: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Historical data, whose envelope says `success: true`. A body that reports a failure is one, also
 * beside data. Without a success it may still hold candles, but its silence says nothing: that
 * is for the mapping to tell, so the word is handed on.
 */
export function readHistory(text: string): Reading {
  const body = parseJson(text);
  if (body === undefined) return unreadable('the reply is not JSON');
  if (!isObject(body)) return unreadable('the reply is not an object');
  if (reportsFailure(body)) return errorBody(body);
  const success = reportsSuccess(body);
  if (isObject(body.data)) return payload({ success, data: body.data } satisfies History);
  if (body.data === null && success) return payload({ success, data: {} } satisfies History);
  return unreadable('the reply has no data');
}

/** CSV text: JSON or markup in its place is not a list of instruments. */
export function readCsvText(text: string): Reading {
  const start = text.trimStart()[0];
  if (start === undefined) return unreadable('the instrument list is empty');
  if (start === '{' || start === '[') {
    const reading = readStrict(text);
    return reading.kind === 'data' ? unreadable('the instrument list is not CSV') : reading;
  }
  if (start === '<') return unreadable('the instrument list is not CSV');
  return payload(text);
}

function payload(data: unknown): Reading {
  return { kind: 'data', data };
}

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

/** Says something of its success, and neither that it is one nor that it is not. */
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
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
