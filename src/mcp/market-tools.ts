import type { ToolDefinition, ToolHints } from './tool-definition.ts';

/** Asks a broker, or prices that the gateway has from one. */
export const READS_BROKER: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
/** Reads what the gateway itself holds. */
export const READS_GATEWAY: ToolHints = { ...READS_BROKER, openWorldHint: false };

const lists = ['instruments'];
const describe = {
  instruments: 'Instruments, such as INFY, NSE:INFY, NSE:NIFTY 50 or NFO:NIFTY26NOV24450CE',
};

/** Prices, instruments and the calendar: the same for every key. */
export const MARKET_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_quotes',
    title: 'Quotes',
    description:
      'Quotes of up to 500 instruments: last price, day prices, volume, best bid and ask, depth, circuit limits, ' +
      'open interest. Figures that the broker does not give are null. `errors` says which instruments have none.',
    route: 'GET /api/v1/quotes',
    hints: READS_BROKER,
    lists,
    describe,
  },
  {
    name: 'get_ltp',
    title: 'Last prices',
    description: 'Last traded prices of up to 500 instruments, in rupees.',
    route: 'GET /api/v1/ltp',
    hints: READS_BROKER,
    lists,
    describe,
  },
  {
    name: 'get_ohlc',
    title: 'Prices of the day',
    description:
      "The day's open, high and low, the close before, and the last price, of up to 500 instruments.",
    route: 'GET /api/v1/ohlc',
    hints: READS_BROKER,
    lists,
    describe,
  },
  {
    name: 'get_candles',
    title: 'Candles',
    description:
      'Candles of an instrument, oldest first, with volume and open interest. Times are Indian (IST): ' +
      '2026-11-20T09:15. Ask for no longer a range than you need: the answer may be long.',
    route: 'GET /api/v1/candles',
    hints: READS_BROKER,
  },
  {
    name: 'get_option_chain',
    title: 'Option chain',
    description:
      'Calls and puts of an underlying for one expiry, by strike, with prices, open interest, volatility and ' +
      'greeks. Name `strikes` to get only those around the price.',
    route: 'GET /api/v1/option-chain',
    hints: READS_BROKER,
  },
  {
    name: 'get_expiries',
    title: 'Expiries',
    description: 'Days on which options on an instrument expire.',
    route: 'GET /api/v1/expiries',
    hints: READS_BROKER,
  },
  {
    name: 'search_instruments',
    title: 'Search instruments',
    description:
      'Finds instruments by words of their symbol or name. Search before you trade, where you are not sure of ' +
      'the exact name; `lotSize` and `tickSize` are needed for an order.',
    route: 'GET /api/v1/instruments',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_instrument',
    title: 'One instrument',
    description:
      'One instrument by its name (NSE:INFY), its symbol alone (INFY) or its security id (NSE_1594).',
    route: 'GET /api/v1/instruments/{instrument}',
    hints: READS_GATEWAY,
  },
  {
    name: 'get_calendar',
    title: 'Trading days',
    description: 'Which days are trading days, with holidays and special sessions.',
    route: 'GET /api/v1/calendar',
    hints: READS_GATEWAY,
  },
];
