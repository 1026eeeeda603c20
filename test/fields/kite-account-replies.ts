import type { Json } from './field-paths.ts';

/**
 * The shapes of Kite Connect's replies (Kite Connect docs), with values of our own: no two figures are
 * equal, so that each can be told from the others.
 */
export const POSITION: Json = {
  tradingsymbol: 'INFY',
  exchange: 'NSE',
  instrument_token: 408065,
  product: 'NRML',
  quantity: 30,
  overnight_quantity: 10,
  multiplier: 4,
  average_price: 151.5,
  close_price: 152.5,
  last_price: 153.5,
  value: -4545,
  pnl: 61,
  m2m: 62,
  unrealised: 63,
  realised: 64,
  buy_quantity: 50,
  buy_price: 154.5,
  buy_value: 7725,
  buy_m2m: 7626,
  sell_quantity: 20,
  sell_price: 155.5,
  sell_value: 3110,
  sell_m2m: 3111,
  day_buy_quantity: 40,
  day_buy_price: 156.5,
  day_buy_value: 6260,
  day_sell_quantity: 15,
  day_sell_price: 157.5,
  day_sell_value: 2362.5,
};

export const POSITIONS: Json = { net: [POSITION], day: [POSITION] };

export const HOLDINGS: Json = [
  {
    tradingsymbol: 'INFY',
    exchange: 'NSE',
    instrument_token: 408065,
    isin: 'INE009A01021',
    product: 'CNC',
    price: 0,
    quantity: 12,
    used_quantity: 2,
    t1_quantity: 3,
    realised_quantity: 9,
    authorised_quantity: 4,
    authorised_date: '2026-11-05 00:00:00',
    authorisation: {},
    opening_quantity: 11,
    short_quantity: 5,
    collateral_quantity: 6,
    collateral_type: 'equity',
    discrepancy: false,
    average_price: 1401,
    last_price: 1502,
    close_price: 1490,
    pnl: 1212,
    day_change: 12,
    day_change_percentage: 0.81,
    mtf: {
      quantity: 7,
      used_quantity: 1,
      average_price: 1399,
      value: 9793,
      initial_margin: 2450,
    },
  },
];

const segment = (from: number): Json => ({
  enabled: true,
  net: from,
  available: {
    adhoc_margin: from + 1,
    cash: from + 2,
    opening_balance: from + 3,
    live_balance: from + 4,
    collateral: from + 5,
    intraday_payin: from + 6,
  },
  utilised: {
    debits: from + 7,
    exposure: from + 8,
    m2m_realised: from + 9,
    m2m_unrealised: from + 10,
    option_premium: from + 11,
    payout: from + 12,
    span: from + 13,
    holding_sales: from + 14,
    turnover: from + 15,
    liquid_collateral: from + 16,
    stock_collateral: from + 17,
    delivery: from + 18,
  },
});

export const MARGINS: Json = { equity: segment(1000), commodity: segment(2000) };

export const PROFILE: Json = {
  user_id: 'AB1234',
  user_type: 'individual',
  email: 'owner@example.test',
  user_name: 'Asha Rao',
  user_shortname: 'Asha',
  broker: 'ZERODHA',
  exchanges: ['NSE', 'NFO'],
  products: ['CNC', 'NRML'],
  order_types: ['MARKET', 'LIMIT'],
  avatar_url: 'picture',
  meta: { demat_consent: 'physical' },
};

export const SESSION: Json = {
  user_type: 'individual',
  email: 'owner@example.test',
  user_name: 'Asha Rao',
  user_shortname: 'Asha',
  broker: 'ZERODHA',
  exchanges: ['NSE', 'NFO'],
  products: ['CNC', 'NRML'],
  order_types: ['MARKET', 'LIMIT'],
  avatar_url: 'picture',
  user_id: 'AB1234',
  api_key: 'kitekey',
  access_token: 'access-token-1',
  public_token: 'public-token-1',
  enctoken: 'enctoken-1',
  refresh_token: '',
  silo: '',
  login_time: '2026-11-06 09:01:02',
  meta: { demat_consent: 'physical' },
};
