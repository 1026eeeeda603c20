import type { BrokerName } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './routes.ts';
import type { Reply, WireRequest } from './wire.ts';

/**
 * A refusal of a request to place an order. `known`: words that the broker's documentation or its users
 * name as one. `unlisted`: its own words, which nobody has named. `open`: words, or a status, that leave it
 * open whether the broker has the order.
 */
export interface Refusal {
  readonly means: 'known' | 'unlisted' | 'open';
  readonly reply: Reply;
}

/** What the sandbox needs of a broker. */
export interface Broker {
  name: BrokerName;
  origin: string;
  routes: readonly Route[];
  log: RequestLog;
  /** False when the request broke the limit of its category. */
  admit(category: string, at: number): boolean;
  /** The reply that refuses the call when the caller may not make it; null when it may. */
  authorize(request: WireRequest, route: Route): Reply | null;
  /** The broker's error envelope for a refusal that a handler threw; null for any other error. */
  refusal(error: unknown): Reply | null;
  /** The broker's error envelope with this status, for faults. */
  errorReply(status: number, message: string): Reply;
  /** The broker's answer to a request above the limit. */
  tooMany(): Reply;
  /** A 2xx that reports a failure. */
  lyingReply(): Reply;
  /** Refusals of every kind, as the broker words them. */
  refusals: readonly Refusal[];
  /** The ids in its book of today, oldest first. */
  bookIds(): readonly { orderId: string; byHand: boolean; ended: boolean }[];
  killTokens(): void;
}
