import type { Reply } from '../kernel/wire.ts';
import { jsonReply } from '../kernel/wire.ts';

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

/** Texts of errors that leave it open whether the order was taken. */
export const kiteOpenAnswers = [
  'Request took too long to process. Try after some time.',
  'The server is busy. Check the order book.',
  'The order could not be confirmed. Check your holdings.',
  'Order request timed out. Please check the order book.',
] as const;

/** Refusals of every kind: texts that leave it open, and known texts. */
export const kiteRefusals: readonly Reply[] = [
  kiteError(400, 'InputException', kiteOpenAnswers[0]),
  kiteError(400, 'UserException', kiteOpenAnswers[1]),
  kiteError(400, 'OrderException', kiteOpenAnswers[2]),
  kiteError(400, 'OrderException', kiteOpenAnswers[3]),
  kiteError(400, 'MarginException', 'Insufficient funds. Required margin is 100.00.'),
  kiteError(400, 'HoldingException', 'Insufficient holding quantity.'),
  kiteError(400, 'OrderException', 'RMS:Margin Exceeds,Required:10.00, Available:0.00'),
  kiteError(400, 'InputException', 'Invalid `quantity`.'),
  kiteError(429, 'NetworkException', 'Too many requests'),
];

/** Paise to the rupees in Kite's JSON. */
export const rupees = (paise: number): number => Math.round(paise * 100) / 10_000;
