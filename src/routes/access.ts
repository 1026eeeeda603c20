import type { Request, RequestHandler } from 'express';
import { allows, type Caller, type Scope } from '../callers/caller.ts';
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
    mustAllow(caller, scope, 'this');
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

/** Throws `forbidden` where the key's scope does not cover `needed`; `what` names what needs it. */
export function mustAllow({ scope }: Caller, needed: Scope, what: string): void {
  if (allows(scope, needed)) return;
  throw new GatewayProblem({
    code: 'forbidden',
    detail: `The key has scope ${scope}, and ${what} needs scope ${needed}: use a key of that scope.`,
    mayHaveExecuted: false,
  });
}

/**
 * The values of Host that the main listener accepts: loopback with its port, and those of the
 * settings.
 */
export function hostsOf(port: number, own: readonly string[] = []): readonly string[] {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  // Clients omit the port where it is the scheme's default.
  const plain = port === 80 ? loopback : [];
  return [...loopback.map((host) => `${host}:${port}`), ...plain, ...own];
}

/**
 * Refuses requests whose Host is not on the list: a web page whose name was re-bound to this
 * machine's address sends that name (docs/security.md).
 */
export function hostCheck(allowedHosts: () => readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const host = request.headers.host?.toLowerCase();
    if (host !== undefined && allowedHosts().includes(host)) return next();
    throw new GatewayProblem({
      code: 'wrong_host',
      detail: 'The Host header is not on the list of allowed hosts: add it to APP_ALLOWED_HOSTS.',
    });
  };
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests of web pages of another origin that would change something. Browsers send the
 * origin of a request; programs send none, and pass. The login's callback is a GET and is exempt:
 * it is a navigation from the broker's page, and its one-time state protects it.
 */
export function originCheck(): RequestHandler {
  return (request, _response, next) => {
    if (READING.has(request.method) || (sameSite(request) && sameOrigin(request))) return next();
    throw new GatewayProblem({
      code: 'foreign_origin',
      detail:
        'The request comes from a web page of another origin: send it from a program, or ' +
        'from a page of the gateway.',
    });
  };
}

/**
 * Throws unless a person opens the address. Browsers say so of every request, in Sec-Fetch-Mode beside
 * Sec-Fetch-Site; other programs say nothing, and pass. Node's fetch says `cors` without a site.
 */
export function checkNavigation(request: Request): void {
  const mode = request.headers['sec-fetch-mode'];
  const isNodeFetch = mode === 'cors' && request.headers['sec-fetch-site'] === undefined;
  if (mode === undefined || mode === 'navigate' || isNodeFetch) return;
  throw new GatewayProblem({
    code: 'foreign_origin',
    detail: 'A web page loaded this address by itself: open it in the browser, as a link.',
  });
}

function sameSite(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

function sameOrigin(request: Request): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && from === host?.toLowerCase();
}
