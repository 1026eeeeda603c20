import type { Reply } from '../kernel/wire.ts';
import { jsonReply } from '../kernel/wire.ts';

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

/** Refusals of every kind: known texts, texts of a time-out, and texts that leave it open. */
export const primaryRefusals: readonly Reply[] = [
  ['OrderException', 'Request timed out. Please check before placing again.'],
  ['OrderException', 'No response from the exchange.'],
  ['DataException', 'Something went wrong while placing the order.'],
  ['OrderException', 'RMS: Margin exceeds, Required: 10.00, Available: 0.00'],
  ['OrderException', 'The instrument is not tradable.'],
  ['InputException', 'Invalid value for qty'],
].map(([errorType, message]) =>
  jsonReply(400, { status: 'error', message, error_type: errorType }),
);

export const primarySuccess = (data: unknown): Reply => jsonReply(200, { status: 'success', data });

/** A list, which this broker writes as null when it is empty. */
export const primaryList = (rows: readonly unknown[]): Reply =>
  primarySuccess(rows.length === 0 ? null : rows);

/** Paise to rupees. */
export const rupees = (paise: number): number => Math.round(paise * 100) / 10_000;

/** Paise to the text in rows. */
export const rupeeText = (paise: number): string => String(rupees(paise));
