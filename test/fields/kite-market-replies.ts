import type { Json } from './field-paths.ts';

/** The shapes of Kite Connect's market data (Kite Connect docs), with values of our own. */
export const QUOTE: Json = {
  instrument_token: 408065,
  timestamp: '2026-11-06 10:45:56',
  last_trade_time: '2026-11-06 10:45:52',
  last_price: 1501.1,
  last_quantity: 5,
  buy_quantity: 4100,
  sell_quantity: 5191,
  volume: 7360198,
  average_price: 1502.2,
  oi: 61,
  oi_day_high: 62,
  oi_day_low: 63,
  net_change: 0,
  lower_circuit_limit: 1350.7,
  upper_circuit_limit: 1650.6,
  ohlc: { open: 1503.3, high: 1521.75, low: 1495.55, close: 1489.65 },
  depth: {
    buy: [{ price: 1501, quantity: 40, orders: 3 }],
    sell: [{ price: 1501.2, quantity: 51, orders: 13 }],
  },
};

export const OHLC: Json = {
  instrument_token: 408065,
  last_price: 1501.1,
  ohlc: { open: 1503.3, high: 1521.75, low: 1495.55, close: 1489.65 },
};

export const LTP: Json = { instrument_token: 408065, last_price: 1501.1 };

/** With open interest, as it is asked for. */
export const CANDLES: Json = {
  candles: [['2026-11-06T09:15:00+0530', 1704.5, 1705, 1699.25, 1702.8, 2499, 1271]],
};
