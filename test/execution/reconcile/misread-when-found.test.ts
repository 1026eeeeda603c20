import { expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const FILLED = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;

it('an order that was found filled under a misread id is disputed once its tag is on another row alone', async () => {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const other = await gateway.place();
  const open = rowAt(time, { brokerOrderId: 'b1', tags: [broker.placed[0]!.tag] });
  broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
  const { id } = await gateway.place({ quantity: 10, price: 1_510 });
  const row = rowAt(time, { ...FILLED, averagePrice: 1_510, tags: [broker.placed[1]!.tag] });
  broker.rows = [open, { ...row, brokerOrderId: '7' }];
  await time.advance(3_000);
  expect(orderResponse(gateway.order(id))).toMatchObject({ status: 'filled', brokerOrderId: '7' });
  broker.rows = [open, { ...row, brokerOrderId: 'b2' }];
  await time.advance(20_000);
  expect(orderResponse(gateway.order(id))).toMatchObject({
    ...{ status: 'disputed', brokerOrderId: 'b2' },
  });
  expect(orderResponse(gateway.order(other.id)).status).toBe('working');
});
