import express, { type Express, type RequestHandler } from 'express';
import type { Callers } from '../callers/callers.ts';
import { createFailureLimiter } from '../callers/failure-limiter.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { RequestListener } from '../platform/http-server.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { allRoutes, type RouteParts } from './all-routes.ts';
import { answerError } from './answers.ts';
import { createAuthenticate, hostCheck, originCheck } from './access.ts';
import { expressPath, mountRoute } from './mount-route.ts';
import type { Route } from './define-route.ts';
import { ALL_LINES, createLogLineLimit, type LogLineLimit } from './log-line-limit.ts';
import { observeRequests, type ObservedRequest } from './observe-requests.ts';
import { postbackRoute } from './postback.ts';
import { createRepeatedReads } from './repeated-reads.ts';
import { createRequestContext, notesOf } from './request-context.ts';
import { createRequestLog, type PinoLogger } from './request-log.ts';
import { hookRoute } from './signals.ts';

export interface AppParts extends RouteParts {
  readonly callers: Pick<Callers, 'authenticate'>;
  readonly ids: Ids;
  readonly log: Log;
  readonly pino: PinoLogger;
  /** The header in which a tunnel says from where an alert comes; null where none is believed. */
  readonly forwardedHeader?: string | null;
  /** Routes of the main listener that are not in the OpenAPI document; none when absent. */
  readonly ownRoutes?: readonly Route[];
  /** Told of each request once it is answered. */
  readonly observe?: (request: ObservedRequest) => void;
  /**
   * Values of Host that the main listener accepts; called for each request, since the port is known
   * late (`hostsOf`).
   */
  readonly allowedHosts: () => readonly string[];
}

export interface Apps {
  /** Every route, for the hosts of the list. */
  readonly main: RequestListener;
  /** Only the postback route, for any host: a tunnel may lead here. */
  readonly postback: RequestListener;
  /** Only the route of hooks, for any host. */
  readonly hooks: RequestListener;
  /** What `main` leads to, where a request repeats none. */
  readonly application: Express;
}

/** The HTTP applications of the gateway. Nothing listens yet: `listen` in platform/http-server.ts does. */
export function createApp(parts: AppParts): Apps {
  const checks = [hostCheck(parts.allowedHosts), originCheck()];
  const routes = [...allRoutes(parts), ...(parts.ownRoutes ?? [])];
  const throughTunnel = (route: Route): AppRoutes => ({
    ...{ checks: [originCheck()], routes: [route], lines: createLogLineLimit(parts.clock) },
  });
  const { application, main } = appOf({ checks, routes, lines: ALL_LINES }, parts);
  return {
    ...{ application, main },
    postback: appOf(throughTunnel(postbackRoute(parts.gateway)), parts).main,
    hooks: appOf(throughTunnel(hookRoute(parts.signals, parts.forwardedHeader ?? null)), parts)
      .main,
  };
}

interface AppRoutes {
  readonly checks: readonly RequestHandler[];
  readonly routes: readonly Route[];
  readonly lines: LogLineLimit;
}

function appOf(
  { checks, routes, lines }: AppRoutes,
  parts: AppParts,
): Pick<Apps, 'application' | 'main'> {
  const { callers, clock, ids, log, pino, tickets, signIns } = parts;
  const failures = createFailureLimiter(clock);
  const authenticate = createAuthenticate(callers, failures, tickets, signIns);
  const context = createRequestContext({ ids, clock });
  const requestLog = createRequestLog(pino, clock, lines);
  const repeated = createRepeatedReads({
    ...{ callers, ids, clock, allowedHosts: parts.allowedHosts, context },
    ...{ log: requestLog, observe: parts.observe ?? (() => undefined) },
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.use(context.handler);
  if (parts.observe) app.use(observeRequests(parts.observe, clock));
  app.use(requestLog.handler, ...checks);
  for (const route of routes) mountRoute(app, route, { authenticate, ids, repeated });
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(expressPath(path), wrongMethod(path, methods.join(', ')));
  }
  app.use(() => {
    const detail = 'No route has this path; /docs lists them.';
    throw new GatewayProblem({ code: 'not_found', detail });
  });
  app.use(answerError(log, () => ids.secret(16)));
  return { application: app, main: repeated.before(app) };
}

function wrongMethod(path: string, methods: string): RequestHandler {
  return (_request, response) => {
    notesOf(response).pattern = path;
    response.set('Allow', methods);
    const detail = `This path takes ${methods}.`;
    throw new GatewayProblem({ code: 'method_not_allowed', detail });
  };
}

/** HEAD is answered by the route of GET, unless it takes GET only. */
function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method, only } of routes) {
    const methods = byPath.get(path) ?? [];
    methods.push(...(method === 'GET' && !only ? ['GET', 'HEAD'] : [method]));
    byPath.set(path, methods);
  }
  return byPath;
}
