import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { systemClock, type Clock } from './clock.ts';
import type { Cancel, Scheduler } from './scheduler.ts';

/** No server ends a connection sooner that has not asked anything yet. */
const READY_FOR_MS = 1_000;
/** Bounds what is opened for requests that are never made. */
const MOST_READY = 10;
const CONNECT_MS = 10_000;

/** Marks what failed before there was a connection: the one proof that nothing was sent. */
export class ConnectFailure extends Error {
  readonly cause_code: string;
  constructor(error: Error & { code?: string }) {
    super(error.message || String(error.code ?? error.name), { cause: error });
    this.cause_code = error.code ?? error.name;
  }
}

/** How connections are opened; errors are ConnectFailures. Sessions of TLS are resumed. */
export function connector(ipv4: boolean): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, ...(ipv4 ? { family: 4 } : {}) });
  return (options, callback) =>
    // The socket that has begun to connect is given back, which the library's types do not say.
    connect(options, (error, socket) => {
      if (error) callback(new ConnectFailure(error), null);
      else callback(null, socket);
    });
}

/** Connections that carry one request each: opened when it comes, or a moment before. */
export interface OneUseConnections {
  /**
   * Opens one for a request that is about to come. It is closed when none has come within a second,
   * or when the server closes it first.
   */
  openAhead(url: string, ipv4: boolean): void;
  /** One that has carried nothing; rejects with a ConnectFailure. */
  take(url: string, ipv4: boolean): Promise<Socket>;
  close(): void;
}

interface Ready {
  readonly opening: Promise<Socket>;
  /** Elapsed ms. */
  readonly openedAt: number;
  readonly cancelExpiry: Cancel;
  /** Closes it, also while it is being opened. */
  readonly close: () => void;
  /** Null until it is open. */
  socket: Socket | null;
  failed: boolean;
}

export function createOneUseConnections(
  scheduler: Scheduler,
  clock: Clock = systemClock,
): OneUseConnections {
  const connectors = { any: connector(false), ipv4: connector(true) };
  const ready = new Map<string, Ready[]>();
  let closed = false;

  function open(url: URL, ipv4: boolean): Pick<Ready, 'opening' | 'close'> {
    const { protocol, host, port } = url;
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    let begun: unknown;
    const opening = new Promise<Socket>((resolve, reject) => {
      begun = connectors[ipv4 ? 'ipv4' : 'any'](
        { protocol, host, hostname, port },
        (error, socket) => {
          if (error) reject(error);
          else resolve(socket);
        },
      );
    });
    return { opening, close: () => void (begun as Socket | undefined)?.destroy() };
  }

  function isUsable({ socket, failed, openedAt }: Ready): boolean {
    // A timer comes late where the thread was busy; the server's does not.
    if (failed || clock.elapsed() - openedAt > READY_FOR_MS) return false;
    if (socket === null) return true;
    // What has come unasked would be taken for the answer.
    return !socket.destroyed && socket.writable && socket.readableLength === 0;
  }

  function discard({ cancelExpiry, close }: Ready): void {
    cancelExpiry();
    close();
  }

  return {
    openAhead(url, ipv4) {
      if (closed || !URL.canParse(url)) return;
      const target = new URL(url);
      const waiting = waitingFor(ready, target, ipv4);
      if (waiting.length >= MOST_READY) return;
      const mine: Ready = {
        ...open(target, ipv4),
        openedAt: clock.elapsed(),
        cancelExpiry: scheduler.after(READY_FOR_MS, () => {
          waiting.splice(waiting.indexOf(mine), 1);
          discard(mine);
        }),
        socket: null,
        failed: false,
      };
      mine.opening.then(
        (socket) => (mine.socket = socket),
        () => (mine.failed = true),
      );
      waiting.push(mine);
    },

    take(url, ipv4) {
      const target = new URL(url);
      const waiting = waitingFor(ready, target, ipv4);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!isUsable(next)) {
          discard(next);
          continue;
        }
        next.cancelExpiry();
        return next.opening;
      }
      return open(target, ipv4).opening;
    },

    close() {
      closed = true;
      for (const waiting of ready.values()) waiting.splice(0).forEach(discard);
    },
  };
}

function waitingFor(ready: Map<string, Ready[]>, { origin }: URL, ipv4: boolean): Ready[] {
  const key = `${origin} ${ipv4 ? 'ipv4' : 'any'}`;
  const known = ready.get(key);
  if (known) return known;
  const made: Ready[] = [];
  ready.set(key, made);
  return made;
}
