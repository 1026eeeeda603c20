import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import type { Socket, SocketConnector, SocketEnd } from '../../../platform/websocket.ts';
import { changesBetween, type Modes } from './messages.ts';

export interface ConnectionParts {
  readonly sockets: SocketConnector;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Where to connect under this token. Holds it: for the socket alone. */
  readonly address: (accessToken: string) => string;
  /** How long to wait after so many failures in a row, ms. */
  readonly pause: (failures: number) => number;
  /** What is to be sent, as it stands when it is asked. */
  readonly wanted: Modes;
  readonly onBinary: (bytes: Uint8Array) => void;
  readonly onText: (text: string) => void;
  readonly onOpen: () => void;
  /** The broker would not have this token: nothing is tried again under it. */
  readonly onRefused: (accessToken: string) => void;
}

/** One connection of the ticker, kept up for as long as there is a token (docs/spec/kite-ticker.md). */
export interface Connection {
  /** The token from now on; null ends the connection. The same again changes nothing. */
  use(accessToken: string | null): void;
  /** What is wanted has changed: told to the broker at the end of the turn. */
  changed(): void;
}

const HANDSHAKE_MS = 10_000;
/** 3,000 full packets are 558,002 bytes. */
const MAX_MESSAGE_BYTES = 1_048_576;
/** A heartbeat comes about every second: five without any message, and the line is dead. */
const SILENCE_MS = 5_000;
/** A connection that stood this long makes the failures before it forgotten. */
const STEADY_MS = 10_000;

export function createConnection(parts: ConnectionParts): Connection {
  const { sockets, clock, scheduler, log } = parts;
  let token: string | null = null;
  let socket: Socket | null = null;
  let cancelTimer: Cancel = () => undefined;
  let failures = 0;
  /** Elapsed ms; null while the connection does not stand. */
  let openedAt: number | null = null;
  let heardAt = 0;
  let told: Modes = new Map();
  let telling = false;

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
        onText(text) {
          heardAt = clock.elapsed();
          parts.onText(text);
        },
        onBinary(bytes) {
          heardAt = clock.elapsed();
          parts.onBinary(bytes);
        },
        onClose: (end) => ended(accessToken, end),
      },
    );
  }

  function opened(): void {
    openedAt = clock.elapsed();
    heardAt = openedAt;
    // A new connection knows nothing of what the one before was told.
    told = new Map();
    log.info('the ticker is connected', { broker: 'alt', count: parts.wanted.size });
    tell();
    watch();
    parts.onOpen();
  }

  function watch(): void {
    const left = heardAt + SILENCE_MS - clock.elapsed();
    cancelTimer = scheduler.after(Math.max(0, left), () => {
      if (clock.elapsed() - heardAt < SILENCE_MS) watch();
      else lost('nothing was heard for 5 s');
    });
  }

  function ended(accessToken: string, end: SocketEnd): void {
    // 401 has not been seen; it could mean nothing else.
    if (end.kind === 'refused' && (end.status === 403 || end.status === 401)) {
      drop();
      parts.onRefused(accessToken);
    } else lost(reasonOf(end));
  }

  function lost(reason: string): void {
    const stood = openedAt !== null;
    if (stood && clock.elapsed() - openedAt! >= STEADY_MS) failures = 0;
    drop();
    const ms = parts.pause(failures);
    // A night without a broker is one line, not one for each attempt.
    const first = stood || failures === 0;
    failures += 1;
    const words = 'the ticker is not connected: prices and orders are asked for meanwhile';
    log[first ? 'warn' : 'debug'](words, { broker: 'alt', reason, ms });
    cancelTimer = scheduler.after(ms, () => {
      if (token !== null) begin(token);
    });
  }

  function drop(): void {
    cancelTimer();
    socket?.close();
    socket = null;
    openedAt = null;
  }

  function tell(): void {
    if (openedAt === null || socket === null) return;
    for (const message of changesBetween(told, parts.wanted)) socket.send(message);
    told = new Map(parts.wanted);
  }

  return {
    use(accessToken) {
      if (accessToken === token) return;
      token = accessToken;
      failures = 0;
      drop();
      if (token !== null) begin(token);
    },
    changed() {
      if (telling) return;
      telling = true;
      scheduler.endOfTurn(() => {
        telling = false;
        tell();
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
