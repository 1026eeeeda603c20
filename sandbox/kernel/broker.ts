import type { BrokerName } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './routes.ts';
import type { Reply, WireRequest } from './wire.ts';

/** What the sandbox needs of a broker; everything else about it is its own. */
export interface Broker {
  name: BrokerName;
  origin: string;
  routes: readonly Route[];
  log: RequestLog;
  /** False when the request broke the limit of its category. */
  admit(category: string, at: number): boolean;
  /** A refusal when the caller may not make this call; null when it may. */
  authorize(request: WireRequest, route: Route): Reply | null;
  /** Turns what a handler threw into the broker's own error envelope; null when it is no refusal. */
  refusal(error: unknown): Reply | null;
  /** The broker's envelope for an error of this status, as faults need it. */
  errorReply(status: number, message: string): Reply;
  /** The broker's answer to a request above the limit. */
  tooMany(): Reply;
  /** A 2xx that reports a failure. */
  lyingReply(): Reply;
  killTokens(): void;
}
