import { BrokerError } from '../../../domain/outcome.ts';
import type { Instrument, InstrumentName } from '../../../domain/instrument.ts';
import type { Tick, TickFeed } from '../../../domain/tick.ts';
import type { Cancel, Clock, Scheduler } from '../../../platform/clock.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import { must } from '../../../platform/values.ts';
import { redact } from '../../../platform/redaction.ts';
import type { SocketConnector } from '../../../platform/websocket.ts';
import { pauseAfter } from './backoff.ts';
import { createConnection } from './connection.ts';
import { readFrame } from './frames.ts';
import { readText } from './messages.ts';
import { CONNECTIONS, createShares, TOKENS_A_CONNECTION } from './shares.ts';
import { toTick } from './tick-mapping.ts';

export interface TickerParts {
  readonly sockets: SocketConnector;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  /** The token to use now; null when there is no valid one. */
  readonly accessToken: () => string | null;
  /** Called when something happened to an order, or may have while no connection was open. */
  readonly onOrders: () => void;
  /**
   * Called when the handshake was refused with this token. The token may be dead, or the app may
   * have no ticker. Called again within a minute if the session still has the token.
   */
  readonly onRefused: (accessToken: string) => void;
  readonly settings: { readonly apiKey: string; readonly tickerUrl: string };
}

export interface Ticker extends TickFeed {
  readonly broker: 'alt';
  /**
   * The session may have changed: connects, reconnects or disconnects. The first call starts the
   * ticker.
   */
  follow(): void;
  /** Whether the connection that is open as long as there is a session was heard within 5 s. */
  isOpen(): boolean;
  /** Stops for good. */
  stop(): void;
}

/** A token can begin or expire by the clock, without a change of the session. */
const FOLLOW_MS = 60_000;
const EACH_HAS_ITS_TOKENS = 'each connection has a share of the tokens, under the same index';

/**
 * Kite's ticker (docs/spec/kite-ticker.md). The first connection is open as long as there is a
 * session, for the order messages; the others are opened when there are more instruments.
 */
export function createAltTicker(parts: TickerParts): Ticker {
  const { clock, scheduler, ids, log, settings } = parts;
  const shares = createShares();
  const ticks = createTickReader(log);
  /**
   * `told` counts the reports to the session, which tries a token at most once a minute, so that
   * the first report can be ignored.
   */
  let refused: { readonly accessToken: string; told: number } | null = null;
  let stopped = false;
  let cancelFollow: Cancel = () => undefined;
  const live = createListeners();

  const connections = shares.tokens.map((wanted, index) =>
    createConnection({
      sockets: parts.sockets,
      ...{ clock, scheduler, log, wanted, onText, onRefused },
      address: (accessToken) => addressOf(settings, accessToken),
      onBinary: ticks.read,
      onLive: live.tell,
      pause: (failures) => pauseAfter(failures, ids),
      onOpen() {
        // Nobody was told of what happened before the connection was open.
        if (index === 0) parts.onOrders();
      },
    }),
  );

  function onText(text: string): void {
    const message = readText(text);
    if (message.kind === 'order') parts.onOrders();
    else if (message.kind === 'error') {
      const reason = redact(message.message, { secrets: [parts.accessToken()] });
      log.warn('the ticker reports an error', { broker: 'alt', reason });
    }
  }

  function onRefused(accessToken: string): void {
    if (refused?.accessToken === accessToken) return;
    refused = { accessToken, told: 1 };
    log.warn('the ticker refused the access token: the gateway tries again after the next login', {
      broker: 'alt',
    });
    connect();
    parts.onRefused(accessToken);
  }

  function connect(): void {
    const current = stopped ? null : parts.accessToken();
    const token = current === refused?.accessToken ? null : current;
    for (const [index, connection] of connections.entries()) {
      const needed = index === 0 || must(shares.tokens[index], EACH_HAS_ITS_TOKENS).size > 0;
      connection.use(needed ? token : null);
    }
  }

  function follow(): void {
    cancelFollow();
    connect();
    if (!stopped) cancelFollow = scheduler.after(FOLLOW_MS, look);
  }

  function look(): void {
    if (refused?.told === 1 && parts.accessToken() === refused.accessToken) {
      refused.told += 1;
      parts.onRefused(refused.accessToken);
    }
    follow();
  }

  return {
    broker: 'alt',
    want(instrument, mode) {
      const token = tokenOf(instrument);
      // By now it is the token of another instrument, which goes on.
      if (mode === null && !ticks.isOwn(instrument)) return;
      const index = mode === null ? shares.letGo(token) : shares.take(token, mode);
      if (index === null) throw tooMany();
      if (mode === null) ticks.names.delete(token);
      else ticks.names.set(token, instrument.name);
      must(connections[index], EACH_HAS_ITS_TOKENS).changed();
      // The first connection is open anyway and needs no check of the token.
      if (index > 0) connect();
    },
    onTick: ticks.onTick,
    isLive(instrument) {
      const { instrumentToken: token } = instrument;
      const index = token === null || !ticks.isOwn(instrument) ? null : shares.carrier(token);
      return index !== null && (connections[index]?.isLive() ?? false);
    },
    onLive: live.add,
    follow,
    // The first one is open as long as there is a session; the others follow the number of instruments.
    isOpen: () => connections[0]?.isLive() ?? false,
    stop() {
      stopped = true;
      follow();
    },
  };
}

