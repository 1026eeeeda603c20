import type { OptionChainQuery } from '../../../src/domain/option-chain.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, instrument, option, setUp } from './support.ts';

export const nifty = instrument({
  name: 'NSE:NIFTY 50',
  tradingSymbol: 'NIFTY 50',
  segment: 'INDEX',
  securityId: '40000001',
});
export const contract = (securityId: string, strike: number, optionType: 'CE' | 'PE') =>
  instrument({
    ...option,
    name: `NFO:NIFTY26NOV${strike}${optionType}`,
    securityId,
    expiry: '2026-11-24',
    strike,
    optionType,
  });
export const listed = [nifty, contract('1', 24450, 'CE'), contract('2', 24450, 'PE')];

/** One side of a strike, as the brokerage writes it. */
export const leg = (securityId: string, more: object = {}) => ({
  security_id: securityId,
  trading_symbol: 'NIFTY-Nov2026-24450-CE',
  last_price: 182.4,
  previous_close_price: '176.1',
  oi: 91_000,
  previous_oi: 84_500,
  volume: '5,82,909',
  top_bid_price: 182.3,
  top_bid_quantity: 650,
  top_ask_price: 182.5,
  top_ask_quantity: 130,
  iv: 11.8,
  greeks: { delta: 0.52, gamma: 0.0009, theta: -9.1, vega: 11.2 },
  ...more,
});
export const missing = answered(404, { status: 'error', message: 'Route not found' });
export const query = (changes: Partial<OptionChainQuery> = {}): OptionChainQuery => ({
  underlying: nifty,
  expiry: '2026-11-24',
  strikes: null,
  ...changes,
});

/** A broker that answers each path by its own. */
export function serving(replies: Readonly<Record<string, HttpReply>>) {
  const set = setUp({ respond: (_, url) => replies[url.pathname] ?? missing, instruments: listed });
  return { ...set, paths: () => set.transport.urls.map((url) => url.pathname) };
}
