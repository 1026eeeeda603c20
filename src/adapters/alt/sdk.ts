import { KiteConnect } from 'kiteconnect';
import {
  createSdkAdapter,
  type SdkAdapter,
  type SdkRequestConfig,
  type Wire,
} from './sdk-transport.ts';

export type SdkParams = Record<string, string | number>;

/** What the SDK takes for a trigger; it writes out condition and orders itself. */
export interface SdkGttParams {
  trigger_type: string;
  exchange: string;
  tradingsymbol: string;
  trigger_values: number[];
  last_price: number;
  orders: SdkParams[];
}

/**
 * What the gateway uses of the SDK. Written out here because the package's own types lack
 * `market_protection`, and name results that its calls do not always give.
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
  /** An empty mode asks for the whole reply: the SDK would ask for the short one. */
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

/** What the package's types leave out of an instance. */
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

/** SDK instances, each lent to one call at a time, on a wire of that call's own. */
export interface Sdks {
  /**
   * Runs one call. `accessToken` null sends no authorization. What the SDK makes of the reply is
   * the caller's to ignore: the wire has the reply itself.
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
 * Which reply belongs to which call is a matter of construction: an instance has one call's wire
 * and token while that call runs, and no other call has the instance. It never runs with `debug`,
 * which prints the token.
 */
export function createSdks(options: SdkOptions): Sdks {
  const idle: Lent[] = [];
  const root = options.apiRoot.replace(/\/+$/, '');

  function make(): Lent {
    const made: unknown = new KiteConnect({ api_key: options.apiKey, root: options.apiRoot });
    const kite = made as SdkInstance;
    const lent: Lent = { kite, wire: null };
    const { requestInstance } = kite;
    // A new order adds nothing to its path: the library's way there takes a tenth of a millisecond.
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
