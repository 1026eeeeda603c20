import { KiteConnect } from 'kiteconnect';
import {
  createSdkAdapter,
  type SdkAdapter,
  type SdkRequestConfig,
  type Wire,
} from './sdk-transport.ts';

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
  generateSession(requestToken: string, apiSecret: string): Promise<unknown>;
  invalidateAccessToken(accessToken: string): Promise<unknown>;
  getProfile(): Promise<unknown>;
  getMargins(segment: 'equity'): Promise<unknown>;
  getPositions(): Promise<unknown>;
  getHoldings(): Promise<unknown>;
  getOrders(): Promise<unknown>;
  getOrderHistory(orderId: string): Promise<unknown>;
  getTrades(): Promise<unknown>;
  getOrderTrades(orderId: string): Promise<unknown>;
  placeOrder(variety: string, params: SdkParams): Promise<unknown>;
  modifyOrder(variety: string, orderId: string, params: SdkParams): Promise<unknown>;
  cancelOrder(variety: string, orderId: string, params: SdkParams): Promise<unknown>;
  /** An empty mode asks for the full reply; without it the SDK asks for the short one. */
  orderMargins(orders: SdkParams[], mode: ''): Promise<unknown>;
  orderBasketMargins(orders: SdkParams[], considerPositions: boolean, mode: ''): Promise<unknown>;
  getGTTs(): Promise<unknown>;
  getGTT(triggerId: string): Promise<unknown>;
  placeGTT(params: SdkGttParams): Promise<unknown>;
  modifyGTT(triggerId: string, params: SdkGttParams): Promise<unknown>;
  deleteGTT(triggerId: string): Promise<unknown>;
  getQuote(instruments: string[]): Promise<unknown>;
  getLTP(instruments: string[]): Promise<unknown>;
  getHistoricalData(
    instrumentToken: number,
    interval: string,
    from: string,
    to: string,
  ): Promise<unknown>;
  getInstruments(): Promise<unknown>;
}

/** What the package's types omit from an instance. */
interface SdkInstance extends Sdk {
  access_token: string | null;
  readonly requestInstance: {
    defaults: { adapter: SdkAdapter };
    getUri(config: SdkRequestConfig): string;
  };
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
  use(
    accessToken: string | null,
    wire: Wire,
    run: (sdk: Sdk) => Promise<unknown>,
  ): Promise<unknown>;
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
    const kite = made as SdkInstance;
    const lent: Lent = { kite, wire: null };
    const { requestInstance } = kite;
    // A new order has no query: skipping the library's URL builder saves a tenth of a millisecond.
    const uri = (config: SdkRequestConfig): string =>
      isPathAlone(config) ? `${root}${config.url}` : requestInstance.getUri(config);
    requestInstance.defaults.adapter = (config) => {
      if (!lent.wire) throw new Error('no call has this instance');
      return createSdkAdapter(lent.wire, uri)(config);
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

function isPathAlone({ url, params }: SdkRequestConfig): boolean {
  return url?.startsWith('/') === true && Object.keys(params ?? {}).length === 0;
}
