import type { Refusal } from '../kernel/broker.ts';
import { createListText } from '../kernel/rendered.ts';
import type { Reply } from '../kernel/wire.ts';
import { jsonReply, textReply } from '../kernel/wire.ts';

/** Thrown by a handler with its body, because this broker has several envelopes. */
export class PrimaryRefusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body['message'] ?? body['error'] ?? 'refused'));
    this.status = status;
    this.body = body;
  }
}

/** The documented envelope. */
export const refused = (status: number, errorType: string, message: string): PrimaryRefusal =>
  new PrimaryRefusal(status, { status: 'error', message, error_type: errorType });

/** The same with the key from the conventions page. */
export const refusedByCode = (status: number, code: string, message: string): PrimaryRefusal =>
  new PrimaryRefusal(status, { status: 'error', message, error_code: code });

/** "Bad Request", with the reason in a field that clients rarely read. */
export const badRequest = (reason: string): PrimaryRefusal =>
  new PrimaryRefusal(400, { debug_info: reason, message: 'Bad Request' });

/** The envelope of authorization errors. */
export const unauthorized = (status: number, message: string): Reply =>
  jsonReply(status, { message, success: false });

const IN_ITS_OWN_WORDS: readonly (readonly [Refusal['means'], number, string, string])[] = [
  ['open', 400, 'OrderException', 'Request timed out. Please check before placing again.'],
  ['open', 400, 'OrderException', 'No response from the exchange.'],
  ['open', 400, 'DataException', 'Something went wrong while placing the order.'],
  ['known', 400, 'OrderException', 'RMS: Margin exceeds, Required: 10.00, Available: 0.00'],
  ['known', 400, 'OrderException', 'The instrument is not tradable.'],
  ['known', 400, 'InputException', 'Invalid value for qty'],
  ['known', 400, 'OrderException', 'Order price must be a multiple of the tick size.'],
  ['known', 403, 'UserException', 'IP address is not whitelisted'],
  ['known', 422, 'OrderException', 'QtyWithinFreezeQty: The quantity exceeds the limit.'],
  ['known', 429, 'RateLimitException', 'Rate limit exceeded'],
  ['unlisted', 400, 'OrderException', 'Declined by the order management of the member.'],
  ['unlisted', 400, 'InputException', 'This scrip is under surveillance.'],
  ['unlisted', 403, 'UserException', 'Complete your KYC first.'],
  ['unlisted', 404, 'DataException', 'No such client.'],
  ['unlisted', 409, 'OrderException', 'Try a smaller order.'],
  ['unlisted', 422, 'OrderException', 'Oops.'],
  ['open', 400, 'OrderException', 'RMS: order queued, margin will be checked'],
  ['open', 400, 'InputException', 'Duplicate order'],
  ['open', 400, 'RequestTimedOut', 'Invalid value for qty'],
  ['open', 429, 'RateLimitException', 'Too many requests. Check the order book.'],
  // Known words, under a status that says that a server stopped waiting or failed.
  ['open', 408, 'InputException', 'Invalid value for qty'],
  ['open', 425, 'OrderException', 'The instrument is not tradable.'],
  ['open', 499, 'OrderException', 'RMS: Margin exceeds, Required: 10.00, Available: 0.00'],
  ['open', 500, 'InputException', 'Invalid value for qty'],
  ['open', 502, 'OrderException', 'The instrument is not tradable.'],
  ['open', 503, 'OrderException', 'RMS: Margin exceeds, Required: 10.00, Available: 0.00'],
  ['open', 504, 'OrderException', 'Order price must be a multiple of the tick size.'],
];

/**
 * Refusals of every kind, but a token that is called dead: the token is a setting. Fault rules name them
 * by their place: new ones go to the end.
 */
export const primaryRefusals: readonly Refusal[] = [
  ...IN_ITS_OWN_WORDS.map(([means, status, errorType, message]) => ({
    means,
    reply: jsonReply(status, { status: 'error', message, error_type: errorType }),
  })),
  // The other envelopes of this broker.
  { means: 'known', reply: jsonReply(400, badRequest('qty is required').body) },
  { means: 'unlisted', reply: jsonReply(400, badRequest('see the member').body) },
  { means: 'unlisted', reply: unauthorized(400, 'not today') },
  // A server on the way answered in the broker's place.
  { means: 'open', reply: textReply(400, 'text/html', '<h1>Bad Request</h1>') },
  { means: 'open', reply: textReply(403, 'text/html', '<h1>Forbidden</h1>') },
];

export const primarySuccess = (data: unknown): Reply => jsonReply(200, { status: 'success', data });

/** A list, which this broker writes as null when it is empty. */
export const primaryList = (rows: readonly unknown[]): Reply =>
  primarySuccess(rows.length === 0 ? null : rows);

/** The same of a list that is read all day. */
export function createPrimaryList(): (rows: readonly unknown[]) => Reply {
  const textOf = createListText();
  return (rows) => {
    const data = rows.length === 0 ? 'null' : textOf(rows);
    return textReply(200, 'application/json', `{"status":"success","data":${data}}`);
  };
}

/** Paise to rupees. */
export const rupees = (paise: number): number => Math.round(paise * 100) / 10_000;

/** Paise to the text in rows. */
export const rupeeText = (paise: number): string => String(rupees(paise));
