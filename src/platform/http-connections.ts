import { type LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import {
  isPublicAddress,
  lookupPublic,
  mayBePublic,
  privateAddress,
} from './http-public-addresses.ts';
import { type Cancel, type Clock, type Scheduler, systemClock } from './clock.ts';
import type { ElapsedMs } from '../units/branded.ts';

/** No server closes a connection without a request sooner than this. */
const READY_FOR_MS = 1_000;
/** Limits how many connections are opened for requests that never come. */
const MOST_READY = 10;
/** Opened a moment after a request, so that it does not delay that request. */
const SPARE_AFTER_MS = 1;
/** An announced request has at least this long to come before its connection is too old. */
const SPARE_SERVES_FOR_MS = 500;
const CONNECT_MS = 10_000;

/** A failure before there was a connection: the only proof that nothing was sent. */
export class ConnectFailure extends Error {
  readonly cause_code: string;
  constructor(error: Error & { code?: string }) {
    super(error.message || String(error.code ?? error.name), { cause: error });
    this.cause_code = error.code ?? error.name;
  }
}

/**
 * Opens connections to public addresses alone: the name is resolved once, and what is connected to is
 * looked at again, so that a name that changes meanwhile gains nothing.
 */
export function publicConnector(lookup: LookupFunction = lookupPublic): buildConnector.connector {
  const connect = connector(false, { lookup });
  return (options, callback) => {
    if (!mayBePublic(options.hostname)) {
      return callback(new ConnectFailure(privateAddress(options.hostname)), null);
    }
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new ConnectFailure(privateAddress(options.hostname)), null);
    });
  };
}

/** Opens connections; its errors are ConnectFailures. It resumes TLS sessions. */
export function connector(
  ipv4: boolean,
  more: { readonly lookup?: LookupFunction } = {},
): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, ...(ipv4 ? { family: 4 } : {}), ...more });
  return (options, callback) =>
    // It returns the connecting socket, which the library's types do not declare.
    connect(options, (error, socket) => {
      if (error) callback(new ConnectFailure(error), null);
      else callback(null, socket);
    });
}

/**
 * Connections that carry one request each, opened when the request comes or shortly before.
 * Requests often follow each other directly: so after a request that used a waiting connection, a
 * spare one is opened, and the next request does not wait for a handshake.
 */
export interface OneUseConnections {
  /**
   * Announces a request: a spare connection that is young enough is kept for it, or one is opened.
   * No connection waits for longer than a second, or after the server has closed it.
   */
  openAhead(url: string, ipv4: boolean): void;
  /**
   * A connection that has carried no request, and on which the server has sent nothing: what it sent
   * before the request was written would be read as the answer. Rejects with a ConnectFailure.
   */
  take(url: string, ipv4: boolean): Promise<Socket>;
  close(): void;
}

interface Ready {
  readonly opening: Promise<Socket>;
  /** Elapsed ms. */
  readonly openedAt: ElapsedMs;
  readonly cancelExpiry: Cancel;
  /** Closes the connection, also while it is being opened. */
  readonly close: () => void;
  /** Null until the connection is open. */
  socket: Socket | null;
  failed: boolean;
  /** No request has been announced for it yet. */
  isSpare: boolean;
}

export function createOneUseConnections(
  scheduler: Scheduler,
  clock: Clock = systemClock,
): OneUseConnections {
  const connectors = { any: connector(false), ipv4: connector(true) };
  const targets = new Map<string, ConnectionsToTarget>();
  let closed = false;

  function targetOf(url: URL, ipv4: boolean): ConnectionsToTarget {
    const family = ipv4 ? 'ipv4' : 'any';
    const key = `${url.origin} ${family}`;
    const known = targets.get(key);
    if (known) return known;
    const made = createConnectionsTo(() => open(connectors[family], url), scheduler, clock);
    targets.set(key, made);
    return made;
  }

  return {
    openAhead(url, ipv4) {
      if (!closed && URL.canParse(url)) targetOf(new URL(url), ipv4).openAhead();
    },
    take: (url, ipv4) => targetOf(new URL(url), ipv4).take(),
    close() {
      closed = true;
      for (const target of targets.values()) target.close();
    },
  };
}

type Opening = Pick<Ready, 'opening' | 'close'>;

function open(connect: buildConnector.connector, url: URL): Opening {
  const { protocol, host, port } = url;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  let begun: unknown;
  const opening = new Promise<Socket>((resolve, reject) => {
    begun = connect({ protocol, host, hostname, port }, (error, socket) => {
      if (error) reject(error);
      else resolve(socket);
    });
  });
  return { opening, close: () => void (begun instanceof Socket && begun.destroy()) };
}

