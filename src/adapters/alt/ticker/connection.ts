import type { Cancel, Clock, Scheduler } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Socket, SocketConnector, SocketEnd } from '../../../platform/websocket.ts';
import { changesBetween, type Modes } from './messages.ts';
import { LONG_AGO, type ElapsedMs } from '../../../units/branded.ts';

export interface ConnectionParts {
  readonly sockets: SocketConnector;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** The URL to connect to with this token. It contains the token: use it for the socket alone. */
  readonly address: (accessToken: string) => string;
  /** How long to wait after this many failures in a row, ms. */
  readonly pause: (failures: number) => number;
  /** The tokens to subscribe to, read whenever the connection sends. */
  readonly wanted: Modes;
  readonly onBinary: (bytes: Uint8Array) => void;
  readonly onText: (text: string) => void;
  readonly onOpen: () => void;
  /** `isLive` has changed. */
  readonly onLive: () => void;
  /** The broker refused this token: the connection does not try it again. */
  readonly onRefused: (accessToken: string) => void;
}

/**
 * One connection of the ticker, kept open as long as there is a token (docs/spec/kite-ticker.md).
 */
export interface Connection {
  /**
   * Sets the token from now on; null closes the connection. The same token again changes nothing.
   */
  use(accessToken: string | null): void;
  /** Whether it is open and has heard anything, heartbeats included, within SILENCE_MS. */
  isLive(): boolean;
  /** `wanted` has changed: the connection tells the broker at the end of the turn. */
  changed(): void;
}

const HANDSHAKE_MS = 10_000;
/** 3,000 full packets are 558,002 bytes. */
const MAX_MESSAGE_BYTES = 1_048_576;
/** A heartbeat comes about every second: after five without any message the connection is dead. */
const SILENCE_MS = 5_000;
const SILENT = 'no message came for 5 s';
/** A connection that was open this long resets the count of failures. */
const STEADY_MS = 10_000;

export function createConnection(parts: ConnectionParts): Connection {
  const { sockets, clock, scheduler, log } = parts;
  let token: string | null = null;
  let socket: Socket | null = null;
  let cancelTimer: Cancel = () => undefined;
  let failures = 0;
  /** Elapsed ms; null while the connection is not open. */
  let openedAt: ElapsedMs | null = null;
  let heardAt = LONG_AGO;
  const subscriptions = createSubscriptions(parts, () => (openedAt === null ? null : socket));

  function begin(accessToken: string): void {
    socket = sockets.connect(
      {
        url: parts.address(accessToken),
        headers: { 'X-Kite-Version': '3' },
        handshakeMs: HANDSHAKE_MS,
        maxMessageBytes: MAX_MESSAGE_BYTES,
      },
      {
        onOpen: opened,
        onText: (text) => heard(() => parts.onText(text)),
        onBinary: (bytes) => heard(() => parts.onBinary(bytes)),
        onClose: (end) => ended(accessToken, end),
      },
    );
  }

  function opened(): void {
    openedAt = clock.elapsed();
    heardAt = openedAt;
    log.info('the ticker is connected', { broker: 'alt', count: parts.wanted.size });
    subscriptions.sendAll();
    watch();
    parts.onOpen();
    parts.onLive();
  }

  /** After a sleep of the computer, messages can come before the timer of the silence: they are of before. */
  function heard(take: () => void): void {
    if (openedAt === null) return;
    if (clock.elapsed() - heardAt >= SILENCE_MS) return lost(SILENT);
    heardAt = clock.elapsed();
    take();
  }

  function watch(): void {
    const left = heardAt + SILENCE_MS - clock.elapsed();
    cancelTimer = scheduler.after(Math.max(0, left), () => {
      if (clock.elapsed() - heardAt < SILENCE_MS) watch();
      else lost(SILENT);
    });
  }

  function ended(accessToken: string, end: SocketEnd): void {
    // 401 was never seen here; it could mean nothing else.
    if (end.kind === 'refused' && (end.status === 403 || end.status === 401)) {
      drop();
      parts.onRefused(accessToken);
    } else lost(reasonOf(end));
  }

  function lost(reason: string): void {
    const stood = openedAt !== null;
    if (openedAt !== null && clock.elapsed() - openedAt >= STEADY_MS) failures = 0;
    drop();
    const ms = parts.pause(failures);
    // A night without a broker is one line in the log, not one for each attempt.
    const first = stood || failures === 0;
    failures += 1;
    const words = 'the ticker is not connected: the gateway polls prices and orders meanwhile';
    log[first ? 'warn' : 'debug'](words, { broker: 'alt', reason, ms });
    cancelTimer = scheduler.after(ms, () => {
      if (token !== null) begin(token);
    });
  }

  function drop(): void {
    cancelTimer();
    socket?.close();
    socket = null;
    const wasOpen = openedAt !== null;
    openedAt = null;
    if (wasOpen) parts.onLive();
  }

  return {
    use(accessToken) {
      if (accessToken === token) return;
      token = accessToken;
      failures = 0;
      drop();
      if (token !== null) begin(token);
    },
    isLive: () => openedAt !== null && clock.elapsed() - heardAt < SILENCE_MS,
    changed: subscriptions.sendSoon,
  };
}

/** The subscriptions that the broker has on the open connection, and the messages that change them. */
function createSubscriptions(
  { wanted, scheduler }: Pick<ConnectionParts, 'wanted' | 'scheduler'>,
  openSocket: () => Socket | null,
): { sendAll(): void; sendSoon(): void } {
  let sent: Modes = new Map();
  let sending = false;

  function send(): void {
    const socket = openSocket();
    if (socket === null) return;
    for (const message of changesBetween(sent, wanted)) socket.send(message);
    sent = new Map(wanted);
  }

  return {
    sendAll() {
      // A new connection has none of the subscriptions of the one before.
      sent = new Map();
      send();
    },
    sendSoon() {
      if (sending) return;
      sending = true;
      scheduler.endOfTurn(() => {
        sending = false;
        send();
      });
    },
  };
}

function reasonOf(end: SocketEnd): string {
  switch (end.kind) {
    case 'refused':
      return `HTTP ${end.status}`;
    case 'failed':
      return end.message;
    case 'closed':
      return `it was closed with ${end.code}`;
  }
}
