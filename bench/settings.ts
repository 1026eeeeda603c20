export const BENCH_KITE = { apiKey: 'bench-key', apiSecret: 'bench-secret', userId: 'AB1234' };
export const BENCH_PRIMARY_TOKEN = 'bench-primary-token';
export const BENCH_ADMIN_KEY = 'bench-admin-key-for-loopback';

export interface Origins {
  readonly kite: string;
  readonly primary: string;
  readonly token: string;
}

/** A gateway in front of the bench's brokers. */
export function benchEnvironment(origins: Origins, directory: string): Record<string, string> {
  return {
    APP_PORT: '0',
    APP_DATA_DIR: directory,
    APP_LOG_LEVEL: 'error',
    APP_API_KEY: BENCH_ADMIN_KEY,
    APP_MARKET_HOURS: 'always',
    APP_ALT_BROKER_API_KEY: BENCH_KITE.apiKey,
    APP_ALT_BROKER_API_SECRET: BENCH_KITE.apiSecret,
    APP_ALT_BROKER_ACCESS_TOKEN: origins.token,
    APP_ALT_BROKER_API_ROOT: origins.kite,
    APP_PRIMARY_BASE_URL: origins.primary,
    APP_PRIMARY_ACCESS_TOKEN: BENCH_PRIMARY_TOKEN,
  };
}

/** The order that the bench places, as the SDK takes it. */
export function benchOrder(tag: string) {
  return {
    exchange: 'NSE',
    tradingsymbol: 'INFY',
    transaction_type: 'BUY',
    quantity: 1,
    product: 'MIS',
    order_type: 'LIMIT',
    price: 1550,
    validity: 'DAY',
    tag,
  } as const;
}

const GATEWAYS_ORDER = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  product: 'INTRADAY',
};

/** The same order, as the gateway takes it. */
export const LIMIT_ORDER = JSON.stringify({ ...GATEWAYS_ORDER, orderType: 'LIMIT', price: 1550 });
export const MARKET_ORDER = JSON.stringify({ ...GATEWAYS_ORDER, orderType: 'MARKET' });
