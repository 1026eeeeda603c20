import { KiteConnect } from 'kiteconnect';
import type { MayLeave } from '../../domain/order.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../platform/http.ts';
import { fieldOf, messageOf } from '../../platform/values.ts';

export type SdkParams = Record<string, string | number>;

/** The SDK's parameters of a trigger; it builds condition and orders itself. */
export interface SdkGttParams {
  trigger_type: string;
  exchange: string;
  tradingsymbol: string;
  trigger_values: number[];
  last_price: number;
  orders: SdkParams[];
}

/**
 * The part of the SDK that the gateway uses. Written here because the package's own types lack
 * `market_protection` and promise results that its calls do not always give.
 */
export interface Sdk {
  generateSession(requestToken: string, apiSecret: string): Promise<void>;
  invalidateAccessToken(accessToken: string): Promise<void>;
  getProfile(): Promise<void>;
  getMargins(segment?: 'equity'): Promise<void>;
  getPositions(): Promise<void>;
  getHoldings(): Promise<void>;
  getOrders(): Promise<void>;
  getOrderHistory(orderId: string): Promise<void>;
  getTrades(): Promise<void>;
  getOrderTrades(orderId: string): Promise<void>;
  placeOrder(variety: string, params: SdkParams): Promise<void>;
  modifyOrder(variety: string, orderId: string, params: SdkParams): Promise<void>;
  cancelOrder(variety: string, orderId: string, params: SdkParams): Promise<void>;
  /** An empty mode asks for the full reply; without it the SDK asks for the short one. */
  orderMargins(orders: SdkParams[], mode: ''): Promise<void>;
  orderBasketMargins(orders: SdkParams[], considerPositions: boolean, mode: ''): Promise<void>;
  /** What filled orders cost; the name is the package's own. */
  getvirtualContractNote(orders: SdkParams[]): Promise<void>;
  getGTTs(): Promise<void>;
  placeGTT(params: SdkGttParams): Promise<void>;
  modifyGTT(triggerId: string, params: SdkGttParams): Promise<void>;
  deleteGTT(triggerId: string): Promise<void>;
  getQuote(instruments: string[]): Promise<void>;
  getLTP(instruments: string[]): Promise<void>;
  getHistoricalData(
    instrumentToken: number,
    interval: string,
    from: string,
    to: string,
    continuous: boolean,
    openInterest: boolean,
  ): Promise<void>;
  getInstruments(): Promise<void>;
}

