import type { SignalTemplate } from '../../../src/domain/signal-template.ts';

/** The template for a strategy of TradingView, as docs/signals.md has it. */
export const TRADINGVIEW: SignalTemplate = {
  id: '{id} {at}',
  time: '{at}',
  text: null,
  forEach: [],
  order: {
    instrument: '{exchange}:{ticker}',
    side: '{action}',
    quantity: '{quantity}',
    orderType: 'MARKET',
    product: 'INTRADAY',
  },
  words: { instrument: { 'NSE:M_M': 'NSE:M&M' } },
  maxQuantity: 50,
};

/** What TradingView posts for the message of docs/signals.md. */
export const ALERT = {
  id: 'Long',
  action: 'buy',
  exchange: 'NSE',
  ticker: 'INFY',
  quantity: 10,
  at: '2026-11-23T03:45:01Z',
};

/** The template for a scan of ChartInk, as docs/signals.md has it. */
export const CHARTINK: SignalTemplate = {
  id: '{scan_url} {triggered_at} {stocks} {@day}',
  time: null,
  text: null,
  forEach: ['stocks', 'trigger_prices'],
  order: {
    instrument: 'NSE:{stocks}',
    side: 'BUY',
    quantity: 1,
    orderType: 'LIMIT',
    price: '{trigger_prices}',
    product: 'INTRADAY',
  },
  words: {},
  maxQuantity: null,
};

export const SCAN = {
  stocks: 'INFY,TCS',
  trigger_prices: '1500.5,3000',
  triggered_at: '9:20 am',
  scan_name: 'Breakouts',
  scan_url: 'breakouts',
  alert_name: 'Alert for Breakouts',
};
