import type { Reply } from '../kernel/wire.ts';
import { jsonReply } from '../kernel/wire.ts';

/** Thrown by a handler; leaves with the body it carries, for this broker has several envelopes. */
export class PrimaryRefusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body['message'] ?? body['error'] ?? 'refused'));
    this.status = status;
    this.body = body;
  }
}

/** The envelope of the documentation. */
export const refused = (status: number, errorType: string, message: string): PrimaryRefusal =>
  new PrimaryRefusal(status, { status: 'error', message, error_type: errorType });

/** The same with the key that the conventions page shows. */
export const refusedByCode = (status: number, code: string, message: string): PrimaryRefusal =>
  new PrimaryRefusal(status, { status: 'error', message, error_code: code });

/** "Bad Request", with the reason where nobody looks. */
export const badRequest = (reason: string): PrimaryRefusal =>
  new PrimaryRefusal(400, { debug_info: reason, message: 'Bad Request' });

/** The gate's own envelope. */
export const turnedAway = (status: number, message: string): Reply =>
  jsonReply(status, { message, success: false });

export const primarySuccess = (data: unknown): Reply => jsonReply(200, { status: 'success', data });

/** A list, which this broker writes as null when it is empty. */
export const primaryList = (rows: readonly unknown[]): Reply =>
  primarySuccess(rows.length === 0 ? null : rows);

/** Paise to rupees. */
export const rupees = (paise: number): number => Math.round(paise * 100) / 10_000;

/** Paise to the text that rows carry. */
export const rupeeText = (paise: number): string => String(rupees(paise));
