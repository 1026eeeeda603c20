import { describe, expect, it } from 'vitest';
import { heldOf, unclearRowOf } from '../../../src/execution/reconcile/held.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { none, refused } from './positions-support.ts';
import { infosys, instrument, option, setUp, success } from './support.ts';

/**
 * The older wrapper's row: its only
 * word for the segment is `exchange_segment`.
 */
const older = {
  ...{ trading_symbol: 'NIFTY-Jul2025-25700-CE', exchange_segment: 'NSE_FNO' },
  ...{ net_quantity: 75, average_price: 43.55, last_traded_price: 44, product_type: 'MARGIN' },
};
/** A bond of the cash market, to which the exchange has given the same number as to the option. */
const bond = instrument({
  name: 'NSE:735GS2032-GS',
  tradingSymbol: '735GS2032-GS',
  securityId: '56998',
  isin: 'IN0',
});

/** In the older form alone; or in the wrapper, as the answer about derivatives. */
const setups = {
  'the older form alone': (row: object) =>
    setUp({
      instruments: [infosys, bond, option],
      respond: (_, url) => {
        if (url.pathname === '/user/profile') return success({ user_id: '1' });
        if (url.pathname === '/order-book') return success(null);
        return url.search === '' ? success({ net_positions: [row] }) : refused;
      },
    }),
  'the wrapper, where derivatives are asked for': (row: object) =>
    setUp({
      instruments: [infosys, bond, option],
      respond: (_, { searchParams: of }) =>
        of.get('segment') === 'derivative' && of.get('product') === 'margin'
          ? success({ net_positions: [row] })
          : none,
    }),
};

describe.each(Object.entries(setups))('a contract in %s', (_, setupOf) => {
  it.each([
    ['without the number of its contract', older],
    ['with a number that a bond has as well', { ...older, security_id: option.securityId }],
  ])('is that contract or unread, %s, and never what no exit of it finds', async (__, row) => {
    const { account } = setupOf(row);
    const positions = await account.positions();
    const unread = account.unread?.(positions) ?? [];
    const portfolio = {
      ...({ broker: 'primary', mode: 'live', readAt: epochMs(0), holdings: [] } as const),
      positions,
      unread,
    };
    // Nobody holds the bond, nor a share of NSE that is called like the option.
    const names = [...positions, ...unread].map((each) => each.instrument);
    expect(names).not.toContain(bond.name);
    expect(names).not.toContain('NSE:NIFTY-JUL2025-25700-CE');
    // An exit of the option may not find that nothing is held: that would be `flat`.
    const shares = { instrument: option.name, product: 'MARGIN', side: 'SELL' } as const;
    const held = heldOf(portfolio, shares, () => null);
    const unclear = unclearRowOf(portfolio, shares, () => null);
    expect(held === 75 || unclear !== null).toBe(true);
  });
});

it('a row of the list of derivatives that names a contract is not the bond with its number', async () => {
  // The documented row, with an exchange and without a segment: its own contract is not looked at.
  const row = {
    ...{ security_id: '56998', symbol: 'NIFTY', exchange: 'NSE', segment: '', net_qty: 75 },
    ...{ avg_price: 43.55, buy_qty: 75, sell_qty: 0, drv_expiry_date: '07/03/2025 14:00' },
    ...{ drv_option_type: 'CE', drv_strike_price: 25_700 },
  };
  const { account } = setUp({
    instruments: [infosys, bond, option],
    respond: (_, { searchParams: of }) => (of.get('product') === 'margin' ? success([row]) : none),
  });
  const positions = await account.positions();
  expect(positions.map((each) => each.instrument)).not.toContain(bond.name);
});
