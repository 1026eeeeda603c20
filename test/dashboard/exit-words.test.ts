import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import { exitWords, needsHoldings } from '../../dashboard/src/pure/exit-words.ts';
import { positionOf } from './support/samples.ts';

type Position = Schemas['Position'];

const holding = (changes: Partial<Schemas['Holding']>) =>
  ({ instrument: 'NSE:INFY', isin: null, quantity: 10, ...changes }) as Schemas['Holding'];
const cnc = (changes: Partial<Position>) => positionOf({ product: 'CNC', isin: null, ...changes });
const exitOf = (
  position: Position,
  holdings: readonly Schemas['Holding'][] | null,
  others: readonly Position[] = [],
) => exitWords(position, { broker: 'alt', positions: [position, ...others] }, holdings);

describe('an exit of what is no delivery', () => {
  it('ends the row, whichever side it is on', () => {
    expect(exitOf(positionOf({ quantity: 1_000 }), null)).toMatchObject({
      ...{ what: 'SELL 1,000 NSE:INFY INTRADAY at alt', verb: 'sold' },
    });
    expect(exitOf(positionOf({ quantity: -10 }), null)).toMatchObject({
      ...{ what: 'BUY 10 NSE:INFY INTRADAY at alt', verb: 'bought back' },
    });
    expect(exitOf(positionOf({ quantity: 0 }), null)).toBeNull();
  });
});

describe('an exit of delivery shares', () => {
  const sold = cnc({ quantity: -4 });
  const isin = 'INE009A01021';

  it('sells what is still held after a sale of today, and never buys', () => {
    expect(
      exitOf(sold, [holding({}), holding({ instrument: 'NSE:TCS', quantity: 99 })]),
    ).toMatchObject({ what: 'SELL 6 NSE:INFY CNC at alt', verb: 'sold' });
  });

  it('sells the holdings too of shares that were bought today', () => {
    expect(exitOf(cnc({ quantity: 5 }), [holding({})])?.what).toBe('SELL 15 NSE:INFY CNC at alt');
    expect(exitOf(cnc({ quantity: 5 }), [])?.what).toBe('SELL 5 NSE:INFY CNC at alt');
  });

  it('is not offered where all was sold', () => {
    expect(exitOf(sold, [holding({ quantity: 4 })])).toBeNull();
    expect(exitOf(sold, [])).toBeNull();
  });

  it('names no number where the holdings are not known', () => {
    const words = exitOf(sold, null);
    expect(words).toMatchObject({ what: 'SELL what is held of NSE:INFY CNC at alt', verb: 'sold' });
    expect(words?.note).toContain('not known to the page');
  });

  it('counts the shares of the other exchange by their ISIN, less what was sold there', () => {
    const elsewhere = { instrument: 'BSE:INFY', isin };
    const here = cnc({ quantity: -4, isin });
    expect(exitOf(here, [holding(elsewhere)])?.what).toBe('SELL 6 NSE:INFY CNC at alt');
    const more = (quantity: number) => [cnc({ ...elsewhere, quantity })];
    expect(exitOf(here, [holding({ isin })], more(-2))?.what).toBe('SELL 4 NSE:INFY CNC at alt');
    // Bought there today: not delivered yet.
    expect(exitOf(here, [holding({ isin })], more(2))?.what).toBe('SELL 6 NSE:INFY CNC at alt');
  });

  it('names no number where the other exchange has the symbol and nobody tells whether it is the same', () => {
    const words = exitOf(sold, [holding({ instrument: 'BSE:INFY', isin })]);
    expect(words?.what).toBe('SELL what is held of NSE:INFY CNC at alt');
    const others = [cnc({ instrument: 'BSE:INFY' })];
    expect(exitOf(sold, [holding({})], others)?.what).toContain('what is held of');
  });

  it('needs the holdings where a row of CNC is open, and not otherwise', () => {
    expect(needsHoldings({ positions: [sold] })).toBe(true);
    expect(needsHoldings({ positions: [positionOf({}), cnc({ quantity: 0 })] })).toBe(false);
    expect(needsHoldings({ positions: null })).toBe(false);
  });
});
