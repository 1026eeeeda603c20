import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import type { EpochMs } from '../../../src/units/branded.ts';

/** Rupees; it never changes. */
export const LAST_PRICE = 1_500;

export const INFOSYS: Instrument = {
  name: 'NSE:INFY',
  exchange: 'NSE',
  tradingSymbol: 'INFY',
  segment: 'EQUITY',
  securityId: '1594',
  instrumentToken: null,
  lotSize: 1,
  tickSize: 0.05,
  freezeQuantity: null,
  isin: 'INE009A01021',
  displayName: 'Infosys',
  expiry: null,
  strike: null,
  optionType: null,
};

const LEVELS = [1, 2, 3, 4, 5];
const SHARES_A_LEVEL = 100;

/** The levels that an order of this side can trade against, best first. The last has any quantity. */
export function ladder(
  side: Side,
): readonly { readonly price: number; readonly quantity: number }[] {
  const sign = side === 'BUY' ? 1 : -1;
  return LEVELS.map((level) => ({
    price: Number((LAST_PRICE + sign * level * 0.05).toFixed(2)),
    quantity: level === LEVELS.length ? Infinity : SHARES_A_LEVEL,
  }));
}

export function quoteOf(instrument: Instrument, at: EpochMs): Quote | null {
  if (instrument.name !== INFOSYS.name) return null;
  const levels = (side: Side) =>
    ladder(side).map(({ price }) => ({ price, quantity: SHARES_A_LEVEL, orders: null }));
  const [buy, sell] = [levels('SELL'), levels('BUY')];
  return {
    instrument: INFOSYS.name,
    lastPrice: LAST_PRICE,
    open: 1_490,
    high: 1_510,
    low: 1_485,
    previousClose: 1_490,
    change: 10,
    changePercent: 0.67,
    volume: 1_000_000,
    bid: buy[0]?.price ?? null,
    ask: sell[0]?.price ?? null,
    depth: { buy, sell },
    upperCircuit: 1_650,
    lowerCircuit: 1_350,
    at,
  };
}
