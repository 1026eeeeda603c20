import { describe, expect, it } from 'vitest';
import {
  type Account,
  cancelAllWords,
  closeAllWords,
  killSwitchWords,
} from '../../dashboard/src/pure/stop-words.ts';
import { orderOf, positionOf } from './support/samples.ts';

describe('a stop button says before it does something', () => {
  it('what the kill switch leaves as it is', () => {
    const words = killSwitchWords([orderOf({}), orderOf({ id: 'b' })]);
    expect(words.notes.join(' ')).toContain('Cancels, exits and orders that only reduce');
    expect(words.notes.join(' ')).toContain('It cancels nothing: 2 open orders will stay open');
  });

  it('which orders are cancelled, where, and with what money', () => {
    const words = cancelAllWords([orderOf({ price: 1500 })], true);
    expect(words.lead).toContain('also those placed elsewhere');
    expect(words.items).toEqual(['BUY 10 NSE:INFY CNC LIMIT ₹1,500.00 at alt (real money)']);
    const own = cancelAllWords([orderOf({})], false);
    expect(own.lead).toBe(
      'Cancels the open orders of your key, and no others. The page knows of 1 open order:',
    );
    expect(cancelAllWords(null, false).lead).toContain(
      'cannot be read now: the gateway finds them',
    );
  });

  it('no more than eight lines, and how many more there are', () => {
    const open = Array.from({ length: 20 }, (_, number) => orderOf({ id: `o${number}` }));
    const { items } = cancelAllWords(open, true);
    expect(items).toHaveLength(8);
    expect(items.at(-1)).toBe('and 13 more');
  });

  it('which positions are ended in which direction, and which accounts it cannot see', () => {
    const words = closeAllWords(
      [
        {
          ...{ broker: 'paper', mode: 'paper', problem: null },
          positions: [
            positionOf({ quantity: 10 }),
            positionOf({ instrument: 'NFO:X', quantity: -50 }),
            positionOf({ quantity: 0 }),
          ],
        },
        { broker: 'alt', mode: 'live', positions: null, problem: 'away' },
      ],
      null,
    );
    expect(words.items).toEqual([
      'SELL 10 NSE:INFY INTRADAY at paper (paper)',
      'BUY 50 NFO:X INTRADAY at paper (paper)',
    ]);
    expect(words.notes.join(' ')).toContain('The positions at alt cannot be read now');
  });

  it('that delivery shares stay, bought today or before, and counts them apart', () => {
    const of = (...positions: readonly ReturnType<typeof positionOf>[]) =>
      closeAllWords([{ broker: 'alt', mode: 'live', positions, problem: null }], null);
    const cnc = { product: 'CNC' };
    const words = of(
      positionOf({}),
      positionOf({ ...cnc, quantity: -5 }),
      positionOf({ ...cnc, instrument: 'NSE:TCS', quantity: 3 }),
    );
    expect(words.lead).toContain('every position but delivery shares');
    expect(words.lead).toContain('knows of 1 position:');
    expect(words.items).toEqual(['SELL 10 NSE:INFY INTRADAY at alt (real money)']);
    expect(words.notes.join(' ')).toContain(
      'Delivery shares (CNC) stay, bought today or before: 2 rows of them are among the positions',
    );
    expect(of(positionOf({})).notes.join(' ')).toContain('stay, bought today or before. Sell them');
  });

  it('what a closing does with an account, and with a row, that cannot be read', () => {
    const alt = { broker: 'alt', mode: 'live', positions: null, problem: 'away' } as const;
    const words = closeAllWords([alt], null);
    expect(words.lead).toContain('0 positions:');
    const [note] = words.notes;
    expect(note).toContain('cannot read an account, it closes nothing, at no broker');
    expect(note).toContain('one row of it cannot be read, it leaves that row open and names it');
  });

  it('what of an account is the key’s and closed, and what of it stays', () => {
    const short = { instrument: 'NFO:X', product: 'MARGIN' };
    const alt: Account = {
      ...{ broker: 'alt', mode: 'live', problem: null },
      positions: [
        positionOf({ quantity: 10 }),
        positionOf({ ...short, quantity: -50 }),
        positionOf({ instrument: 'NSE:TCS', quantity: 3 }),
        positionOf({ instrument: 'NSE:SBIN', quantity: -4 }),
      ],
    };
    const own = {
      ...{ broker: 'alt', problem: null, uncertain: ['ord_9'] },
      positions: [
        positionOf({ quantity: 4 }),
        // More than the account has, another product, and the other side.
        positionOf({ ...short, quantity: -75 }),
        positionOf({ instrument: 'NSE:TCS', product: 'MARGIN', quantity: 3 }),
        positionOf({ instrument: 'NSE:SBIN', quantity: 4 }),
      ],
    };
    const words = closeAllWords([alt], [own]);
    expect(words.lead).toContain('what the orders of your key have bought and sold, and nothing');
    expect(words.lead).toContain('knows of 2 positions:');
    expect(words.items).toEqual([
      'SELL 4 NSE:INFY INTRADAY at alt (real money)',
      'BUY 50 NFO:X MARGIN at alt (real money)',
    ]);
    expect(words.stays?.lead).toContain('orders of other keys');
    expect(words.stays?.items).toEqual([
      '6 NSE:INFY INTRADAY at alt (real money)',
      '3 NSE:TCS INTRADAY at alt (real money)',
      '−4 NSE:SBIN INTRADAY at alt (real money)',
    ]);
    const notes = words.notes.join(' ');
    expect(notes).toContain('How much of ord_9 has filled is not known');
    expect(notes).toContain('cover a short contract that stays is kept open as well');
    expect(closeAllWords([alt], null).stays).toBeUndefined();
  });

  it('nothing of an account of which the part of the key is not known', () => {
    const alt: Account = {
      broker: 'alt',
      mode: 'live',
      problem: null,
      positions: [positionOf({})],
    };
    for (const own of [
      [],
      [{ broker: 'alt', positions: null, problem: 'the journal is away', uncertain: [] }],
    ]) {
      const words = closeAllWords([alt], own);
      expect([words.items, words.stays]).toEqual([[], undefined]);
      expect(words.notes[0]).toMatch(/^What of alt is your key’s is not known .*closes that alone/);
    }
  });
});
