import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../../src/domain/outcome.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { altBench } from './support/alt-broker.ts';
import { html, refusal, reset, success } from './support/scripted-transport.ts';

const leg = (changes: Record<string, unknown> = {}) => ({
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', product: 'CNC', order_type: 'LIMIT' },
  ...{ transaction_type: 'SELL', quantity: 10, price: 1449.5, result: null },
  ...changes,
});

const gttRow = (changes: Record<string, unknown> = {}) => ({
  ...{ id: 100001, type: 'single', status: 'active' },
  created_at: '2026-11-20 10:00:00',
  updated_at: '2026-11-20 10:00:01',
  expires_at: '2027-11-20 10:00:00',
  condition: { exchange: 'NSE', tradingsymbol: 'INFY', last_price: 1500, trigger_values: [1450] },
  orders: [leg()],
  meta: {},
  ...changes,
});

const listOf = async (...rows: unknown[]) => altBench(success(rows)).broker.triggers.list('caller');

describe('the triggers of the alternative broker', () => {
  it('are read with their legs, times and ids', async () => {
    const { triggers, unread } = await listOf(gttRow());
    expect(unread).toEqual([]);
    expect(triggers).toEqual([
      {
        triggerId: '100001',
        instrument: 'NSE:INFY',
        ...{ status: 'waiting', rawStatus: 'active' },
        legs: [
          {
            ...{ triggerPrice: 1450, side: 'SELL', quantity: 10, product: 'CNC' },
            ...{ orderType: 'LIMIT', price: 1449.5, brokerOrderId: null, reason: null },
          },
        ],
        createdAt: Date.parse('2026-11-20T10:00:00+05:30'),
        updatedAt: Date.parse('2026-11-20T10:00:01+05:30'),
        expiresAt: Date.parse('2027-11-20T10:00:00+05:30'),
      },
    ]);
  });

  it('of two legs have a price for each, and the order that one has placed', async () => {
    const placed = { order_result: { status: 'success', order_id: '7', rejection_reason: '' } };
    const condition = { ...gttRow().condition, trigger_values: [1450, 1600] };
    const orders = [leg(), leg({ price: 1601, result: placed })];
    const row = gttRow({ type: 'two-leg', status: 'triggered', condition, orders });
    const [trigger] = (await listOf(row)).triggers;
    expect(trigger).toMatchObject({ status: 'triggered' });
    const legs = trigger!.legs.map(({ triggerPrice, brokerOrderId }) => [
      triggerPrice,
      brokerOrderId,
    ]);
    expect(legs).toEqual([
      [1450, null],
      [1600, '7'],
    ]);
  });

  it.each([
    ['active', 'waiting'],
    ['triggered', 'triggered'],
    ['disabled', 'ended'],
    ['expired', 'ended'],
    ['cancelled', 'ended'],
    ['rejected', 'ended'],
    ['deleted', 'ended'],
    ['something new', 'unrecognised'],
  ])('that are %s are %s', async (rawStatus, status) => {
    const { triggers } = await listOf(gttRow({ status: rawStatus }));
    expect(triggers).toMatchObject([{ status, rawStatus }]);
  });

  it.each([
    ['without a side', gttRow({ orders: [leg({ transaction_type: null })] }), '100001', 'NSE:INFY'],
    ['without an order', gttRow({ orders: [] }), '100001', 'NSE:INFY'],
    ['without a condition', gttRow({ condition: null }), '100001', null],
    ['with an id that is none', gttRow({ id: 'x' }), null, 'NSE:INFY'],
    ['that is no object', 7, null, null],
  ])('%s are told as unread, and hide no other one', async (_, row, triggerId, instrument) => {
    const list = await listOf(gttRow({ id: 100002 }), row);
    expect(list.triggers.map((each) => each.triggerId)).toEqual(['100002']);
    expect(list.unread).toMatchObject([{ triggerId, instrument }]);
  });

  it.each([
    ['a lost answer', reset()],
    ['a page', html(502)],
    ['an answer that is no list', success({})],
  ])('are never none after %s', async (_, reply) => {
    const read = altBench(reply).broker.triggers.list();
    await expect(read).rejects.toBeInstanceOf(BrokerError);
  });
});

describe('removing a trigger', () => {
  const deleted = success({ trigger_id: 100001 });

  it('is one request, and passes an open breaker', async () => {
    const { broker, transport } = altBench(...Array<HttpReply>(5).fill(reset()), deleted);
    const outcomes = [];
    for (let call = 0; call < 6; call += 1)
      outcomes.push(await broker.triggers.calls.remove('100001'));
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array<string>(5).fill('uncertain'),
      'acknowledged',
    ]);
    expect(transport.requests.map(({ method }) => method)).toEqual(Array(6).fill('DELETE'));
    expect(transport.last.url).toMatch(/\/gtt\/triggers\/100001\?/);
  });

  it('that the broker refuses says so', async () => {
    const { broker } = altBench(refusal(403, 'TokenException', 'Incorrect `api_key`.'));
    expect(await broker.triggers.calls.remove('100001')).toMatchObject({ kind: 'refused' });
  });
});
