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

/** Paise to the rupees in Kite's JSON. */
export const rupees = (paise: number): number => Math.round(paise * 100) / 10_000;
