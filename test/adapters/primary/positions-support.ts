import { answered, success } from './support.ts';

/** A row of a position in a share, as the brokerage writes it. */
export const position = {
  position_id: '1',
  security_id: '1594',
  symbol: 'INFY',
  segment: 'EQUITY',
  product: 'ECHO',
  exchange: 'NSE',
  net_qty: -5,
  avg_price: 1146.85,
  buy_qty: 1,
  sell_qty: 6,
  realized_profit: -2.55,
  day_buy_qty: null,
  cf_buy_qty: null,
};

/** What it answers to a question that it does not know, and where there is no position. */
export const refused = answered(400, { status: 'error', message: 'no' });
export const none = success([]);
