import { describe, expect, it } from 'vitest';
import { bodyOf, type Ticket } from '../../dashboard/src/pure/ticket.ts';
import { withoutSecrets } from '../../dashboard/src/pure/report.ts';

const ticket = (changes: Partial<Ticket>): Ticket => ({
  ...{ instrument: ' nse:infy ', side: 'BUY', quantity: '1,000', orderType: 'LIMIT' },
  ...{ product: 'CNC', price: '1500.05', triggerPrice: '' },
  ...changes,
});

describe('a ticket', () => {
  it('becomes the body of an order, with the prices of its type and no others', () => {
    const common = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1000, product: 'CNC' };
    expect(bodyOf(ticket({}))).toEqual({ ...common, orderType: 'LIMIT', price: 1500.05 });
    expect(bodyOf(ticket({ orderType: 'MARKET' }))).toEqual({ ...common, orderType: 'MARKET' });
    expect(bodyOf(ticket({ orderType: 'SL', triggerPrice: '1490' }))).toEqual({
      ...common,
      ...{ orderType: 'SL', price: 1500.05, triggerPrice: 1490 },
    });
    expect(bodyOf(ticket({ orderType: 'SL-M', triggerPrice: '1490' }))).toEqual({
      ...common,
      ...{ orderType: 'SL-M', triggerPrice: 1490 },
    });
  });

  it.each([
    [{ instrument: ' ' }, /^Instrument is required/],
    [{ quantity: '' }, /^Quantity is required/],
    [{ quantity: '0' }, /^Quantity is required/],
    [{ quantity: '1.5' }, /^Quantity is required/],
    [{ price: '0' }, /^Price is required for LIMIT/],
    [{ price: '1e3' }, /^Price is required/],
    [{ orderType: 'SL-M' }, /^Trigger price is required for SL-M/],
  ] as const)('with %j says what is wrong', (changes, told) => {
    expect(bodyOf(ticket(changes))).toMatch(told);
  });
});

describe('the report for support', () => {
  it('has no key, link, ticket or token, nor who it is about', () => {
    const hex = '0a'.repeat(32);
    const report = JSON.stringify(
      withoutSecrets({
        userId: 'AB1234',
        words: [`Bearer abg_${hex}`, `#sign-in=abl_${hex}`, `tkt_${hex}`, `token=${hex}`],
        nested: { detail: `enctoken ${'Ab9+'.repeat(20)}=`, account: 'X1' },
      }),
    );
    expect(report).not.toMatch(/AB1234|X1|0a0a|Ab9/);
    expect(report.match(/\[removed\]/g)?.length).toBe(7);
  });

  it('keeps what is needed: ids of orders, figures, times, and what is absent', () => {
    const order = {
      id: 'ord_01a208a3-d499-746a-91ed-80ecaeb9e111',
      ...{ price: 1500, at: '2026-11-23T10:00:00.000+05:30', userId: null },
    };
    expect(withoutSecrets({ order })).toEqual({ order });
  });
});