/** What the SDK hands to its HTTP library for one request. */
export interface SdkRequest {
  readonly method: string;
  /** The path from the root of the API. */
  readonly url: string;
  readonly params?: object | null;
  readonly data?: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What the package's types omit from an instance. */
interface SdkInstance extends Sdk {
  access_token: string | null;
  readonly requestInstance: {
    readonly defaults: { readonly headers: object };
    request: (request: SdkRequest) => Promise<unknown>;
    getUri(request: Pick<SdkRequest, 'url' | 'params'>): string;
  };
}

function isSdkInstance(made: unknown): made is SdkInstance {
  const instance = fieldOf(made, 'requestInstance');
  if (typeof instance !== 'function' || !('getUri' in instance)) return false;
  if (!('request' in instance) || !('defaults' in instance)) return false;
  return typeof fieldOf(instance.defaults, 'headers') === 'object';
}

export interface SdkOptions {
  readonly apiKey: string;
  readonly apiRoot: string;
}

/** SDK instances, each used by one call at a time, on a wire of that call alone. */
export interface Sdks {
  /**
   * Runs one call. With `accessToken` null, no authorization is sent. Ignore what the SDK makes of
   * the reply: the wire has the reply itself.
   */
  use(accessToken: string | null, wire: Wire, run: (sdk: Sdk) => Promise<void>): Promise<void>;
}

interface Lent {
  readonly kite: SdkInstance;
  wire: Wire | null;
}

/**
 * A reply can belong only to its own call: while a call runs, its instance has the wire and the
 * token of that call, and no other call has the instance. It never runs with `debug`, which prints
 * the token.
 */
export function createSdks(options: SdkOptions): Sdks {
  const idle: Lent[] = [];
  const root = options.apiRoot.replace(/\/+$/, '');

  function make(): Lent {
    const made: unknown = new KiteConnect({ api_key: options.apiKey, root: options.apiRoot });
    if (!isSdkInstance(made)) {
      throw new Error('the package kiteconnect has changed: install the version of package.json');
    }
    const lent: Lent = { kite: made, wire: null };
    const { requestInstance } = made;
    const always = headersAlways(requestInstance.defaults.headers);
    // A new order has no query: skipping the library's URL builder saves a tenth of a millisecond.
    const uri = (request: SdkRequest): string =>
      isPathAlone(request) ? `${root}${request.url}` : requestInstance.getUri(request);
    requestInstance.request = async (request) => {
      if (!lent.wire) throw new Error('no call has this instance');
      await lent.wire.send(requestOf(request, uri(request), always));
      return {};
    };
    return lent;
  }

  return {
    async use(accessToken, wire, run) {
      const lent = idle.pop() ?? make();
      lent.wire = wire;
      lent.kite.access_token = accessToken;
      try {
        return await run(lent.kite);
      } finally {
        lent.wire = null;
        lent.kite.access_token = null;
        idle.push(lent);
      }
    },
  };
}

const isPathAlone = ({ url, params }: SdkRequest): boolean =>
  url.startsWith('/') && Object.keys(params ?? {}).length === 0;

export interface WireOptions {
  readonly deadlineMs: number;
  readonly fresh: boolean;
  readonly ipv4?: boolean;
  readonly mayLeave?: MayLeave;
}

/** The connection of one call to the broker: it carries one request and keeps the reply. */
export interface Wire {
  send(request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>): Promise<HttpReply>;
  /** Null when the transport was given no request: then nothing was sent. */
  reply(): HttpReply | null;
}

export function createWire(transport: HttpTransport, options: WireOptions): Wire {
  let reply: HttpReply | null = null;
  return {
    async send(request) {
      if (reply !== null) throw new Error('one call sends one request');
      // From here on the request may have left, until the transport says otherwise.
      reply = broken('the request has no reply');
      try {
        reply = await transport.send({ ...request, ...options });
      } catch (error) {
        reply = broken(messageOf(error));
      }
      return reply;
    },
    reply: () => reply,
  };
}

/**
 * The SDK builds a request and hands it to its HTTP library; ours takes the library's place. The reply
 * stays on the wire: the SDK drops the HTTP status and Retry-After, settles in ways that say nothing
 * (docs/spec/kite-sdk.md), and would parse a book a second time.
 */
const requestOf = (
  { method, data, headers }: SdkRequest,
  uri: string,
  always: Readonly<Record<string, string>>,
): Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'> => ({
  method: methodOf(method),
  url: withoutEmpty(uri),
  headers: { ...always, ...textsOf(headers) },
  ...(typeof data === 'string' && data !== '' ? { body: data } : {}),
});

/** The SDK writes a missing parameter as an empty one, or with a default of its own. */
function withoutEmpty(uri: string): string {
  if (!/[?&][^=&]+=(&|$)/.test(uri)) return uri;
  const url = new URL(uri);
  for (const [name, value] of [...url.searchParams]) {
    if (value === '') url.searchParams.delete(name, '');
  }
  return url.href;
}

function methodOf(name: string): HttpRequest['method'] {
  const method = name.toUpperCase();
  if (method === 'GET' || method === 'POST' || method === 'PUT' || method === 'DELETE') {
    return method;
  }
  throw new Error(`no call of the broker's uses ${method}`);
}

/** The headers that the HTTP library adds to every request, and those that the SDK has set for it. */
const headersAlways = (defaults: object): Record<string, string> => ({
  ...textsOf(fieldOf(defaults, 'common')),
  ...textsOf(defaults),
});

function textsOf(headers: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (typeof value === 'string' || typeof value === 'number') texts[name] = String(value);
  }
  return texts;
}

function broken(message: string): HttpReply {
  return { kind: 'broken', cause: 'reset', message, status: null };
}
