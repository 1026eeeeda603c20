import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { RequestNotes } from './request-log.ts';
import { contentPolicy } from './reply-writer.ts';

/**
 * Gives each request its context: an id, a start time, and notes for the log. Sets the headers of
 * every answer, refusals included: the id, and headers that restrict what browsers do with it.
 */
export function createRequestContext({ ids, clock }: { ids: Ids; clock: Clock }): RequestHandler {
  // No Strict-Transport-Security: the gateway speaks plain HTTP on loopback.
  const secure = helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
  const headers = headersOf(secure, contentPolicy(null));
  return (_request, response, next) => {
    const notes: RequestNotes = {
      requestId: ids.uuid7(clock.now()),
      startedAt: clock.elapsed(),
      pattern: null,
      caller: null,
      changing: false,
    };
    Object.assign(response.locals, notes);
    response.set('X-Request-Id', notes.requestId);
    response.set('Cache-Control', 'no-store');
    response.setHeaders(headers);
    next();
  };
}

type Handler = (request: Request, response: Response, next: () => void) => void;

/** The headers that the handlers set. They are the same for every request, so this runs once. */
function headersOf(...handlers: readonly Handler[]): Map<string, string> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  } as unknown as Response;
  for (const handler of handlers) handler({} as Request, response, () => undefined);
  return headers;
}
