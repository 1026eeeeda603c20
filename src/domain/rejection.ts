/** The classes of refusal that a protective exit distinguishes (docs/spec/outcomes.md). */
export const REJECTION_CLASSES = [
  'rate_limited',
  'price',
  'market_blocked',
  'auth',
  /** The broker takes orders from registered addresses alone, and this computer has another one. */
  'address',
  /** The sale of holdings has to be authorised first, in the broker's app (TPIN). */
  'authorise_holdings',
  'not_sent',
  'other',
] as const;
export type RejectionClass = (typeof REJECTION_CLASSES)[number];
