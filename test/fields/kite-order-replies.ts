import type { Json } from './field-paths.ts';

const REGULAR = {
  placed_by: 'AB1234',
  order_id: '261106000000001',
  exchange_order_id: '1100000000000001',
  parent_order_id: null,
  status: 'CANCELLED',
  status_message: 'the order was cancelled',
  status_message_raw: 'RMS: the order was cancelled',
  order_timestamp: '2026-11-06 10:18:57',
  exchange_update_timestamp: '2026-11-06 10:18:58',
  exchange_timestamp: '2026-11-06 10:15:38',
  variety: 'regular',
  modified: false,
  exchange: 'NSE',
  tradingsymbol: 'INFY',
  instrument_token: 408065,
  order_type: 'SL',
  transaction_type: 'BUY',
  validity: 'DAY',
  product: 'NRML',
  quantity: 10,
  disclosed_quantity: 1,
  price: 1502,
  trigger_price: 1501,
  average_price: 1500.5,
  filled_quantity: 4,
  pending_quantity: 6,
  cancelled_quantity: 5,
  market_protection: 3,
  meta: {},
  tag: 'Elsewhere1',
  guid: 'guid-1',
};

const row = (number: number, changes: { readonly [key: string]: Json }): Json => ({
  ...REGULAR,
  ...{ order_id: `26110600000000${number}`, exchange_order_id: `110000000000000${number}` },
  ...{ order_type: 'LIMIT', trigger_price: 0, tag: null, guid: null },
  ...{ account_id: 'AB1234', terminal_id: '111111111111100', validity_ttl: 0 },
  ...changes,
});

const ICEBERG = {
  ...{ leg: 2, legs: 5, leg_quantity: 10 },
  ...{ total_quantity: 50, remaining_quantity: 30 },
};

/** The shapes of Kite Connect's orders (Kite Connect docs), with values of our own. */
export const ORDERS: Json = [
  REGULAR,
  row(2, { variety: 'iceberg', validity: 'TTL', validity_ttl: 2, meta: { iceberg: ICEBERG } }),
  row(3, { variety: 'auction', transaction_type: 'SELL', product: 'CNC', auction_number: '22' }),
  row(4, { tags: ['autoslice', 'autoslice:1953367517640548352'] }),
];

export const TRADES: Json = [
  {
    trade_id: '70001',
    order_id: '261106000000001',
    exchange_order_id: '1100000000000001',
    exchange: 'NSE',
    tradingsymbol: 'INFY',
    instrument_token: 408065,
    product: 'NRML',
    transaction_type: 'BUY',
    quantity: 4,
    average_price: 1500.5,
    fill_timestamp: '2026-11-06 10:16:00',
    order_timestamp: '10:16:00',
    exchange_timestamp: '2026-11-06 10:16:00',
  },
];
