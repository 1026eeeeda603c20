import type { Refusal } from '../kernel/broker.ts';
import { createListText } from '../kernel/rendered.ts';
import type { Reply } from '../kernel/wire.ts';
import { jsonReply, textReply } from '../kernel/wire.ts';

export type KiteErrorType =
  | 'TokenException'
  | 'UserException'
  | 'OrderException'
  | 'InputException'
  | 'MarginException'
  | 'HoldingException'
  | 'NetworkException'
  | 'DataException'
  | 'GeneralException';

/** Thrown by a handler; the caller gets Kite's error envelope. */
export class KiteRefusal extends Error {
  readonly status: number;
  readonly errorType: KiteErrorType;

  constructor(status: number, errorType: KiteErrorType, message: string) {
    super(message);
    this.status = status;
    this.errorType = errorType;
  }
}

export const badInput = (message: string): KiteRefusal =>
  new KiteRefusal(400, 'InputException', message);

export const kiteError = (status: number, errorType: KiteErrorType, message: string): Reply =>
  jsonReply(status, { status: 'error', message, data: null, error_type: errorType });

export const kiteSuccess = (data: unknown): Reply => jsonReply(200, { status: 'success', data });

/** Success with a list that is read all day. */
export function createKiteList(): (rows: readonly unknown[]) => Reply {
  const textOf = createListText();
  return (rows) =>
    textReply(200, 'application/json', `{"status":"success","data":${textOf(rows)}}`);
}

const IN_ITS_OWN_WORDS: readonly (readonly [Refusal['means'], number, KiteErrorType, string])[] = [
  ['open', 400, 'InputException', 'Request took too long to process. Try after some time.'],
  ['open', 400, 'UserException', 'The server is busy. Check the order book.'],
  ['open', 400, 'OrderException', 'The order could not be confirmed. Check your holdings.'],
  ['open', 400, 'OrderException', 'Order request timed out. Please check the order book.'],
  ['known', 400, 'MarginException', 'Insufficient funds. Required margin is 100.00.'],
  ['known', 400, 'HoldingException', 'Insufficient holding quantity.'],
  ['known', 400, 'OrderException', 'RMS:Margin Exceeds,Required:10.00, Available:0.00'],
  ['known', 400, 'InputException', 'Invalid `quantity`.'],
  ['known', 429, 'NetworkException', 'Too many requests'],
  ['known', 400, 'UserException', 'Your account is dormant.'],
  ['known', 400, 'OrderException', 'Market orders are blocked for this instrument.'],
  ['known', 400, 'NetworkException', 'Maximum allowed order requests exceeded.'],
  ['known', 403, 'InputException', 'IP (10.1.2.3) is not allowed to place orders for this app.'],
  ['known', 403, 'TokenException', 'Incorrect `api_key` or `access_token`.'],
  ['unlisted', 400, 'OrderException', 'Declined by the order management of the member.'],
  ['unlisted', 400, 'InputException', 'This scrip is under surveillance.'],
  ['unlisted', 400, 'MarginException', 'Add money first.'],
  ['unlisted', 400, 'HoldingException', 'Authorise the sale first.'],
  ['unlisted', 403, 'UserException', 'Complete your KYC first.'],
  ['unlisted', 400, 'GeneralException', 'Oops.'],
  ['open', 400, 'OrderException', 'RMS: No response from exchange'],
  ['open', 400, 'MarginException', 'Order accepted; insufficient margin for another one'],
  ['open', 429, 'NetworkException', 'Too many requests: your order has been queued'],
  // Known words, under a status that says that a server stopped waiting or failed.
  ['open', 408, 'InputException', 'Invalid `quantity`.'],
  ['open', 499, 'OrderException', 'RMS:Margin Exceeds,Required:10.00, Available:0.00'],
  ['open', 500, 'GeneralException', 'Invalid `quantity`.'],
  ['open', 502, 'NetworkException', 'Insufficient funds. Required margin is 100.00.'],
  ['open', 503, 'NetworkException', 'Maximum allowed order requests exceeded.'],
  ['open', 504, 'OrderException', 'RMS:Margin Exceeds,Required:10.00, Available:0.00'],
];

/** Refusals of every kind. Fault rules name them by their place: new ones go to the end. */
export const kiteRefusals: readonly Refusal[] = [
  ...IN_ITS_OWN_WORDS.map(([means, status, errorType, message]) => ({
    means,
    reply: kiteError(status, errorType, message),
  })),
  // A server on the way answered in the broker's place.
  { means: 'open', reply: jsonReply(400, { status: 'error', message: 'Invalid `quantity`.' }) },
  { means: 'open', reply: textReply(403, 'text/html', '<h1>Forbidden</h1>') },
];

/** Paise to the rupees in Kite's JSON. */
export const rupees = (paise: number): number => Math.round(paise * 100) / 10_000;
