import type { Request } from 'express';
import { allows, type Caller } from '../callers/caller.ts';
import type { Callers } from '../callers/callers.ts';
import type { FailureLimiter } from '../callers/failure-limiter.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { RouteScope } from './define-route.ts';

export type Authenticate = (request: Request, scope: RouteScope) => Caller | null;

/**
 * Identifies the caller, and checks that the key's scope covers the route's. A request without a
 * key does not count as a failure: any web page can make a browser send one.
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
        detail: `The key has scope ${caller.scope}, and this needs scope ${scope}: use a key of that scope.`,
      });
    }
    return caller;
  };

  function refusal(request: Request, header: string | undefined): GatewayProblem {
    if (header === undefined) {
      return new GatewayProblem({
        code: 'unauthorized',
        detail: 'A key is required: send the header Authorization: Bearer <key>.',
      });
    }
    const retryAfterMs = failures.failed(request.socket.remoteAddress ?? 'unknown');
    if (retryAfterMs > 0) {
      const detail = 'Too many wrong keys came from this address: wait, then send a valid key.';
      return new GatewayProblem({ code: 'too_many_requests', detail, retryAfterMs });
    }
    return new GatewayProblem({
      code: 'unauthorized',
      detail: 'The key is not valid: check the ' + 'header Authorization: Bearer <key>.',
    });
  }
}
