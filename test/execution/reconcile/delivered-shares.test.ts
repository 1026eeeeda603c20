import { describe, expect, it } from 'vitest';
import type { Holding } from '../../../src/domain/portfolio.ts';
import { sameDelivered } from '../../../src/execution/reconcile/delivered-shares.ts';
import { decidePortfolio, heldOf, unclearRowOf } from '../../../src/execution/reconcile/held.ts';
import { otherAccountHolding, reducesPosition } from '../../../src/execution/submit/reduce-only.ts';
import {
  accept,
  AT,
  DAY,
  NOTHING_BESIDE,
  orderRecord,
  portfolio,
  position,
  stateOf,
  terms,
} from '../support/makers.ts';

const AT_NSE = 'NSE:INFY';
const AT_BSE = 'BSE:INFY';
const NO_LIST = (): null => null;
const sale = (instrument: string) => ({ instrument, product: 'CNC', side: 'SELL' }) as const;

const holding = (parts: Partial<Holding> = {}): Holding => ({
  ...{ instrument: AT_NSE, isin: 'INE009A01021', quantity: 10, usedQuantity: 0, t1Quantity: 0 },
  ...{ averagePrice: null, lastPrice: null },
  ...parts,
});
const delivery = (instrument: string, quantity: number) =>
  position({ instrument, product: 'CNC', quantity });

describe('two names of delivered shares', () => {
  const isins: Readonly<Record<string, string>> = {
    'NSE:ONE': 'INE1',
    'BSE:ONE': 'INE1',
    'BSE:FIRST': 'INE1',
    'NSE:TWO': 'INE2',
    'BSE:TWO': 'INE3',
    'NSE:HALF': 'INE4',
  };
  const isinOf = (name: string): string | null => isins[name] ?? null;

  it.each([
    ['NSE:ONE', 'NSE:ONE', 'known'],
    ['NSE:ONE', 'BSE:ONE', 'known'],
    ['NSE:ONE', 'BSE:FIRST', 'known'],
    ['NSE:TWO', 'BSE:TWO', 'no'],
    ['NSE:HALF', 'BSE:HALF', 'likely'],
    ['NSE:NONE', 'BSE:NONE', 'likely'],
    ['NSE:NONE-BE', 'BSE:NONE', 'likely'],
    ['NSE:NONE', 'BSE:OTHER', 'no'],
    ['NFO:NONE', 'BFO:NONE', 'no'],
  ])('%s and %s are the same: %s', (one, other, sameness) => {
    expect(sameDelivered(one, other, isinOf)).toBe(sameness);
    expect(sameDelivered(other, one, isinOf)).toBe(sameness);
  });
});

describe('what is held of delivery shares whose other exchange no list tells apart', () => {
  it('is less what was sold on the other exchange, and never more for what is held there', () => {
    const sold = portfolio({ holdings: [holding()], positions: [delivery(AT_BSE, -4)] });
    expect(heldOf(sold, sale(AT_NSE), NO_LIST)).toBe(6);
    const held = portfolio({ holdings: [holding()] });
    expect(heldOf(held, sale(AT_BSE), NO_LIST)).toBe(0);
    expect(heldOf(held, sale(AT_BSE), NO_LIST, { likely: true })).toBe(10);
  });

  it('is not negative where what was sold was held under the other name', () => {
    const account = portfolio({ holdings: [holding()], positions: [delivery(AT_BSE, -10)] });
    expect(heldOf(account, sale(AT_BSE), NO_LIST)).toBe(0);
    const more = portfolio({ holdings: [holding()], positions: [delivery(AT_BSE, -15)] });
    expect(heldOf(more, sale(AT_BSE), NO_LIST)).toBe(-5);
  });

  it('is unclear where the row of the other exchange cannot be read', () => {
    const row = { list: 'positions', instrument: AT_BSE, product: 'CNC', quantity: null } as const;
    const account = portfolio({ holdings: [holding()], unread: [{ ...row, reason: 'no number' }] });
    expect(unclearRowOf(account, sale(AT_NSE), NO_LIST)).toMatchObject({ instrument: AT_BSE });
    expect(unclearRowOf(account, sale('NSE:TCS'), NO_LIST)).toBeNull();
  });
});

describe('a sale of delivery shares under an engaged kill switch', () => {
  const wanted = terms({ ...sale(AT_NSE), quantity: 10 });
  const order = { broker: 'alt', terms: wanted, orderId: 'ord_9', at: AT, day: DAY };

  function reduces(positions: readonly ReturnType<typeof delivery>[], resting = false): boolean {
    const own = orderRecord({ broker: 'alt', terms: { ...wanted, instrument: AT_BSE } });
    const state = stateOf(resting ? { orders: [own] } : {});
    const read = {
      broker: 'alt',
      mode: 'live',
      holdings: [holding()],
      unread: [],
      at: AT,
    } as const;
    accept(state, decidePortfolio(state, { ...read, positions }));
    return reducesPosition(state, order, NOTHING_BESIDE);
  }

  it('passes, unless the shares were sold, or are offered, on the other exchange', () => {
    expect(reduces([])).toBe(true);
    expect(reduces([delivery(AT_BSE, -1)])).toBe(false);
    expect(reduces([], true)).toBe(false);
  });
});

describe('a sale of delivery shares that another account holds under the name of the other exchange', () => {
  const route = ['primary', 'alt'];
  const beside = { moved: 0, isinOf: NO_LIST };
  const stateWith = (holders: Readonly<Record<string, readonly Holding[]>>) => {
    const state = stateOf();
    for (const [broker, holdings] of Object.entries(holders)) {
      const read = { broker, mode: 'live', positions: [], unread: [], at: AT } as const;
      accept(state, decidePortfolio(state, { ...read, holdings }));
    }
    return state;
  };
  const other = (state: ReturnType<typeof stateOf>) =>
    otherAccountHolding(state, 'primary', terms(sale(AT_BSE)), { route, beside });

  it('is that account’s', () => {
    expect(other(stateWith({ primary: [], alt: [holding()] }))).toBe('alt');
  });

  it('is its own where it holds them as well, in whichever way', () => {
    expect(other(stateWith({ primary: [holding()], alt: [holding()] }))).toBeNull();
    const own = holding({ instrument: AT_BSE });
    expect(other(stateWith({ primary: [own], alt: [holding()] }))).toBeNull();
  });

  it('is that of the account that holds them under this name', () => {
    const named = holding({ instrument: AT_BSE });
    expect(other(stateWith({ primary: [holding()], alt: [named] }))).toBe('alt');
  });
});
