import { describe, expect, it } from 'vitest';
import type { ExecutedOrder } from '../../../src/domain/contract-note.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { altBench, failureOf } from './support/alt-broker.ts';
import { html, success } from './support/scripted-transport.ts';

const order = (changes: Partial<ExecutedOrder> = {}): ExecutedOrder => ({
  brokerOrderId: '261123000000001',
  instrument: 'NSE:INFY',
  side: 'BUY',
  product: 'INTRADAY',
  orderType: 'LIMIT',
  variety: 'regular',
  quantity: 10,
  price: 1500.5,
  ...changes,
});

const row = (changes: Record<string, unknown> = {}) => ({
  ...{ transaction_type: 'BUY', tradingsymbol: 'INFY', exchange: 'NSE', variety: 'regular' },
  ...{ product: 'MIS', order_type: 'LIMIT', quantity: 10, price: 1500.5 },
  charges: {
    transaction_tax: 1.498,
    transaction_tax_type: 'stt',
    exchange_turnover_charge: 0.051681,
    sebi_turnover_charge: 0.001498,
    brokerage: 0.01,
    stamp_duty: 0.22,
    gst: { igst: 0.0113, cgst: 0, sgst: 0, total: 0.0113 },
    total: 1.7925,
  },
  ...changes,
});

const bench = (reply: HttpReply) => altBench(() => reply);

describe('the charges of filled orders', () => {
  it('are requested at once, as JSON, with the broker’s own names', async () => {
    const sale = row({ transaction_type: 'SELL', tradingsymbol: 'GOLDM', exchange: 'MCX' });
    const { broker, transport } = bench(success([row(), sale]));
    const gold = order({ instrument: 'MCX:GOLDM', side: 'SELL', product: 'MTF', variety: null });
    await broker.account.charges([order(), { ...gold, brokerOrderId: '261123000000002' }]);
    const [request, ...others] = transport.requests;
    expect(others).toEqual([]);
    expect([request?.method, request?.url]).toEqual(['POST', 'https://kite.test/charges/orders']);
    expect(request?.headers['Content-Type']).toBe('application/json');
    const common = { variety: 'regular', order_type: 'LIMIT', quantity: 10, average_price: 1500.5 };
    expect(JSON.parse(request?.body ?? '')).toEqual([
      {
        ...{ order_id: '261123000000001', exchange: 'NSE', tradingsymbol: 'INFY' },
        ...{ transaction_type: 'BUY', product: 'MIS', ...common },
      },
      {
        ...{ order_id: '261123000000002', exchange: 'MCX', tradingsymbol: 'GOLDM' },
        ...{ transaction_type: 'SELL', product: 'MTF', ...common },
      },
    ]);
  });

  it('are those of the reply, in rupees, with fractions of a paisa', async () => {
    const { broker } = bench(success([row()]));
    expect(await broker.account.charges([order()])).toEqual([
      {
        transactionTax: 1.498,
        transactionTaxType: 'stt',
        exchangeTurnover: 0.051681,
        sebiTurnover: 0.001498,
        brokerage: 0.01,
        stampDuty: 0.22,
        gst: { igst: 0.0113, cgst: 0, sgst: 0, total: 0.0113 },
        total: 1.7925,
      },
    ]);
  });

  it.each([
    ['no charges', row({ charges: null })],
    ['charges of nothing, which no order has', row({ charges: { total: 0 } })],
  ])('are unknown where the row has %s', async (_what, given) => {
    const { broker } = bench(success([given]));
    expect(await broker.account.charges([order()])).toEqual([null]);
  });

  it('lack what the row lacks, and are never 0 for it', async () => {
    const { broker } = bench(success([row({ charges: { total: 3 } })]));
    expect(await broker.account.charges([order()])).toEqual([
      {
        ...{ transactionTax: null, transactionTaxType: null, exchangeTurnover: null },
        ...{ sebiTurnover: null, brokerage: null, stampDuty: null, gst: null, total: 3 },
      },
    ]);
  });

  it.each([
    ['a row too many', [row(), row()]],
    ['no row', []],
    ['a row of another instrument', [row({ tradingsymbol: 'TCS' })]],
    ['a row of another exchange', [row({ exchange: 'BSE' })]],
    ['a row of the other side', [row({ transaction_type: 'SELL' })]],
    ['a row of another quantity', [row({ quantity: 9 })]],
    ['a row without a total', [row({ charges: { total: null } })]],
    ['an object', row()],
  ])('fail on %s', async (_what, data) => {
    const failure = await failureOf(bench(success(data)).broker.account.charges([order()]));
    expect(failure.kind).toBe('bad_payload');
  });

  it('of no orders send no request', async () => {
    const { broker, transport } = bench(html(500));
    expect(await broker.account.charges([])).toEqual([]);
    expect(transport.requests).toEqual([]);
  });
});
