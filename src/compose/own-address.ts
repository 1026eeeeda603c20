import type { ServerSettings } from '../config/settings.ts';

/** Where a browser reaches the gateway that listens on `port`; no slash at the end. */
export function ownAddress(
  { host, publicUrl }: Pick<ServerSettings, 'host' | 'publicUrl'>,
  port: number,
): string {
  return publicUrl ?? `http://${reachable(host)}:${port}`;
}

/** Where the user logs in. */
export function loginUrlOf(
  server: Pick<ServerSettings, 'host' | 'publicUrl'>,
  port: number,
): string {
  return `${ownAddress(server, port)}/api/altbroker/login`;
}

/** The host to open in a browser, for the host to listen on, which may mean every address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
