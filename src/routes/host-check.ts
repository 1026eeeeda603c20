import type { RequestHandler } from 'express';
import { GatewayProblem } from '../domain/problem.ts';

/** The values of Host that the main listener takes: loopback with its port, and the owner's own. */
export function hostsOf(port: number, own: readonly string[] = []): readonly string[] {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  // Clients leave the port out where it is the scheme's own.
  const plain = port === 80 ? loopback : [];
  return [...loopback.map((host) => `${host}:${port}`), ...plain, ...own];
}

/**
 * Answers nothing under a name that is not on the list: a page whose name was re-bound to this
 * machine's address has that name in Host (docs/security.md).
 */
export function hostCheck(allowedHosts: () => readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const host = request.headers.host?.toLowerCase();
    if (host !== undefined && allowedHosts().includes(host)) return next();
    throw new GatewayProblem({
      code: 'wrong_host',
      detail: 'The Host of the request is not on the list; APP_ALLOWED_HOSTS adds to it.',
    });
  };
}
