import type { Json } from './field-paths.ts';

/**
 * The shapes of the primary brokerage's replies (docs/spec/primary-brokerage.md), with values of our
 * own: no two figures are equal, so that each can be told from the others.
 */
export const POSITIONS: Json = [
  {
    position_id: '1',
    security_id: '1594',
    symbol: 'INFY',
    segment: 'EQUITY',
    product: 'INTRADAY',
    exchange: 'NSE',
    isin: 'INE009A01021',
    drv_instrument: '',
    drv_expiry_date: '',
    drv_option_type: '',
    drv_strike_price: 0,
    net_qty: 30,
    avg_price: 1501.5,
    buy_qty: 50,
    buy_avg: 1502.5,
    sell_qty: 20,
    sell_avg: 1503.5,
    realized_profit: 64,
    day_buy_qty: 40,
    day_buy_val: 60000,
    day_sell_qty: 15,
    day_sell_val: 22500,
    cf_buy_qty: 10,
    cf_buy_val: 15125,
    cf_sell_qty: 5,
    cf_sell_val: 7570,
  },
];

export const OLDER_POSITIONS: Json = {
  net_positions: [
    {
      security_id: '1594',
      trading_symbol: 'INFY',
      exchange_segment: 'NSE_EQ',
      product_type: 'INTRADAY',
      net_quantity: 30,
      average_price: 1501.5,
      last_traded_price: 1504.5,
      market_value: 45135,
      pnl_absolute: 61,
      multiplier: 4,
      position_type: 'LONG',
    },
  ],
};

export const HOLDINGS: Json = [
  {
    security_id: '1594',
    symbol: 'INFY',
    isin: 'INE009A01021',
    total_qty: 12,
    used_qty: 2,
    avg_price: 1401,
    t1_qty: 3,
    t1_avg_price: 1402,
    dp_qty: 9,
    dp_avg_price: 1403,
  },
];

export const FUNDS: Json = {
  sod_balance: 1001,
  pledge_received: 1002,
  pledge_remained: 1003,
  detailed_avl_balance: {
    option_sell: 1004,
    future: 1005,
    option_buy: 1006,
    comm_option_buy: 1007,
    eq_mis: 1008,
    eq_cnc: 1009,
    eq_mtf: 1010,
  },
  withdrawal_balance: 1011,
  funds_added: 1012,
  funds_withdrawn: 1013,
  realized_pnl: 1014,
  unrealized_pnl: 1015,
  brokerage: 1016,
  eq_charges: 1017,
  fno_charges: 1018,
};

export const PROFILE: Json = {
  user_id: '1234567',
  email: 'owner@example.test',
  first_name: 'Asha',
  last_name: 'Rao',
  demat_id: '1200000000000001',
  is_nse_onboarded: true,
  is_bse_onboarded: true,
  is_nse_fno_onboarded: true,
  is_bse_fno_onboarded: false,
  ucc: 'CLIENT1',
  is_ddpi_active: true,
};
