import type { Json } from './field-paths.ts';

/** The shapes of the primary brokerage's market data, with values of our own. */
export const QUOTE: Json = {
  live_price: 1501.1,
  day_open: 1503.3,
  day_high: 1521.75,
  day_low: 1495.55,
  prev_close: 1489.65,
  day_change: 11.45,
  day_change_percentage: 0.77,
  volume: 7360198,
  best_bid_price: 1501,
  best_ask_price: 1501.2,
  '52week_high': 1990.05,
  '52week_low': 1310,
  upper_circuit: 1650.6,
  lower_circuit: 1350.7,
  market_depth: {
    aggregate: { total_buy: '4,100', total_sell: '5,191' },
    depth: [
      {
        buy: { price: 1501, quantity: 40, orders: 3 },
        sell: { price: 1501.2, quantity: 51, orders: 13 },
      },
    ],
  },
};

export const LTP: Json = { live_price: 1501.1 };

/** Friday 6 November 2026, 09:15 IST. */
export const CANDLES: Json = {
  candles: [{ ts: 1_793_936_700, o: 1704.5, h: 1705, l: 1699.25, c: 1702.8, v: 2499 }],
};
