import { describe, expect, it } from 'vitest';
import { kiteOrder, rehearse, type Rehearsal } from './support/rehearsal.ts';

const resting = { order_type: 'LIMIT', price: '1400' };
const iceberg = { ...resting, iceberg_legs: '3', iceberg_quantity: '4' };

function placed({ kite, clock }: Rehearsal, variety: string, more: Record<string, string>): string {
  const answer = kite('POST', `/orders/${variety}`, kiteOrder(more));
  clock.advance(1_000);
  return answer.json.data.order_id as string;
}
const rows = ({ kite }: Rehearsal) => kite('GET', '/orders').json.data;

describe('an order of another variety', () => {
  it('is found under its own variety only', () => {
    const rehearsal = rehearse();
    const { kite } = rehearsal;
    const id = placed(rehearsal, 'iceberg', iceberg);
    expect(kite('DELETE', `/orders/regular/${id}`)).toMatchObject({
      status: 400,
      json: { error_type: 'OrderException' },
    });
    expect(kite('PUT', `/orders/amo/${id}`, { price: '1390' }).status).toBe(400);
    expect(kite('DELETE', `/orders/iceberg/${id}`).status).toBe(200);
  });

  it('as an iceberg shows one leg, and the next one once that has filled', () => {
    const rehearsal = rehearse();
    const { sandbox, clock } = rehearsal;
    const id = placed(rehearsal, 'iceberg', iceberg);
    const told = { legs: 3, leg_quantity: 4, total_quantity: 10 };
    const leg = (number: number, remaining: number) => ({
      meta: { iceberg: { ...told, leg: number, remaining_quantity: remaining } },
    });
    const first = { variety: 'iceberg', quantity: 4, ...leg(1, 6) };
    expect(rows(rehearsal)).toMatchObject([{ ...first, status: 'OPEN' }]);
    sandbox.kite.fillByHand(id, 4, 140_000);
    clock.advance(1_000);
    const [, second] = rows(rehearsal);
    expect(rows(rehearsal)).toMatchObject([
      { ...first, status: 'COMPLETE' },
      { quantity: 4, status: 'OPEN', price: 1_400, ...leg(2, 2) },
    ]);
    sandbox.kite.fillByHand(second.order_id, 4, 140_000);
    clock.advance(1_000);
    expect(rows(rehearsal)[2]).toMatchObject({ quantity: 2, status: 'OPEN', ...leg(3, 0) });
    sandbox.kite.fillByHand(rows(rehearsal)[2].order_id, 2, 140_000);
    clock.advance(1_000);
    expect(rows(rehearsal)).toHaveLength(3);
  });

  it('as an iceberg ends with the leg that is cancelled', () => {
    const rehearsal = rehearse();
    const id = placed(rehearsal, 'iceberg', iceberg);
    rehearsal.kite('DELETE', `/orders/iceberg/${id}`);
    rehearsal.clock.advance(5_000);
    expect(rows(rehearsal)).toMatchObject([{ status: 'CANCELLED', quantity: 4 }]);
  });

  it.each([{ iceberg_legs: '1' }, { iceberg_legs: '11' }, { iceberg_quantity: '3' }])(
    'as an iceberg is refused with %j',
    (more) => {
      const { kite } = rehearse();
      const form = kiteOrder({ ...iceberg, ...more });
      expect(kite('POST', '/orders/iceberg', form).status).toBe(400);
    },
  );

  it('as a cover order gets its second leg once the first is complete', () => {
    const rehearsal = rehearse();
    const { sandbox } = rehearsal;
    sandbox.exchange.setPrice('NSE:INFY', 150_000);
    const id = placed(rehearsal, 'co', { product: 'MIS', trigger_price: '1450' });
    const [first, second] = rows(rehearsal);
    expect(first).toMatchObject({ order_id: id, status: 'COMPLETE', product: 'CO' });
    expect(second).toMatchObject({
      parent_order_id: id,
      status: 'TRIGGER PENDING',
      transaction_type: 'SELL',
      trigger_price: 1450,
    });
  });

  it('as a second leg is exited at the market, by the name of the first', () => {
    const rehearsal = rehearse();
    const { kite, clock } = rehearsal;
    const id = placed(rehearsal, 'co', { product: 'MIS', trigger_price: '1400' });
    const second = rows(rehearsal)[1].order_id as string;
    expect(kite('DELETE', `/orders/co/${second}`).status).toBe(400);
    kite('DELETE', `/orders/co/${second}?parent_order_id=${id}`);
    clock.advance(5_000);
    expect(rows(rehearsal)[1]).toMatchObject({ status: 'COMPLETE', filled_quantity: 10 });
  });
});

describe('an order with a time to live', () => {
  it('ends by itself', () => {
    const rehearsal = rehearse();
    placed(rehearsal, 'regular', { ...resting, validity: 'TTL', validity_ttl: '2' });
    expect(rows(rehearsal)[0]).toMatchObject({ status: 'OPEN', validity: 'TTL', validity_ttl: 2 });
    rehearsal.clock.advance(120_000);
    expect(rows(rehearsal)[0]).toMatchObject({ status: 'CANCELLED' });
  });

  it('is refused without minutes', () => {
    const form = kiteOrder({ ...resting, validity: 'TTL' });
    expect(rehearse().kite('POST', '/orders/regular', form).status).toBe(400);
  });
});

describe('candles', () => {
  it.each([
    ['minute', 60],
    ['3minute', 100],
    ['30minute', 200],
    ['60minute', 400],
    ['day', 2_000],
  ])('of %s go %i days to a call', (interval, days) => {
    const { kite } = rehearse();
    const ask = (to: string) =>
      kite('GET', `/instruments/historical/408065/${interval}?from=2020-01-01+00:00:00&to=${to}`);
    const end = (seconds: number): string =>
      new Date(Date.parse('2020-01-01T00:00:00Z') + days * 86_400_000 + seconds * 1_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', '+');
    expect(ask(end(0)).status).toBe(200);
    expect(ask(end(1))).toMatchObject({
      status: 400,
      json: { message: `interval exceeds max limit: ${days} days` },
    });
  });
});
