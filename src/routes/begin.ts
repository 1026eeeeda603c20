import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { RequestNotes } from './request-log.ts';
import { contentPolicy } from './send.ts';

/** What every answer has, refusals included: an id, and headers that keep browsers tight. */
export function begin({ ids, clock }: { ids: Ids; clock: Clock }): RequestHandler {
  // No Strict-Transport-Security: the gateway speaks plain HTTP on loopback.
  const secure = helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
  const policy = contentPolicy(null);
  return (request, response, next) => {
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
    policy(request, response, () => secure(request, response, next));
  };
}
