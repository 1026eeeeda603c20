import { KiteConnect } from 'kiteconnect';
import {
  createSdkAdapter,
  type SdkAdapter,
  type SdkRequestConfig,
  type Wire,
} from './sdk-transport.ts';

export type SdkParams = Record<string, string | number>;

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
  getTrades(): Promise<unknown>;
  placeOrder(variety: string, params: SdkParams): Promise<unknown>;
  modifyOrder(variety: string, orderId: string, params: SdkParams): Promise<unknown>;
  cancelOrder(variety: string, orderId: string): Promise<unknown>;
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

interface SdkInternals {
  readonly requestInstance: {
    defaults: { adapter: SdkAdapter };
    getUri(config: SdkRequestConfig): string;
  };
}

export interface SdkOptions {
  readonly apiKey: string;
  readonly apiRoot: string;
  /** Null before there is one: then no authorization is sent. */
  readonly accessToken: string | null;
}

/**
 * The SDK for one call, on a wire of that call's own: so which reply belongs to which call is a
 * matter of construction. It never runs with `debug`, which prints the token.
 */
export function createSdk(options: SdkOptions, wire: Wire): Sdk {
  const kite = new KiteConnect({
    api_key: options.apiKey,
    root: options.apiRoot,
    ...(options.accessToken === null ? {} : { access_token: options.accessToken }),
  });
  const { requestInstance } = kite as unknown as SdkInternals;
  requestInstance.defaults.adapter = createSdkAdapter(wire, (config) =>
    requestInstance.getUri(config),
  );
  return kite as unknown as Sdk;
}
