import type { Request, RequestHandler } from 'express';
import { allows, type Caller, type Scope } from '../callers/caller.ts';
import type { Callers } from '../callers/callers.ts';
import type { FailureLimiter } from '../callers/failure-limiter.ts';
import { PAGE_TOKEN, type SignIns } from '../callers/sign-ins.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { IncomingMessage } from '../platform/http-server.ts';
import { cookieOf, KEY_COOKIE } from './cookies.ts';
import type { Route } from './define-route.ts';
import type { StreamTickets } from './stream-tickets.ts';

/** Who sends a request, and whether the key by which that is known is still valid. */
export interface Identified<C = Caller> {
  readonly caller: C;
  readonly holds: () => boolean;
}

export type Authenticate = (
  request: Request,
  route: Pick<Route, 'scope' | 'keyElsewhere'>,
) => Identified<Caller | null>;

/**
 * Where a browser has the half of its sign-in that no script reads (docs/dashboard.md). Cookies are those of all ports
 * of a machine: the port in the name keeps two gateways apart.
 */
export function signInCookie(host: string | undefined): string {
  const port = /:(\d+)$/.exec(host ?? '')?.[1];
  return port === undefined ? 'altbroker_sign_in' : `altbroker_sign_in_${port}`;
}

/** The token of a page in a value of Authorization; null where that has none. */
export function pageTokenOf(header: string | undefined): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  return token?.startsWith(PAGE_TOKEN) ? token : null;
}

/**
 * Identifies the caller, and checks that the key's scope covers the route's. A request without a
 * key does not count as a failure: any web page can make a browser send one.
 */
export function createAuthenticate(
  callers: Pick<Callers, 'authenticate'>,
  failures: FailureLimiter,
  tickets: Pick<StreamTickets, 'redeem'>,
  signIns: Pick<SignIns, 'find'>,
): Authenticate {
  return (request, { scope, keyElsewhere }) => {
    if (scope === 'none') return { caller: null, holds: () => true };
    const found = keyElsewhere === true ? byTicket(request) : null;
    const identified = found ?? byKey(request, keyElsewhere === true);
    mustAllow(identified.caller, scope, 'this');
    return identified;
  };

  function byKey(request: Request, mayBeCookie: boolean): Identified {
    const header = request.headers.authorization ?? (mayBeCookie ? ownCookie(request) : undefined);
    const token = pageTokenOf(header);
    if (token !== null) return bySignIn(request, token);
    const caller = callers.authenticate(header);
    if (!caller) throw refusal(request, header);
    return { caller, holds: () => callers.authenticate(header)?.id === caller.id };
  }

  /** A page that is open since before counts as no wrong key: it asks again until a person signs in. */
  function bySignIn(request: Request, token: string): Identified {
    const { cookie, host } = request.headers;
    const half = cookieOf(cookie, signInCookie(host));
    const found = signIns.find(token, half);
    if (!found || !sameSite(request) || !sameOrigin(request)) throw unauthorized(SIGNED_OUT);
    const { caller } = found;
    return { caller, holds: () => signIns.find(token, half)?.caller.id === caller.id };
  }

  function byTicket(request: Request): Identified | null {
    const { ticket } = request.query;
    if (request.headers.authorization !== undefined || ticket === undefined) return null;
    const found = typeof ticket === 'string' ? tickets.redeem(ticket) : null;
    if (found) return found;
    throw tooMany(request) ?? unauthorized(USED_UP);
  }

  function refusal(request: Request, header: string | undefined): GatewayProblem {
    if (header === undefined) {
      return unauthorized('A key is required: send the header Authorization: Bearer <key>.');
    }
    return (
      tooMany(request) ??
      unauthorized('The key is not valid: check the header Authorization: Bearer <key>.')
    );
  }

  /** Counts a wrong key; null while there are not too many of them. */
  function tooMany(request: Request): GatewayProblem | null {
    const retryAfterMs = failures.failed(request.socket.remoteAddress ?? 'unknown');
    if (retryAfterMs <= 0) return null;
    const detail = 'Too many wrong keys came from this address: wait, then send a valid key.';
    return new GatewayProblem({ code: 'too_many_requests', detail, retryAfterMs });
  }
}

const USED_UP =
  'The ticket is not valid: it is older than 30 s, or was used already. Get another one by ' +
  'POST /api/v1/stream/tickets.';

const SIGNED_OUT =
  'The sign-in of this page has ended: sign in again with a link of `altbroker-gateway open`.';

const unauthorized = (detail: string): GatewayProblem =>
  new GatewayProblem({ code: 'unauthorized', detail });

/**
 * The key in a cookie, as a value of Authorization. Browsers add the cookie to requests of any page: it counts
 * from pages of this origin alone, which browsers name in Origin or in Sec-Fetch-Site.
 */
function ownCookie(request: Request): string | undefined {
  const key = cookieOf(request.headers.cookie, KEY_COOKIE);
  if (key === null) return undefined;
  const isNamed =
    request.headers.origin !== undefined || request.headers['sec-fetch-site'] === 'same-origin';
  if (isNamed && sameSite(request) && sameOrigin(request)) return `Bearer ${key}`;
  throw foreignOrigin();
}

const foreignOrigin = (): GatewayProblem =>
  new GatewayProblem({
    code: 'foreign_origin',
    detail:
      'The request comes from a web page of another origin: send it from a program, or ' +
      'from a page of the gateway.',
  });

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
    if (isAllowedHost(request, allowedHosts())) return next();
    throw new GatewayProblem({
      code: 'wrong_host',
      detail: 'The Host header is not on the list of allowed hosts: add it to APP_ALLOWED_HOSTS.',
    });
  };
}

export function isAllowedHost({ headers }: IncomingMessage, allowed: readonly string[]): boolean {
  const host = headers.host?.toLowerCase();
  return host !== undefined && allowed.includes(host);
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
    throw foreignOrigin();
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
