import { describe, expect, it } from 'vitest';
import { atTheSandbox } from './sandbox-broker.ts';
import { cancelling, modifying, placing } from './support.ts';

const stop = { orderType: 'SL', triggerPrice: 1_510, price: 1_515 } as const;

/** A stop order at the sandbox, `afterMs` after it was placed. */
async function waiting(afterMs = 3_000) {
  const broker = atTheSandbox();
  const outcome = await broker.place(placing(stop));
  if (outcome.kind !== 'acknowledged') throw new Error(outcome.reason);
  await broker.time.advance(afterMs);
  return { ...broker, id: outcome.brokerOrderId };
}

describe('a stop order at the sandbox', () => {
  it('waits, and is read as the order that was placed', async () => {
    const { row, id } = await waiting();
    expect(await row(id)).toMatchObject({
      orderType: 'SL',
      price: 1_515,
      triggerPrice: 1_510,
      status: 'working',
      filledQuantity: 0,
    });
  });

  it('is working from its first row on', async () => {
    const { row, id } = await waiting(0);
    expect(await row(id)).toMatchObject({ rawStatus: 'CREATED', status: 'working' });
  });

  it('fires when its price is reached, and its fills are reported', async () => {
    const { row, id, sandbox, time, trades } = await waiting();
    sandbox.exchange.setPrice('NSE:INFY', 151_000);
    await time.advance(3_000);
    const { exchangeOrderId, ...fired } = await row(id);
    expect(fired).toMatchObject({ status: 'filled', filledQuantity: 10 });
    const ours = (await trades()).filter((fill) => fill.exchangeOrderId === exchangeOrderId);
    expect(ours.reduce((sum, fill) => sum + fill.quantity, 0)).toBe(10);
  });

  it('accepts new prices and a new quantity while it waits', async () => {
    const { row, id, modify, time } = await waiting();
    await row(id);
    const changes = { quantity: 12, triggerPrice: 1_512, price: 1_516 };
    const outcome = await modify({ ...modifying(changes, stop), brokerOrderId: id });
    expect(outcome).toMatchObject({ kind: 'acknowledged' });
    await time.advance(3_000);
    expect(await row(id)).toMatchObject({
      orderType: 'SL',
      quantity: 12,
      triggerPrice: 1_512,
      price: 1_516,
      status: 'working',
    });
  });

  it('is cancelled with the call for smart orders', async () => {
    const { row, id, cancel, time, sent } = await waiting();
    const { orderType } = await row(id);
    const outcome = await cancel(cancelling({ brokerOrderId: id, brokerOrderType: orderType }));
    expect(outcome).toMatchObject({ kind: 'acknowledged' });
    await time.advance(3_000);
    expect(await row(id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    expect(sent.filter(({ url }) => url.endsWith('/cancel'))).toHaveLength(1);
  });
});
