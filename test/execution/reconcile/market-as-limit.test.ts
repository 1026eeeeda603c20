import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../../src/domain/order.ts';
import type { Outcome } from '../../../src/domain/outcome.ts';
import { couldShareRow, fingerprint } from '../../../src/execution/order/attempt.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { terms, trade } from '../support/makers.ts';

const LOST: Outcome = {
  kind: 'uncertain',
  reason: 'no answer',
  failure: { kind: 'transport', message: 'no answer' },
};
const MARKET: Partial<OrderRequest> = { orderType: 'MARKET', price: null };

/** An order whose answer was lost, at a broker without tags that makes MARKET orders LIMIT ones. */
async function lost(request: Partial<OrderRequest>, marketAsLimit = true) {
  const time = midday();
  const broker = lyingBroker(time, { broker: 'primary', tagging: 'never', marketAsLimit });
  broker.place = () => LOST;
  const gateway = await tradingWith(time, [broker]);
  broker.rows = [rowAt(time, { brokerOrderId: 'old', price: 1_490 })];
  const { id } = await gateway.place(request);
  return { time, broker, gateway, id, seen: () => orderResponse(gateway.order(id)) };
}

describe('a MARKET order that was lost at a broker that makes it a LIMIT one', () => {
  it('is the new LIMIT row of its other terms, at whatever price', async () => {
    const { time, broker, gateway, id, seen } = await lost(MARKET);
    await gateway.cancel(id);
    broker.rows.push(rowAt(time, { brokerOrderId: 'new', price: 1_512.35, filledQuantity: 4 }));
    broker.fills = [trade({ brokerOrderId: 'new' })];
    await time.advance(10_000);
    expect(seen()).toMatchObject({
      ...{ status: 'working', brokerOrderId: 'new', boundBy: 'fingerprint', filledQuantity: 4 },
    });
    expect(broker.cancels).toEqual(['new']);
  });

  it.each([
    ['another quantity', { quantity: 11 }],
    ['another product', { product: 'INTRADAY' }],
    ['a trigger', { orderType: 'SL', triggerPrice: 1_500 }],
  ])('is no row with %s', async (_what, parts) => {
    const { time, broker, seen } = await lost(MARKET);
    broker.rows.push(rowAt(time, { brokerOrderId: 'new', ...parts }));
    await time.advance(10_000);
    expect(seen().status).toBe('uncertain');
  });

  it('keeps an equal LIMIT order from being sent, of any price, and is kept from it by one', async () => {
    for (const [first, second] of [
      [MARKET, { price: 1_400 }],
      [{ price: 1_400 }, MARKET],
    ] as const) {
      const { time, broker, gateway } = await lost(first);
      const refused = expect(
        gateway.execution.place(gateway.commandOf(second)),
      ).rejects.toMatchObject({ fields: { code: 'order_not_sent' } });
      await time.advance(6_000);
      await refused;
      expect(broker.placed).toHaveLength(1);
    }
  });

  it('does not make a LIMIT order one of another price', async () => {
    const { time, broker, seen } = await lost({ price: 1_400 });
    broker.rows.push(rowAt(time, { brokerOrderId: 'new', price: 1_512.35 }));
    await time.advance(10_000);
    expect(seen().status).toBe('uncertain');
  });

  it('is not such a row at a broker that keeps it a MARKET one', async () => {
    const { time, broker, seen } = await lost(MARKET, false);
    broker.rows.push(rowAt(time, { brokerOrderId: 'new', price: 1_512.35 }));
    await time.advance(10_000);
    expect(seen().status).toBe('uncertain');
  });
});

it('two LIMIT orders of different prices can never share a row', () => {
  const [one, other] = [1_500, 1_501].map((price) => fingerprint('primary', terms({ price })));
  expect(couldShareRow(one!, other!, true)).toBe(false);
});
