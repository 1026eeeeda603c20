import type { Request, RequestHandler } from 'express';
import { GatewayProblem } from '../domain/problem.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what a page of another origin sends to change something. Browsers say where a request
 * comes from; programs say nothing, and pass. The login's callback is a GET and is not concerned:
 * it is a navigation from the broker's page by its nature, and has its one-time state.
 */
export function originCheck(): RequestHandler {
  return (request, _response, next) => {
    if (READING.has(request.method) || (sameSite(request) && sameOrigin(request))) return next();
    throw new GatewayProblem({
      code: 'foreign_origin',
      detail: 'The request comes from a page of another origin.',
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
