import { describe, expect, it } from 'vitest';
import { altBench, failureOf, instrument, terms } from './support/alt-broker.ts';
import { query } from './support/calls.ts';
import { html, success } from './support/scripted-transport.ts';
import type { HttpReply, HttpRequest } from '../../../src/platform/http.ts';

const charges = (total: number) => ({
  transaction_tax: 1.5,
  transaction_tax_type: 'stt',
  exchange_turnover_charge: 0.051681,
  brokerage: 0,
  stamp_duty: 0.22,
  gst: { igst: 0.0113, cgst: 0, sgst: 0, total: 0.0113 },
  total,
});
const row = (changes: Record<string, unknown> = {}) => ({
  type: 'equity',
  tradingsymbol: 'INFY',
  exchange: 'NSE',
  span: 0,
  exposure: 12.345,
  var: 1498,
  pnl: { realised: 0, unrealised: 0 },
  leverage: 5,
  charges: charges(1.7829),
  total: 1498.004,
  ...changes,
});

/** The margins' own reply, and funds of ₹1,000. */
const bench = (reply: HttpReply, funds: HttpReply = success({ net: 1_000 })) =>
  altBench((request: HttpRequest) => (request.method === 'GET' ? funds : reply));

const posted = (requests: readonly HttpRequest[]) =>
  requests.find(({ method }) => method === 'POST')!;

describe('the margin of one order', () => {
  it('has what the order blocks, the available funds, and the charges', async () => {
    const { broker } = bench(success([row()]));
    expect(await broker.account.margins([query()])).toEqual({
      required: 1498,
      available: 1000,
      shortfall: 498,
      parts: { span: 0, exposure: 12.35, var: 1498 },
      charges: {
        total: 1.78,
        parts: {
          transaction_tax: 1.5,
          exchange_turnover_charge: 0.05,
          brokerage: 0,
          stamp_duty: 0.22,
          gst: 0.01,
        },
      },
    });
  });

  it('is requested with the whole order as JSON, and for the full reply', async () => {
    const { broker, transport } = bench(success([row()]));
    const order = terms({
      orderType: 'SL-M',
      product: 'INTRADAY',
      price: null,
      triggerPrice: 1490,
    });
    await broker.account.margins([{ terms: order, instrument: instrument('NSE:INFY') }]);
    const { url, body, headers } = posted(transport.requests);
    expect(url).toBe('https://kite.test/margins/orders');
    expect(headers['Content-Type']).toBe('application/json');
    expect(JSON.parse(body ?? '')).toEqual([
      {
        exchange: 'NSE',
        tradingsymbol: 'INFY',
        transaction_type: 'BUY',
        variety: 'regular',
        product: 'MIS',
        order_type: 'SL-M',
        quantity: 10,
        price: 0,
        trigger_price: 1490,
      },
    ]);
  });

  it('has no shortfall when the funds suffice', async () => {
    const { broker } = bench(success([row()]), success({ net: 2_000 }));
    expect(await broker.account.margins([query()])).toMatchObject({ shortfall: 0 });
  });

  it.each([
    ['no charges', row({ charges: undefined })],
    ['charges of nothing, which the broker writes for unknown', row({ charges: charges(0) })],
  ])('has none to show when the reply has %s', async (_what, reply) => {
    const { broker } = bench(success([reply]));
    expect(await broker.account.margins([query()])).toMatchObject({ charges: null });
  });

  it('of a commodity does not use the equity funds', async () => {
    const { broker, transport } = bench(success([row()]));
    const gold = instrument('MCX:GOLD26DECFUT');
    const estimate = await broker.account.margins([{ terms: terms(), instrument: gold }]);
    expect(estimate).toMatchObject({ available: null, shortfall: null });
    expect(transport.requests).toHaveLength(1);
  });

  it.each([
    ['a row too many', success([row(), row()])],
    ['no row', success([])],
    ['no total', success([row({ total: null })])],
    ['an object', success(row())],
  ])('fails on %s', async (_what, reply) => {
    const failure = await failureOf(bench(reply).broker.account.margins([query()]));
    expect(failure.kind).toBe('bad_payload');
  });

  it('fails when the funds cannot be read', async () => {
    const { broker } = bench(success([row()]), html(502));
    expect((await failureOf(broker.account.margins([query()]))).kind).toBe('http');
  });
});

describe('the margin of several orders', () => {
  const basket = (changes: Record<string, unknown> = {}) =>
    success({
      initial: row({ total: 188_854.77 }),
      final: row({ total: 35_453.2099, span: 26_000.52 }),
      orders: [row({ charges: charges(2) }), row({ charges: charges(3) })],
      ...changes,
    });

  it('is what they block together, with positions taken into account', async () => {
    const { broker, transport } = bench(basket());
    const estimate = await broker.account.margins([query(), query()]);
    expect(estimate).toMatchObject({
      required: 35_453.21,
      parts: { span: 26_000.52, initial_total: 188_854.77 },
      charges: { total: 5, parts: { stamp_duty: 0.44 } },
    });
    const url = new URL(posted(transport.requests).url);
    expect(url.pathname).toBe('/margins/basket');
    expect([...url.searchParams]).toEqual([['consider_positions', 'true']]);
  });

  it('has beside that what each order would block alone, added up', async () => {
    const orders = [row({ total: 161_500.25 }), row({ total: 10_400.5 })];
    const { broker } = bench(basket({ orders }));
    const estimate = await broker.account.margins([query(), query()]);
    expect([estimate.required, estimate.alone]).toEqual([35_453.21, 171_900.75]);
  });

  it('takes the charges of the whole where the reply has them', async () => {
    const { broker } = bench(basket({ charges: charges(4.5) }));
    const estimate = await broker.account.margins([query(), query()]);
    expect(estimate.charges?.total).toBe(4.5);
  });

  it('has no charges when one of the orders has none', async () => {
    const orders = [row(), row({ charges: null })];
    const { broker } = bench(basket({ orders }));
    expect(await broker.account.margins([query(), query()])).toMatchObject({ charges: null });
  });

  it.each([
    ['a row is missing', basket({ orders: [row()] })],
    ['the sum is missing', basket({ final: undefined })],
  ])('fails when %s', async (_what, reply) => {
    const failure = await failureOf(bench(reply).broker.account.margins([query(), query()]));
    expect(failure.kind).toBe('bad_payload');
  });
});

describe('no orders', () => {
  it('block nothing, and send no request', async () => {
    const { broker, transport } = bench(html(500));
    expect(await broker.account.margins([])).toMatchObject({ required: 0, charges: null });
    expect(transport.requests).toEqual([]);
  });
});