/** The URL of a connection, which contains the token. */
function addressOf({ apiKey, tickerUrl }: TickerParts['settings'], accessToken: string): string {
  const url = new URL(tickerUrl);
  url.searchParams.set('api_key', apiKey);
  url.searchParams.set('access_token', accessToken);
  return url.href;
}

function createListeners() {
  const listeners = new Set<() => void>();
  return {
    tell(): void {
      for (const listener of [...listeners]) listener();
    },
    add(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Reads the binary messages of all connections and hands their ticks to the listeners. */
function createTickReader(log: Log): {
  /** The name of each instrument that is subscribed to, by its token. */
  readonly names: Map<number, InstrumentName>;
  /** Whether ticks of its token are handed on as its own. */
  isOwn(instrument: Instrument): boolean;
  read(bytes: Uint8Array): void;
  readonly onTick: TickFeed['onTick'];
} {
  const names = new Map<number, InstrumentName>();
  const listeners = new Set<(tick: Tick) => void>();
  const complaints = { badFrames: 0, unreadPackets: 0 };

  function read(bytes: Uint8Array): void {
    const frame = readFrame(bytes);
    if (frame.kind === 'heartbeat') return;
    if (frame.kind === 'bad') return complain('badFrames', frame.reason);
    if (frame.unread > 0) complain('unreadPackets', 'a packet has an unknown length');
    for (const each of frame.ticks) {
      const name = names.get(each.token);
      // The last ticks of a released instrument can still arrive.
      if (name === undefined) continue;
      hand(toTick(name, each));
    }
  }

  function hand(tick: Tick): void {
    for (const listener of listeners) {
      try {
        listener(tick);
      } catch (error) {
        log.error('a listener of the ticker failed', { broker: 'alt', reason: String(error) });
      }
    }
  }

  /**
   * Logged for the first, the tenth, the hundredth, … message: a broken connection would fill the
   * log.
   */
  function complain(what: 'badFrames' | 'unreadPackets', reason: string): void {
    const count = (complaints[what] += 1);
    if (!/^10*$/.test(String(count))) return;
    log.warn('a message of the ticker could not be read', { broker: 'alt', reason, count });
  }

  return {
    names,
    isOwn: ({ name, instrumentToken: token }) => token !== null && names.get(token) === name,
    read,
    onTick(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function tokenOf({ instrumentToken, name }: Instrument): number {
  if (instrumentToken !== null) return instrumentToken;
  const message = `${name} is not known to this broker`;
  throw new BrokerError('alt', { kind: 'not_sent', reason: 'not_open', message });
}

function tooMany(): BrokerError {
  const most = TOKENS_A_CONNECTION * CONNECTIONS;
  const message = `the ticker carries at most ${most} instruments`;
  return new BrokerError('alt', { kind: 'not_sent', reason: 'no_permit', message });
}
