import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { pinnedRig } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
};

/** A book of Kite in which each row comes twice, the second as it was before anything had filled. */
function withOldCopies(body: string): string {
  const book = JSON.parse(body);
  const old = (row: object) => ({
    ...row,
    ...{ status: 'OPEN', filled_quantity: 0, pending_quantity: 5, average_price: 0 },
  });
  return JSON.stringify({ ...book, data: book.data.flatMap((row: object) => [row, old(row)]) });
}

describe('an order placed elsewhere whose row comes twice', () => {
  it('is listed once, as it is now, and its fills count once', async () => {
    await using rig = await pinnedRig({
      environment: { APP_ROUTE_TRADING: 'alt' },
      alter: ({ method, url }, body) =>
        method === 'GET' && url.endsWith('/orders') ? withOldCopies(body) : body,
    });
    await rig.logIn();
    elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(3_000);
    const { body } = await rig.get('/api/v1/orders');
    expect(body.data).toMatchObject([{ external: true, status: 'filled', filledQuantity: 5 }]);
    const byKey = await rig.get('/api/v1/positions/by-key');
    const infy = byKey.body.data.positions.find(
      (each: { instrument: string }) => each.instrument === 'NSE:INFY',
    );
    expect(infy).toMatchObject({ elsewhereToday: 5, difference: 0 });
  });
});
