import type { Request } from 'express';
import { allows, type Caller } from '../callers/caller.ts';
import type { Callers } from '../callers/callers.ts';
import type { FailureLimiter } from '../callers/failure-limiter.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { RouteScope } from './define-route.ts';

export type Authenticate = (request: Request, scope: RouteScope) => Caller | null;

/**
 * Finds out who calls, and whether the key's scope covers the route's. A request without a key is
 * not counted as a failure: any page can make a browser send one.
 */
export function createAuthenticate(
  callers: Pick<Callers, 'authenticate'>,
  failures: FailureLimiter,
): Authenticate {
  return (request, scope) => {
    if (scope === 'none') return null;
    const header = request.headers.authorization;
    const caller = callers.authenticate(header);
    if (!caller) throw refusal(request, header);
    if (!allows(caller.scope, scope)) {
      throw new GatewayProblem({
        code: 'forbidden',
        detail: `This needs a key of scope ${scope}; the key given has scope ${caller.scope}.`,
      });
    }
    return caller;
  };

  function refusal(request: Request, header: string | undefined): GatewayProblem {
    if (header === undefined) {
      return new GatewayProblem({
        code: 'unauthorized',
        detail: 'Send a key: Authorization: Bearer <key>.',
      });
    }
    const retryAfterMs = failures.failed(request.socket.remoteAddress ?? 'unknown');
    if (retryAfterMs > 0) {
      const detail = 'Too many wrong keys from this address.';
      return new GatewayProblem({ code: 'too_many_requests', detail, retryAfterMs });
    }
    return new GatewayProblem({ code: 'unauthorized', detail: 'The key given is not valid.' });
  }
}
