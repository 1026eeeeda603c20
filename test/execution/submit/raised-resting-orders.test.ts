import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};

/** Ten are held, and a sale of five rests, which its row shows; then it was changed to ten, and the book lags. */
async function raised(modify: () => ReturnType<typeof uncertain>) {
  const account = await accountWith(
    (broker) => {
      broker.positions = [position({ quantity: 10 })];
    },
    { isEngaged: false },
  );
  const { time, broker, gateway } = account;
  const resting = { side: 'SELL', orderType: 'LIMIT', price: 1_600, quantity: 5 } as const;
  const { id } = await gateway.place(resting);
  const tags = [broker.placed[0]?.tag ?? ''];
  broker.rows = [rowAt(time, { ...resting, brokerOrderId: 'b1', tags })];
  await time.advance(3_000);
  broker.modify = modify;
  await settled(time, gateway.execution.amend(id, { ...NOTHING, quantity: 10 }, null));
  await time.settle(
    gateway.execution.setKillSwitch({ engaged: true, reason: null, changedBy: 'someone' }),
  );
  let ids = 1;
  broker.place = () => ({ kind: 'acknowledged', brokerOrderId: `b${(ids += 1)}` });
  return account;
}

describe('under the kill switch, a sale beside a resting one that was made larger a moment ago', () => {
  it.each([
    ['was accepted', () => ({ kind: 'acknowledged', brokerOrderId: 'b1' }) as const],
    ['may have been taken', () => uncertain({ kind: 'transport', message: 'no answer' })],
  ])('is no way out: both would sell 15 of 10 (the change %s)', async (_how, modify) => {
    const account = await raised(modify);
    expect(await settled(account.time, tried(account, { ...EXIT, quantity: 5 }))).toBe(
      'kill_switch',
    );
    expect(account.broker.placed).toHaveLength(1);
  });
});
