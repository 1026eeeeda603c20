import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { systemClock, type Clock } from './clock.ts';
import type { Cancel, Scheduler } from './scheduler.ts';

/** No server ends a connection sooner that has not asked anything yet. */
const READY_FOR_MS = 1_000;
/** Bounds what is opened for requests that are never made. */
const MOST_READY = 10;
/** By then the request before it is written, and its answer is still awaited. */
const SPARE_AFTER_MS = 1;
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

/**
 * Connections that carry one request each: opened when it comes, or a moment before. Requests come in
 * rows, each as the one before it is answered: so where one was announced, a spare connection is
 * opened while it waits for its answer, and the next has no handshake to wait for.
 */
export interface OneUseConnections {
  /**
   * Says that a request is about to come: the spare one is kept for it, or one is opened. It is closed
   * when none has come within a second, or when the server closes it first.
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
  /** Nobody has said yet that its request is coming. */
  isSpare: boolean;
}

/** What there is for one address. */
interface Target {
  readonly url: URL;
  readonly ipv4: boolean;
  readonly ready: Ready[];
  /** Cancels the opening of a spare one. */
  cancelSpare: Cancel | null;
}

export function createOneUseConnections(
  scheduler: Scheduler,
  clock: Clock = systemClock,
): OneUseConnections {
  const connectors = { any: connector(false), ipv4: connector(true) };
  const targets = new Map<string, Target>();
  let closed = false;

  function open({ url, ipv4 }: Target): Pick<Ready, 'opening' | 'close'> {
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

  function makeReady(target: Target, isSpare: boolean): void {
    if (target.ready.length >= MOST_READY) return;
    const mine: Ready = {
      ...open(target),
      openedAt: clock.elapsed(),
      cancelExpiry: scheduler.after(READY_FOR_MS, () => {
        target.ready.splice(target.ready.indexOf(mine), 1);
        discard(mine);
      }),
      socket: null,
      failed: false,
      isSpare,
    };
    mine.opening.then(
      (socket) => (mine.socket = socket),
      () => (mine.failed = true),
    );
    target.ready.push(mine);
  }

  const spareOf = ({ ready }: Target): Ready | undefined =>
    ready.find((each) => each.isSpare && isUsable(each));

  function openSpareSoon(target: Target): void {
    target.cancelSpare ??= scheduler.after(SPARE_AFTER_MS, () => {
      target.cancelSpare = null;
      if (!spareOf(target)) makeReady(target, true);
    });
  }

  function targetOf(url: URL, ipv4: boolean): Target {
    const key = `${url.origin} ${ipv4 ? 'ipv4' : 'any'}`;
    const known = targets.get(key);
    if (known) return known;
    const made: Target = { url, ipv4, ready: [], cancelSpare: null };
    targets.set(key, made);
    return made;
  }

  return {
    openAhead(url, ipv4) {
      if (closed || !URL.canParse(url)) return;
      const target = targetOf(new URL(url), ipv4);
      const spare = spareOf(target);
      if (spare) spare.isSpare = false;
      else makeReady(target, false);
    },

    take(url, ipv4) {
      const target = targetOf(new URL(url), ipv4);
      const { ready } = target;
      for (let next = ready.shift(); next; next = ready.shift()) {
        if (!isUsable(next)) {
          discard(next);
          continue;
        }
        next.cancelExpiry();
        if (!closed) openSpareSoon(target);
        return next.opening;
      }
      return open(target).opening;
    },

    close() {
      closed = true;
      for (const target of targets.values()) {
        target.cancelSpare?.();
        target.ready.splice(0).forEach(discard);
      }
    },
  };
}
