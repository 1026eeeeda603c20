import type { Request, RequestHandler } from 'express';
import { GatewayProblem } from '../domain/problem.ts';

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
