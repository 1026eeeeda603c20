import type { BrokerOrderId } from '../units/branded.ts';
import type { BrokerId } from './broker.ts';

/**
 * A postback with a correct checksum: a hint to read an order again, never a record of its state.
 */
export interface PostbackHint {
  readonly broker: BrokerId;
  readonly brokerOrderId: BrokerOrderId;
  /** What the checksum vouches for, as the start of the digest: of one subject, a few are kept. */
  readonly subject: string;
  /** Identifies the message: a repeat has the same one. */
  readonly digest: string;
  /** At most 32 characters. */
  readonly rawStatus: string;
}

export type PostbackReading =
  | { readonly kind: 'genuine'; readonly hint: PostbackHint }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'forged' };

export interface PostbackReader {
  readonly broker: BrokerId;
  /** `body` is the raw text as received. Never throws. */
  readPostback(body: string): PostbackReading;
}
