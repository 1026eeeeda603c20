import type { RequestHandler } from 'express';
import type { Clock } from '../platform/clock.ts';
import { notesOf } from './request-context.ts';

/** One answered request: its route as declared, never as requested; null where there is none. */
export interface ObservedRequest {
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
}

/** Methods that are told apart; a client can send any word as one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Tells of each request once it is answered, or its connection has ended. */
export function observeRequests(
  observe: (request: ObservedRequest) => void,
  clock: Clock,
): RequestHandler {
  return (request, response, next) => {
    response.once('close', () => {
      const { pattern: route, startedAt } = notesOf(response);
      const method = METHODS.has(request.method) ? request.method : 'other';
      observe({ method, route, status: response.statusCode, ms: clock.elapsed() - startedAt });
    });
    next();
  };
}
