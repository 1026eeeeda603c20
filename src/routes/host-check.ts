import type { RequestHandler } from 'express';
import { GatewayProblem } from '../domain/problem.ts';

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
