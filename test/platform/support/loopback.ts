import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Cancel, Scheduler } from '../../../src/platform/clock.ts';

/** A server of raw bytes: the test decides what it does with each request. */
export interface Loopback extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** Whole requests as they came, head and body. */
  readonly requests: string[];
  /** All connections so far. */
  connections(): number;
  /** Connections that are open. */
  open(): number;
  /** Closes all connections, and keeps listening. */
  closeAll(): void;
  /** Sends on every connection, also without a request. */
  say(text: string): void;
}

/** `answer` runs once for each whole request; a request is whole when its body has arrived. */
export async function loopback(
  answer: (socket: Socket, request: string) => void,
): Promise<Loopback> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = wholeRequest(text); end !== null; end = wholeRequest(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        requests.push(request);
        answer(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    say: (text) => sockets.forEach((socket) => socket.write(text)),
    closeAll: () => sockets.forEach((socket) => socket.destroy()),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The index at which the first request of a text ends; null while it is not whole. */
function wholeRequest(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = /^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? '0';
  const end = head + 4 + Number(length);
  return text.length >= end ? end : null;
}

/** A reply with a whole body; the connection stays open. */
export function reply(body: string, head = '200 OK', ...headers: string[]): string {
  const lines = [`HTTP/1.1 ${head}`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A scheduler for tests with real sockets: deadlines pass when the test says so. */
export interface HandScheduler extends Scheduler {
  /** Lets every set deadline pass, or only those of these lengths (ms). */
  expire(delays?: readonly number[]): void;
  /** The lengths of the pending deadlines, ms. */
  readonly delays: readonly number[];
}

export function handScheduler(): HandScheduler {
  const set = new Map<() => void, number>();
  return {
    after(ms, run): Cancel {
      set.set(run, ms);
      return () => void set.delete(run);
    },
    endOfTurn: (run) => void setImmediate(run),
    expire(delays) {
      for (const [run, ms] of [...set]) {
        if (delays && !delays.includes(ms)) continue;
        set.delete(run);
        run();
      }
    },
    get delays() {
      return [...set.values()];
    },
  };
}
