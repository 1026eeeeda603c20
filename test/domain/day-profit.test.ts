import { describe, expect, it } from 'vitest';
import { dayProfitOf, needsQuote } from '../../src/domain/day-profit.ts';
import type { Position, Turnover } from '../../src/domain/portfolio.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { position } from '../execution/support/makers.ts';
import { QUOTE } from '../routes/support/samples.ts';

const turnover = (bought: number, paid: number, sold = 0, got = 0): Turnover => ({
  ...{ buyQuantity: bought, buyValue: paid, sellQuantity: sold, sellValue: got },
});
const NOTHING = turnover(0, 0);
const row = (parts: Partial<Position>): Position =>
  position({ product: 'INTRADAY', day: NOTHING, ...parts });
const quote = (parts: Partial<Quote> = {}): Quote => ({
  ...QUOTE,
  ...{ lastPrice: 100, bid: 99, ask: 101, previousClose: 90 },
  ...parts,
});
const profit = (of: Position, ...quotes: Quote[]): unknown => {
  const found = dayProfitOf([of], new Map(quotes.map((each) => [each.instrument, each])));
  return found.kind === 'known' ? found.rupees : found.reason;
};

describe('the day’s profit', () => {
  it('of a closed position is what was got less what was paid', () => {
    // The sample of the primary brokerage's documentation.
    expect(profit(row({ day: turnover(1, 1_149.4, 1, 1_146.85) }))).toBe(-2.55);
  });

  it('of what was carried over counts from the close of the day before', () => {
    // The sample of Kite's documentation: m2m is 276.
    const day = turnover(1, 23_388, 4, 93_360);
    const carried = turnover(3, 69_171);
    const of = row({ product: 'MARGIN', quantity: 0, day, carried });
    expect(profit(of, quote({ previousClose: 23_232 }))).toBe(276);
    expect(needsQuote(of)).toBe(true);
  });

  it('values what is long at the bid and what is short at the ask', () => {
    expect(profit(row({ quantity: 10, day: turnover(10, 1_000) }), quote())).toBe(-10);
    expect(profit(row({ quantity: -10, day: turnover(0, 0, 10, 1_000) }), quote())).toBe(-10);
    expect(profit(row({ product: 'MARGIN', quantity: 10 }), quote())).toBe(90);
  });

  it('takes the last price where there is no bid, and the broker’s without a quote', () => {
    const of = row({ quantity: 10, day: turnover(10, 1_000), lastPrice: 97 });
    expect(profit(of, quote({ bid: null }))).toBe(0);
    expect(profit(of)).toBe(-30);
  });

  it('counts units, where a quantity is in lots', () => {
    const of = row({ quantity: 1, multiplier: 1_000, day: turnover(1, 161_050), lastPrice: 160 });
    expect(profit(of)).toBe(-1_050);
  });

  it('of shares sold out of holdings is nothing, whatever they cost since', () => {
    const day = turnover(0, 0, 10, 1_000);
    expect(profit(row({ product: 'CNC', quantity: -10, day }), quote({ ask: 200 }))).toBe(0);
    const both = turnover(10, 900, 15, 1_500);
    expect(profit(row({ product: 'CNC', quantity: -5, day: both }), quote())).toBe(100);
  });

  it('of shares bought for delivery is that of today alone', () => {
    const of = row({ product: 'CNC', quantity: 10, day: turnover(10, 1_000) });
    expect(profit(of, quote())).toBe(-10);
    expect(profit(row({ product: 'CNC', quantity: 10, lastPrice: 1 }), quote())).toBe(0);
  });

  it('is the sum over all positions', () => {
    const rows = [row({ day: turnover(1, 10, 1, 7) }), row({ day: turnover(1, 10, 1, 8.5) })];
    expect(dayProfitOf(rows, new Map())).toEqual({ kind: 'known', rupees: -4.5 });
    expect(dayProfitOf([], new Map())).toEqual({ kind: 'known', rupees: 0 });
  });

  it.each([
    [
      'a row does not say what was traded today',
      position({ quantity: 1, lastPrice: 5 }),
      /traded today/,
    ],
    ['a position has no price', row({ quantity: 1, day: turnover(1, 5) }), /no price/],
    ['the close of the day before is missing', row({ quantity: 1, lastPrice: 5 }), /day before/],
    [
      'the figures of a row contradict each other',
      row({ quantity: 5, lastPrice: 5, carried: NOTHING }),
      /its quantity is 5, and what was carried over and traded today is 0/,
    ],
  ])('is unknown where %s, and never 0', (_what, of, reason) => {
    expect(profit(of)).toMatch(reason);
    const others = row({ day: turnover(1, 10, 1, 7) });
    expect(dayProfitOf([others, of], new Map()).kind).toBe('unknown');
  });
});
