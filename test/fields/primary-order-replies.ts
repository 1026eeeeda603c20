import type { Json } from './field-paths.ts';

/** The shapes of the primary brokerage's orders, with values of our own. */
export const ORDER_BOOK: Json = [
  {
    created_at: '2026-11-06T10:15:38.446948+05:30',
    updated_at: '2026-11-06T10:18:58.498595+05:30',
    user_id: '1234567',
    security_id: '1594',
    isin: 'INE009A01021',
    name: 'Infosys',
    id: 'EQ-28131451',
    exch_order_id: '1300000002340881',
    txn_type: 'BUY',
    exchange: 'NSE',
    segment: 'EQUITY',
    product: 'CNC',
    order_type: 'LIMIT',
    validity: 'DAY',
    mkt_type: 'NL',
    off_mkt_flag: 'false',
    traded_qty: 4,
    requested_qty: 10,
    requested_price: '1502',
    traded_price: '1500.5',
    sl_trigger_price: '1490',
    sl_limit_price: '1489',
    tgt_trigger_price: '1520',
    tgt_limit_price: '1519',
    status: 'CANCELLED',
    extra_info: 'the order was cancelled',
    remarks: 'momentum-v2',
  },
];

export const TRADE_BOOK: Json = [
  {
    fill_id: 1020280,
    exch_order_id: '1300000002340881',
    quantity: 4,
    price: 1500.5,
    trade_date: '2026-11-06T10:16:00+05:30',
    trade_serial_no: '17628437030186581215',
    scrip_code: 'NSE_1594',
    remarks: 'momentum-v2',
  },
];
