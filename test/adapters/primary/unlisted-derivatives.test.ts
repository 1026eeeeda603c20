import { describe, expect, it } from 'vitest';
import { none, refused } from './positions-support.ts';
import { infosys, setUp, success } from './support.ts';

/** A contract that no list has, and that names neither its exchange nor its segment. */
const contract = {
  ...{ security_id: '56998', symbol: 'NIFTY-Jul2025-25700-CE', product: 'MARGIN', exchange: '' },
  ...{ net_qty: 75, avg_price: 1146.85, buy_qty: 75, sell_qty: 0 },
  ...{ drv_expiry_date: '07/03/2025 14:00', drv_option_type: 'CE', drv_strike_price: 25_700 },
};

const withMargin = (row: object) =>
  setUp({
    instruments: [infosys],
    respond: (_, { searchParams: of }) => (of.get('product') === 'margin' ? success([row]) : none),
  });

describe('positions in derivatives that no list has', () => {
  it('have a name of their own where no list has them, and the row has no exchange and no segment', async () => {
    const row = { ...contract, segment: '' };
    const setup = withMargin(row);
    const positions = await setup.account.positions();
    expect(positions).toMatchObject([{ instrument: contract.symbol, product: 'MARGIN' }]);
    expect(setup.account.unread?.(positions)).toEqual([]);
  });

  it('have it in the older form as well, by what only a contract has', async () => {
    const setup = setUp({
      instruments: [infosys],
      respond: (_, { search }) => (search ? refused : success([{ ...contract, segment: '' }])),
    });
    const positions = await setup.account.positions();
    expect(positions).toMatchObject([{ instrument: contract.symbol, product: 'MARGIN' }]);
  });

  it('hold up only themselves where they are not in a list, and their figures cannot be read', async () => {
    const row = { ...contract, segment: '', net_qty: 'many' };
    const setup = withMargin(row);
    const positions = await setup.account.positions();
    expect(setup.account.unread?.(positions)).toMatchObject([{ instrument: contract.symbol }]);
  });
});
