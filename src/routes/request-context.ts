import helmet from 'helmet';
import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../platform/clock.ts';
import type { IncomingMessage } from '../platform/http-server.ts';
import type { Ids } from '../platform/ids.ts';
import type { ElapsedMs } from '../units/branded.ts';
import type { ProblemPage } from './define-route.ts';

/** What later steps note about a request, for its line in the log. */
export interface RequestNotes {
  readonly requestId: string;
  readonly startedAt: ElapsedMs;
  /** The route's path as declared, never as requested. */
  pattern: string | null;
  /** Makes the page of a problem, where the route has pages and a person asks; null otherwise. */
  page: ProblemPage | null;
  caller: string | null;
  /** Whether a handler that could change something has begun. */
  changing: boolean;
}

declare module 'express-serve-static-core' {
  interface Locals {
    notes: RequestNotes;
  }
}

export function notesOf(response: Response): RequestNotes {
  return response.locals.notes;
}

/** Allows no resources and no frames; `style` is the nonce of the page's own style. */
export function contentPolicy(style: string | null) {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      ...(style === null ? {} : { styleSrc: [`'nonce-${style}'`] }),
    },
  });
}

/** The headers of a JSON answer of so many bytes, names and values in turn: as Node's writeHead takes them. */
export type JsonHead = (requestId: string, length: number) => string[];

export interface RequestContext {
  readonly handler: RequestHandler;
  readonly jsonHead: JsonHead;
  /** When a request came that is handed to `handler` later than that. */
  began(request: IncomingMessage, at: ElapsedMs): void;
}

/**
 * Gives each request its context: an id, a start time, and notes for the log. Sets the headers of
 * every answer, refusals included: the id, and headers that restrict what browsers do with it.
 */
export function createRequestContext({ ids, clock }: { ids: Ids; clock: Clock }): RequestContext {
  // No Strict-Transport-Security: the gateway speaks plain HTTP on loopback.
  const secure = helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
  const handlers = [secure, contentPolicy(null)];
  let headers: Map<string, HeaderValue> | null = null;
  let pairs: readonly string[] = [];
  const begun = new WeakMap<IncomingMessage, ElapsedMs>();
  return {
    handler(request, response, next) {
      if (headers === null) {
        headers = headersOf(handlers, request, response);
        const fixed = [
          ...headers,
          ['Cache-Control', NO_STORE],
          ['Content-Type', JSON_TYPE],
        ] as const;
        pairs = fixed.flatMap(([name, value]) => [name, String(value)]);
      }
      const notes: RequestNotes = {
        requestId: ids.uuid7(clock.now()),
        startedAt: begun.get(request) ?? clock.elapsed(),
        pattern: null,
        page: null,
        caller: null,
        changing: false,
      };
      response.locals.notes = notes;
      response.set('X-Request-Id', notes.requestId);
      response.set('Cache-Control', NO_STORE);
      response.setHeaders(headers);
      next();
    },
    began: (request, at) => void begun.set(request, at),
    jsonHead: (requestId, length) =>
      ['X-Request-Id', requestId, 'Content-Length', String(length)].concat(pairs),
  };
}

const NO_STORE = 'no-store';
export const JSON_TYPE = 'application/json; charset=utf-8';

type Handler = (request: Request, response: Response, next: () => void) => void;
type HeaderValue = string | number | readonly string[];

/** The headers that the handlers set. They are the same for every request, so this runs once. */
function headersOf(
  handlers: readonly Handler[],
  request: Request,
  response: Response,
): Map<string, HeaderValue> {
  const before = response.getHeaderNames();
  for (const handler of handlers) handler(request, response, () => undefined);
  const headers = new Map<string, HeaderValue>();
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined && !before.includes(name)) headers.set(name, value);
  }
  return headers;
}
