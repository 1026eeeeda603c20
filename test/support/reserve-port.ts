import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReservedPort {
  readonly port: number;
  free(): Promise<void>;
}

/**
 * A port that is known before the gateway listens: the broker is told where to send the browser back
 * to. Held until `free`, so that nobody else is given it meanwhile.
 */
export async function reservePort(): Promise<ReservedPort> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, free: () => new Promise((resolve) => server.close(() => resolve())) };
}
