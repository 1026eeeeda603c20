import type { OrderManagement } from '../exchange/order-management.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument } from '../exchange/instrument.ts';
import type { FaultSource } from '../kernel/faults.ts';
import { numberOf } from '../kernel/faults.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import type { KiteSettings } from '../kernel/settings.ts';
import { kiteOrderRow } from './order-rows.ts';
import type { KiteSession } from './session.ts';
import type { TickFigures, TickerMode } from './tick-packets.ts';
import { heartbeat, messageOf, packetOf } from './tick-packets.ts';

/** The ticker's calls to a connected client. */
export interface TickerPeer {
  send(message: Buffer | string): void;
  /** Drops the connection without a closing message. */
  cut(): void;
}

/** A connected client's calls to the ticker. */
export interface TickerConnection {
  heard(text: string): void;
  left(): void;
}

/** Kite's ticker: prices once a second, orders as they change, and its faults. */
export interface KiteTicker {
  /** The status of a refused handshake; null when it is accepted. */
  refusal(query: URLSearchParams): number | null;
  connect(peer: TickerPeer, accessToken: string): TickerConnection;
}

export interface KiteTickerInspector {
  /** What each connected client receives, in the order in which they connected. */
  tickerClients(): readonly ReadonlyMap<number, TickerMode>[];
  /** The number of handshakes accepted since the start. */
  tickerConnections(): number;
}

export interface TickerSettings {
  settings: KiteSettings;
  clock: SandboxClock;
  session: KiteSession;
  exchange: Exchange;
  orders: OrderManagement;
  source: FaultSource;
}

interface Client {
  peer: TickerPeer;
  accessToken: string;
  modes: Map<number, TickerMode>;
  /** The last packet of each token: only changed packets are sent again. */
  sent: Map<number, Buffer>;
  silent: boolean;
}

/** Prices move once a second, so a faster beat would gain nothing. */
const BEAT_MS = 1_000;
const CLIENTS = 3;
const TOKENS_A_CLIENT = 3_000;
const modes: readonly TickerMode[] = ['ltp', 'quote', 'full'];

const isMode = (value: unknown): value is TickerMode => modes.some((mode) => mode === value);

function figuresOf(exchange: Exchange, instrument: Instrument, now: number): TickFigures {
  const day = exchange.prices.day(instrument, now);
  const isIndex = instrument.kind === 'index';
  const book = isIndex ? { bids: [], asks: [] } : exchange.book.depth(instrument, now);
  const { last, open, high, low, previousClose: close, volume } = day;
  return {
    token: instrument.kiteToken,
    index: isIndex,
    ...{ last, open, high, low, close, volume },
    average: (high + low + last) / 3,
    at: Math.floor(exchange.calendar.marketTime(now) / 1_000),
    ...book,
  };
}

/** The packets of what has changed since they were last sent. */
function changedPackets(exchange: Exchange, client: Client, now: number): Buffer[] {
  const packets: Buffer[] = [];
  for (const [token, mode] of client.modes) {
    const instrument = exchange.listing.byKiteToken(token);
    if (!instrument) continue;
    const packet = packetOf(figuresOf(exchange, instrument, now), mode);
    if (client.sent.get(token)?.equals(packet)) continue;
    client.sent.set(token, packet);
    packets.push(packet);
  }
  return packets;
}

/** Carries out a client's message. Returns the text of an error where it cannot. */
function handleMessage(exchange: Exchange, client: Client, text: string): string | null {
  const { a: act, v: value } = messageFrom(text);
  const isModeMessage = act === 'mode' && Array.isArray(value) && isMode(value[0]);
  const listed: unknown = isModeMessage ? value[1] : value;
  if (!Array.isArray(listed)) return 'a message of another form than {"a":…,"v":…}';
  const tokens = listed.map(Number).filter((token) => exchange.listing.byKiteToken(token));
  for (const token of tokens) {
    client.sent.delete(token);
    if (act === 'unsubscribe') client.modes.delete(token);
    else if (isModeMessage && client.modes.has(token)) client.modes.set(token, value[0]);
    else if (act === 'subscribe' && !client.modes.has(token)) {
      if (client.modes.size >= TOKENS_A_CLIENT) return 'too many instruments';
      client.modes.set(token, 'quote');
    }
  }
  return null;
}

export function createKiteTicker(parts: TickerSettings): KiteTicker & KiteTickerInspector {
  const { settings, clock, session, exchange, source } = parts;
  const clients = new Set<Client>();
  let connections = 0;
  let beating = false;

  parts.orders.onChange((order) => {
    if (clients.size === 0) return;
    const data = kiteOrderRow(order, settings.userId, settings.noExchangeId ?? null);
    const text = JSON.stringify({ type: 'order', id: '', data });
    for (const client of clients) if (!client.silent) client.peer.send(text);
  });

  const strikes = (kind: 'ticker_cut' | 'ticker_silent' | 'ticker_garbled'): boolean =>
    source.strike('kite', [kind], null) !== null;

  function tell(client: Client): void {
    const packets = changedPackets(exchange, client, clock.now());
    if (packets.length > 0) client.peer.send(messageOf(packets));
  }

  function serve(client: Client): void {
    const ended = session.liveToken() !== client.accessToken;
    if (ended || strikes('ticker_cut')) {
      clients.delete(client);
      client.peer.cut();
      return;
    }
    client.silent = strikes('ticker_silent');
    if (client.silent) return;
    if (strikes('ticker_garbled')) {
      client.peer.send(messageOf([Buffer.alloc(8), Buffer.alloc(44)]).subarray(0, -7));
      client.peer.send('{"type":');
    }
    tell(client);
    client.peer.send(heartbeat);
  }

  /** Runs a timer only while a client is connected: the sandbox of a simulation has none. */
  function beat(): void {
    if (beating) return;
    beating = true;
    clock.after(BEAT_MS, () => {
      beating = false;
      for (const client of [...clients]) serve(client);
      if (clients.size > 0) beat();
    });
  }

  return {
    refusal(query) {
      const fault = source.strike('kite', ['ticker_refused'], null);
      if (fault) return numberOf(fault, 'status', 502);
      const live = session.liveToken();
      const isKnown = query.get('api_key') === settings.apiKey;
      if (!isKnown || live === null || query.get('access_token') !== live) return 403;
      return clients.size >= CLIENTS ? 429 : null;
    },
    connect(peer, accessToken) {
      const client: Client = {
        ...{ peer, accessToken, silent: false },
        ...{ modes: new Map(), sent: new Map() },
      };
      clients.add(client);
      connections += 1;
      beat();
      return {
        heard(text) {
          const error = handleMessage(exchange, client, text);
          if (client.silent) return;
          if (error !== null) peer.send(JSON.stringify({ type: 'error', data: error }));
          tell(client);
        },
        left: () => void clients.delete(client),
      };
    },
    tickerClients: () => [...clients].map((client) => new Map(client.modes)),
    tickerConnections: () => connections,
  };
}

function messageFrom(text: string): { a?: unknown; v?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
