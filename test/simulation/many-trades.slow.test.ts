import { expect, it } from 'vitest';
import { createRig } from '../support/rig.ts';

const TRADES = 100_000;

/** Seen at an Indian broker: one order, and a trade for each share of it. */
it('an order with 100,000 trades keeps each of them, and others are placed meanwhile', async () => {
  await using rig = await createRig({
    environment: { APP_ROUTE_TRADING: 'primary' },
    sandbox: { enforceLimits: false },
  });
  const order = {
    ...{ instrument: 'NSE:IDEA', side: 'BUY', quantity: TRADES, orderType: 'LIMIT' },
    ...{ product: 'INTRADAY', validity: 'DAY', price: 8.5 },
  };
  const placed = await rig.post('/api/v1/orders', order);
  expect(placed.status).toBe(201);
  await rig.time.advance(1_000);
  const [theirs] = rig.sandbox.primary.orders();
  let paise = 0;
  for (let trade = 0; trade < TRADES; trade += 1) {
    const price = 840 + (trade % 11);
    paise += price;
    rig.sandbox.primary.fillByHand(theirs!.orderId, 1, price);
  }
  const another = await rig.post('/api/v1/orders', {
    ...order,
    instrument: 'NSE:SBIN',
    quantity: 1,
  });
  expect(another.status).not.toBe(500);
  await rig.time.advance(20_000);
  const { data } = (await rig.get(`/api/v1/orders/${placed.body.data.id}`)).body;
  expect(data).toMatchObject({ status: 'filled', filledQuantity: TRADES });
  expect(data.averagePrice).toBeCloseTo(paise / TRADES / 100, 4);
  expect(rig.composed.execution.state.fills.size).toBe(TRADES);
});
