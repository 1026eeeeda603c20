import { describe, expect, it } from 'vitest';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

/**
 * An account of ten shares, of which each of our sales fills at once. The positions show as a quantity what `quantity` says,
 * and as sold what `shown` does.
 */
async function heldTen() {
  const account = await accountWith((broker) => {
    broker.positions = [position({ quantity: 10 })];
  });
  const { broker, time } = account;
  const at = { ours: 0, others: 0, shownOurs: 0, isLate: false, stuckAt: null as number | null };
  const show = (): void => {
    if (!at.isLate) at.shownOurs = at.ours;
    const sold = at.shownOurs + at.others;
    const day = { buyQuantity: 10, buyValue: 0, sellQuantity: sold, sellValue: 0 };
    const quantity = at.stuckAt ?? 10 - sold;
    broker.positions = [position({ quantity, buyQuantity: 10, sellQuantity: sold, day })];
  };
  const rowOf = (side: 'BUY' | 'SELL', quantity: number, brokerOrderId: string) =>
    rowAt(time, {
      ...{ side, quantity, filledQuantity: quantity, brokerOrderId, averagePrice: 1_500 },
      ...({ status: 'filled', rawStatus: 'COMPLETE' } as const),
    });
  broker.place = ({ tag, terms }) => {
    at.ours += terms.quantity;
    const brokerOrderId = `b${broker.placed.length}`;
    const { product, orderType, price } = terms;
    const row = rowOf('SELL', terms.quantity, brokerOrderId);
    broker.rows = [...broker.rows, { ...row, product, orderType, price, tags: [tag] }];
    show();
    return { kind: 'acknowledged', brokerOrderId };
  };
  show();
  await time.advance(6_000);
  const sell = (quantity: number, forcedBy: string | null = null) =>
    settled(time, tried(account, { ...EXIT, quantity }, forcedBy));
  const why = (quantity: number) => {
    const { gateway } = account;
    const order = gateway.execution.place(gateway.commandOf({ ...EXIT, quantity }));
    return settled(time, order.then(String, String));
  };
  return { ...account, at, show, sell, why, rowOf, held: () => 10 - at.ours - at.others };
}

describe('orders under the kill switch', () => {
  it('never sell more than was known to be held, where the quantity of the position stays as it was', async () => {
    const { at, sell, why, time, held } = await heldTen();
    at.stuckAt = 10;
    expect(await sell(10)).not.toBe('kill_switch');
    await time.advance(5_000);
    expect(await sell(10)).toBe('kill_switch');
    expect(await why(10)).toContain('orders of the gateway have sold of NSE:INFY all but 0');
    expect(held()).toBe(0);
  });

  it('pass by the positions again twenty seconds after the last fill, as a second exit does', async () => {
    const { at, sell, time } = await heldTen();
    at.stuckAt = 10;
    await sell(10);
    await time.advance(25_000);
    expect(await sell(10)).not.toBe('kill_switch');
  });

  it('pass with force before that', async () => {
    const { at, sell, time } = await heldTen();
    at.stuckAt = 10;
    await sell(10);
    await time.advance(5_000);
    expect(await sell(10, 'an admin')).not.toBe('kill_switch');
  });

  it('may sell at once what others have added since, by the book', async () => {
    const { broker, at, sell, show, time, rowOf } = await heldTen();
    expect(await sell(10)).not.toBe('kill_switch');
    await time.advance(3_000);
    broker.rows = [...broker.rows, rowOf('BUY', 5, 'by hand')];
    at.stuckAt = 5;
    show();
    await time.advance(3_000);
    expect(await sell(6)).toBe('kill_switch');
    expect(await sell(5)).not.toBe('kill_switch');
  });

  it('sell no more than was held where a sale that no row explains hides their own', async () => {
    const { at, sell, show, time, held } = await heldTen();
    at.others = 4;
    show();
    await time.advance(6_000);
    at.isLate = true;
    expect(await sell(6)).not.toBe('kill_switch');
    await time.advance(2_000);
    expect(await sell(1)).toBe('kill_switch');
    expect(held()).toBe(0);
  });

  it.each([1, 3])(
    'sell no more than is left where others have sold %i meanwhile that no row explains',
    async (others) => {
      const { at, sell, show, time, held } = await heldTen();
      at.isLate = true;
      expect(await sell(4)).not.toBe('kill_switch');
      await time.advance(2_000);
      at.others = others;
      show();
      await time.advance(2_000);
      expect(await sell(6)).toBe('kill_switch');
      at.isLate = false;
      show();
      at.isLate = true;
      await time.advance(3_000);
      expect(await sell(held())).not.toBe('kill_switch');
      await time.advance(8_000);
      expect(await sell(1)).toBe('kill_switch');
      expect(held()).toBe(0);
    },
  );

  it('are not held back by a sale that no row explains and that was shown before their own', async () => {
    const { at, sell, show, time } = await heldTen();
    at.others = 3;
    show();
    await time.advance(6_000);
    // The account is read anew before the refusal.
    expect(await sell(11)).toBe('kill_switch');
    expect(await sell(3)).not.toBe('kill_switch');
    await time.advance(2_000);
    expect(await sell(4)).not.toBe('kill_switch');
  });
});
