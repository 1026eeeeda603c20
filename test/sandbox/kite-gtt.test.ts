import { describe, expect, it } from 'vitest';
import { rehearse, type Rehearsal } from './support/rehearsal.ts';

const order = (more: Record<string, unknown> = {}) => ({
  transaction_type: 'SELL',
  order_type: 'LIMIT',
  product: 'CNC',
  quantity: 10,
  price: 1449.5,
  ...more,
});

function form(triggers: readonly number[], orders: readonly unknown[], type?: string) {
  return {
    type: type ?? (triggers.length === 1 ? 'single' : 'two-leg'),
    condition: JSON.stringify({
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      trigger_values: triggers,
      last_price: 1500,
    }),
    orders: JSON.stringify(orders),
  };
}

function atFifteenHundred(options?: Parameters<typeof rehearse>[0]): Rehearsal {
  const rehearsal = rehearse(options);
  rehearsal.sandbox.exchange.setPrice('NSE:INFY', 150_000);
  return rehearsal;
}

const place = ({ kite }: Rehearsal, ...args: Parameters<typeof form>): number =>
  kite('POST', '/gtt/triggers', form(...args)).json.data.trigger_id as number;

describe('a trigger', () => {
  it('places its order once, when the price is reached', () => {
    const rehearsal = atFifteenHundred();
    const { kite, clock, sandbox } = rehearsal;
    const id = place(rehearsal, [1450], [order()]);
    clock.advance(5_000);
    expect(sandbox.kite.orders()).toEqual([]);
    sandbox.exchange.setPrice('NSE:INFY', 144_900);
    clock.advance(5_000);
    expect(sandbox.kite.orders()).toHaveLength(1);
    const row = kite('GET', `/gtt/triggers/${id}`).json.data;
    expect(row).toMatchObject({ id, status: 'triggered', type: 'single' });
    expect(row.orders[0].result.order_result).toMatchObject({
      status: 'success',
      order_id: sandbox.kite.orders()[0]?.orderId,
    });
  });

  it('of two legs ends with the first that is reached', () => {
    const rehearsal = atFifteenHundred();
    const { clock, sandbox } = rehearsal;
    place(rehearsal, [1450, 1600], [order(), order({ price: 1601 })]);
    sandbox.exchange.setPrice('NSE:INFY', 160_500);
    clock.advance(2_000);
    sandbox.exchange.setPrice('NSE:INFY', 144_000);
    clock.advance(5_000);
    expect(sandbox.kite.orders().map(({ limitPaise }) => limitPaise)).toEqual([160_100]);
  });

  it('reports that its order was refused', () => {
    const rehearsal = atFifteenHundred();
    const { kite, clock, sandbox } = rehearsal;
    const id = place(rehearsal, [1450], [order({ product: 'NRML' })]);
    sandbox.exchange.setPrice('NSE:INFY', 144_900);
    clock.advance(2_000);
    expect(sandbox.kite.orders()).toEqual([]);
    const row = kite('GET', `/gtt/triggers/${id}`).json.data;
    expect(row.orders[0].result.order_result).toMatchObject({
      status: 'failed',
      order_id: '',
      rejection_reason: expect.stringContaining('NRML'),
    });
  });

  it('that was deleted places nothing', () => {
    const rehearsal = atFifteenHundred();
    const { kite, clock, sandbox } = rehearsal;
    const id = place(rehearsal, [1450], [order()]);
    expect(kite('DELETE', `/gtt/triggers/${id}`).json.data).toEqual({ trigger_id: id });
    sandbox.exchange.setPrice('NSE:INFY', 144_000);
    clock.advance(5_000);
    expect(sandbox.kite.orders()).toEqual([]);
    expect(kite('GET', '/gtt/triggers').json.data).toMatchObject([{ id, status: 'deleted' }]);
  });

  it('that was changed waits for the new price', () => {
    const rehearsal = atFifteenHundred();
    const { kite, clock, sandbox } = rehearsal;
    const id = place(rehearsal, [1450], [order()]);
    kite('PUT', `/gtt/triggers/${id}`, form([1440], [order()]));
    sandbox.exchange.setPrice('NSE:INFY', 144_500);
    clock.advance(5_000);
    expect(sandbox.kite.orders()).toEqual([]);
  });

  it('waits while the market is shut', () => {
    const at = Date.parse('2026-11-06T08:00:00+05:30');
    const rehearsal = atFifteenHundred({ market: 'exchange', at });
    const { clock, sandbox } = rehearsal;
    place(rehearsal, [1490], [order({ price: 1480 })]);
    sandbox.exchange.setPrice('NSE:INFY', 148_000);
    clock.advance(3_600_000);
    expect(sandbox.kite.orders()).toEqual([]);
    clock.advance(1_200_000);
    expect(sandbox.kite.orders()).toHaveLength(1);
  });

  it.each([
    ['another type of order', [1450], [order({ order_type: 'MARKET' })]],
    ['a trigger off the tick', [1450.03], [order()]],
    ['orders that do not fit the triggers', [1450], [order(), order()]],
    ['two triggers on one side', [1440, 1450], [order(), order()]],
    ['no quantity', [1450], [order({ quantity: 0 })]],
    ['an unknown type', [1450], [order()], 'three-leg'],
  ] as const)('is refused with %s', (_what, triggers, orders, type?: string) => {
    const { kite } = atFifteenHundred();
    expect(kite('POST', '/gtt/triggers', form(triggers, orders, type))).toMatchObject({
      status: 400,
      json: { error_type: 'InputException' },
    });
    expect(kite('GET', '/gtt/triggers').json.data).toEqual([]);
  });

  it.each(['GET', 'DELETE'])('is refused for an invalid id: %s', (method) => {
    expect(rehearse().kite(method, '/gtt/triggers/7').status).toBe(400);
  });
});
