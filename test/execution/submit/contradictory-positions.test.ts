import { describe, expect, it } from 'vitest';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

/** Ten are held, by a quantity that stays so; each sale fills at once, and only what was sold shows it. */
async function stuckAtTen({ isTold = true } = {}) {
  const account = await accountWith((broker) => {
    broker.positions = [position({ quantity: 10 })];
  });
  const { broker, time } = account;
  let sold = 0;
  broker.place = ({ tag, terms }) => {
    sold += terms.quantity;
    const { side, quantity, product, orderType, price } = terms;
    const brokerOrderId = `b${broker.placed.length}`;
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: quantity } as const;
    const terms2 = { side, quantity, product, orderType, price, tags: [tag], averagePrice: 1_500 };
    broker.rows = [...broker.rows, rowAt(time, { ...terms2, ...filled, brokerOrderId })];
    const others = isTold ? { otherQuantities: [10 - sold] } : {};
    const day = { buyQuantity: 10, buyValue: 0, sellQuantity: sold, sellValue: 0 };
    const row = { quantity: 10, buyQuantity: 10, sellQuantity: sold, day, ...others };
    broker.positions = [position(row)];
    return { kind: 'acknowledged', brokerOrderId };
  };
  return { ...account, account };
}

describe('an order under the kill switch, of a position whose figures contradict one another', () => {
  it('is refused once what they may hold is sold, and the refusal says why', async () => {
    const { account, time, broker, gateway } = await stuckAtTen();
    expect(await settled(time, tried(account))).not.toBe('kill_switch');
    await time.advance(5_000);
    expect(await settled(time, tried(account))).toBe('kill_switch');
    const refused = gateway.execution.place(gateway.commandOf(EXIT)).catch(String);
    expect(await settled(time, refused)).toContain('its figures contradict one another');
    expect(broker.placed).toHaveLength(1);
  });

  it('passes with the least that they allow, and no more', async () => {
    const { account, time, gateway } = await stuckAtTen();
    expect(await settled(time, tried(account, { ...EXIT, quantity: 4 }))).not.toBe('kill_switch');
    await time.advance(5_000);
    const seven = gateway.execution
      .place(gateway.commandOf({ ...EXIT, quantity: 7 }))
      .catch(String);
    expect(await settled(time, seven)).toContain('contradict one another');
    expect(await settled(time, tried(account, { ...EXIT, quantity: 6 }))).not.toBe('kill_switch');
  });
});
