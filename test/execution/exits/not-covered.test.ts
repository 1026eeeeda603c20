import { describe, expect, it } from 'vitest';
import type { Holding } from '../../../src/domain/portfolio.ts';
import { notCovered } from '../../../src/execution/exits/not-covered.ts';
import { portfolio, position } from '../support/makers.ts';

const ISINS: Readonly<Record<string, string>> = {
  'NSE:INFY': 'INE009A01021',
  'BSE:INFY': 'INE009A01021',
};
const isinOf = (name: string): string | null => ISINS[name] ?? null;
const CNC = { instrument: 'NSE:INFY', product: 'CNC', side: 'SELL' } as const;

const holding = (parts: Partial<Holding>): Holding => ({
  ...{ instrument: 'NSE:INFY', isin: null, quantity: 0, usedQuantity: 0, t1Quantity: 0 },
  ...{ averagePrice: null, lastPrice: null },
  ...parts,
});

describe('what an exit of delivery shares cannot sell', () => {
  it('is what is held under MTF, pledged, or in unknown number, on whichever exchange', () => {
    const account = portfolio({
      positions: [position({ instrument: 'BSE:INFY', product: 'MTF', quantity: 7 })],
      holdings: [
        holding({ instrument: 'BSE:INFY', isin: 'INE009A01021', mtfQuantity: 1_000 }),
        holding({ pledgedQuantity: null }),
        holding({ instrument: 'NSE:TCS', isin: 'INE467B01029', mtfQuantity: 1 }),
      ],
    });
    expect(notCovered(account, CNC, isinOf)).toEqual([
      '7 under MTF',
      '1000 under MTF among the holdings',
      'an unreadable number pledged',
    ]);
  });

  it.each(['NSE:INFY', 'BSE:INFY', null])(
    'is a row of holdings as %j that cannot be read',
    (name) => {
      const row = { list: 'holdings', instrument: name, product: null, quantity: null } as const;
      const account = portfolio({ unread: [{ ...row, reason: 'no quantity' }] });
      expect(notCovered(account, CNC, isinOf)).toEqual([
        'a row of the holdings that cannot be read (no quantity)',
      ]);
      const other = { ...CNC, instrument: 'NSE:TCS' };
      expect(notCovered(account, other, isinOf)).toHaveLength(name === null ? 1 : 0);
    },
  );

  it('is nothing of the holdings for an exit of a position of the day', () => {
    const account = portfolio({ holdings: [holding({ mtfQuantity: 5 })] });
    expect(notCovered(account, { ...CNC, product: 'INTRADAY' }, isinOf)).toEqual([]);
  });
});
