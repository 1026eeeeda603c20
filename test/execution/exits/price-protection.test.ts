import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import { type AskedExitPrice, exitPrice } from '../../../src/execution/exits/exit-price.ts';
import { priceProtection } from '../../../src/execution/exits/price-protection.ts';
import { plus } from '../../../src/units/branded.ts';
import { AT, instrument } from '../support/makers.ts';
import { quoteAt } from './support/exit-bench.ts';

const contract = (tradingSymbol: string, parts: Partial<Instrument> = {}): Instrument =>
  instrument({
    ...{ name: `NFO:${tradingSymbol}`, exchange: 'NFO', tradingSymbol, segment: 'DERIVATIVE' },
    ...parts,
  });
const OPTION = contract('NIFTY26NOV24450CE', { optionType: 'CE' });
const INDEX_FUTURE = contract('BANKNIFTY26NOVFUT');
const STOCK_FUTURE = contract('INFY26NOVFUT');

const tradedAgo = (ms: number, lastPrice: number, parts: Partial<Quote> = {}): Quote => {
  const none = { averagePrice: null, lastQuantity: null, buyQuantity: null, sellQuantity: null };
  const interest = { openInterest: null, openInterestHigh: null, openInterestLow: null };
  const trading = { ...none, ...interest, lastTradeAt: plus(AT, -ms) };
  return quoteAt(lastPrice, { trading, ...parts });
};

const rangeOf = (of: Instrument, quote: Quote): readonly [number, number] | null => {
  const range = priceProtection(of, quote, AT);
  return range && [range.lower.toNumber(), range.upper.toNumber()];
};

describe('the price protection of the exchange', () => {
  it.each([
    ['an option', OPTION, 50, [30, 70]],
    ['an option above ₹50', OPTION, 60, [36, 84]],
    ['an index future', INDEX_FUTURE, 10_000, [9_800, 10_200]],
    ['an index future above ₹10,000', INDEX_FUTURE, 50_000, [49_000, 51_000]],
    ['a stock future', STOCK_FUTURE, 50, [48.5, 51.5]],
    ['a stock future above ₹50', STOCK_FUTURE, 1_500, [1_455, 1_545]],
  ])('of %s is round its last price', (_of, of, lastPrice, range) => {
    expect(rangeOf(of, tradedAgo(1_000, lastPrice))).toEqual(range);
  });

  it('is not known after fifteen minutes without a trade, nor without its time, nor of shares and other exchanges', () => {
    expect(rangeOf(OPTION, tradedAgo(15 * 60_000, 60))).not.toBeNull();
    expect(rangeOf(OPTION, tradedAgo(15 * 60_000 + 1, 60))).toBeNull();
    expect(rangeOf(OPTION, quoteAt(60))).toBeNull();
    expect(rangeOf(OPTION, tradedAgo(0, 0))).toBeNull();
    expect(rangeOf(instrument(), tradedAgo(0, 60))).toBeNull();
    expect(rangeOf({ ...OPTION, exchange: 'BFO' }, tradedAgo(0, 60))).toBeNull();
  });
});

describe('the price of an exit', () => {
  const priceOf = (parts: Partial<AskedExitPrice>) =>
    exitPrice({
      ...{ side: 'SELL', quantity: 75, instrument: OPTION, quote: null, now: AT, attempt: 1 },
      settings: { limitOffsetPercent: 0.3, widening: 1 },
      ...parts,
    });

  it('stays inside the price protection, and is replaced there: the range moves', () => {
    const held = (price: number) => ({
      ...{ kind: 'limit', price, atBand: false, atProtection: true },
    });
    const far = tradedAgo(0, 100, { bid: 20, ask: 300 });
    expect(priceOf({ quote: far })).toEqual(held(60));
    expect(priceOf({ quote: far, side: 'BUY' })).toEqual(held(140));
    const old = { ...far, trading: tradedAgo(3_600_000, 100).trading! };
    expect(priceOf({ quote: old })).toMatchObject({ price: 19.9 });
  });

  it('goes by the tighter one of the circuit and the price protection', () => {
    const of = (lowerCircuit: number) => tradedAgo(0, 100, { bid: 20, lowerCircuit });
    expect(priceOf({ quote: of(50) })).toMatchObject({ price: 60, atBand: false });
    const atCircuit = priceOf({ quote: of(70) });
    expect(atCircuit).toEqual({ kind: 'limit', price: 70, atBand: true });
  });

  it('goes by the circuit alone where the range lies beside it', () => {
    const quote = tradedAgo(0, 100, { bid: 20, lowerCircuit: 10, upperCircuit: 40 });
    expect(priceOf({ quote })).toMatchObject({ price: 19.9 });
  });

  it.each([
    [60, null, 36],
    [60, 40, 40],
    // 20 below it is less than a tick.
    [15, null, 0.05],
    [15, 2, 2],
  ])(
    'of what nobody bids for, last ₹%s and with a circuit of %s, would rest at ₹%s',
    (last, lowerCircuit, edge) => {
      expect(priceOf({ quote: tradedAgo(0, last, { lowerCircuit }) })).toEqual({
        kind: 'no_bid',
        edge,
      });
    },
  );
});