/** Data that arrived before the request would be read as its answer. */
function isQuiet(socket: Socket): boolean {
  return !socket.destroyed && socket.writable && socket.readableLength === 0;
}

/**
 * Whether the server has sent nothing, also while this thread was busy, for example at the disk: the
 * event loop looks at its sockets once in each turn, so this waits until it has done so. The request
 * is to be written at once afterwards.
 */
async function isSilent(socket: Socket, scheduler: Scheduler): Promise<boolean> {
  // This turn may have looked already, so it is the next one that counts.
  for (let turn = 0; turn < 2; turn += 1) {
    await new Promise<void>((resolve) => scheduler.endOfTurn(resolve));
  }
  return isQuiet(socket);
}

/** The first waiting connection on which the server is silent, else a new one. */
async function firstSilent(
  scheduler: Scheduler,
  nextWaiting: () => Promise<Socket> | null,
  openOne: () => Opening,
): Promise<Socket> {
  for (;;) {
    const waiting = nextWaiting();
    const socket = await (waiting ?? openOne().opening);
    if (await isSilent(socket, scheduler)) return socket;
    socket.destroy();
    if (waiting === null) {
      const error = new Error('the server closed the connection, or answered before it was asked');
      throw new ConnectFailure(Object.assign(error, { code: 'EARLY_ANSWER' }));
    }
  }
}

/** The connections to one address, as OneUseConnections describes them. */
interface ConnectionsToTarget {
  openAhead(): void;
  take(): Promise<Socket>;
  close(): void;
}

function createConnectionsTo(
  openOne: () => Opening,
  scheduler: Scheduler,
  clock: Clock,
): ConnectionsToTarget {
  const ready: Ready[] = [];
  /** Cancels the opening of a spare connection. */
  let cancelSpare: Cancel | null = null;

  function isUsable({ socket, failed, openedAt }: Ready): boolean {
    // Our timer fires late when the thread is busy; the server's timer does not.
    if (failed || clock.elapsed() - openedAt > READY_FOR_MS) return false;
    if (socket === null) return true;
    return isQuiet(socket);
  }

  /**
   * Prefers an open connection to one that is still opening; takes a spare one only when it is
   * open.
   */
  function takeReady(): Ready | null {
    for (const gone of ready.filter((each) => !isUsable(each))) remove(gone);
    const taken =
      ready.find(({ socket }) => socket !== null) ?? ready.find(({ isSpare }) => !isSpare);
    if (!taken) return null;
    ready.splice(ready.indexOf(taken), 1);
    taken.cancelExpiry();
    // The connection that was opened for this request now serves another one.
    const left = taken.isSpare ? ready.find(({ isSpare }) => !isSpare) : undefined;
    if (left) left.isSpare = true;
    return taken;
  }

  function remove(gone: Ready): void {
    ready.splice(ready.indexOf(gone), 1);
    discard(gone);
  }

  function discard({ cancelExpiry, close }: Ready): void {
    cancelExpiry();
    close();
  }

  function makeReady(isSpare: boolean): void {
    if (ready.length >= MOST_READY) return;
    const mine: Ready = {
      ...openOne(),
      openedAt: clock.elapsed(),
      cancelExpiry: scheduler.after(READY_FOR_MS, () => remove(mine)),
      socket: null,
      failed: false,
      isSpare,
    };
    mine.opening.then(
      (socket) => (mine.socket = socket),
      () => (mine.failed = true),
    );
    ready.push(mine);
  }

  function youngSpares(): readonly Ready[] {
    const since = clock.elapsed() - SPARE_SERVES_FOR_MS;
    return ready.filter((each) => each.isSpare && each.openedAt >= since && isUsable(each));
  }

  function openSpareSoon(): void {
    cancelSpare ??= scheduler.after(SPARE_AFTER_MS, () => {
      cancelSpare = null;
      if (youngSpares().length === 0) makeReady(true);
    });
  }

  return {
    openAhead() {
      // A spare connection that is still being opened may hang, so it does not count.
      const spare = youngSpares().find(({ socket }) => socket !== null);
      if (spare) spare.isSpare = false;
      else makeReady(false);
    },
    take: () =>
      firstSilent(
        scheduler,
        () => {
          const taken = takeReady();
          if (taken) openSpareSoon();
          return taken?.opening ?? null;
        },
        openOne,
      ),
    close() {
      cancelSpare?.();
      ready.splice(0).forEach(discard);
    },
  };
}
