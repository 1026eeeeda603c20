import { describe, expect, it } from 'vitest';
import type { MarginQuery } from '../../../src/domain/margin.ts';
import type { OrderTerms } from '../../../src/domain/order.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import {
  answered,
  failureOf,
  infosys,
  instrument,
  limitOrder,
  lost,
  option,
  setUp,
  success,
} from './support.ts';

const query = (terms: Partial<OrderTerms> = {}, of: Instrument = infosys): MarginQuery => ({
  terms: { ...limitOrder, ...terms },
  instrument: of,
});

const estimate = {
  total_margin: '15,000.50',
  span_margin: 0,
  hedge_benefit: 0,
  exposure_margin: null,
  available_balance: 10_000.25,
  var_margin: 100,
  insufficient_balance: 5_000.25,
  delivery_margin: 15_000.5,
  brokerage: 20,
  charges: { stt: 15, gst: 3.6, brokerage: 20, total_charges: 38.6 },
};

describe('the margin of one order', () => {
  it('is requested by a GET with a body of strings', async () => {
    const { account, transport } = setUp({ respond: () => success(estimate) });
    await account.margins!([query()]);
    const [request] = transport.requests;
    expect(request).toMatchObject({ method: 'GET', url: 'https://broker.test/margin' });
    expect(request!.fresh).toBe(false);
    expect(JSON.parse(request!.body!)).toEqual({
      segment: 'EQUITY',
      exchange: 'NSE',
      securityID: '1594',
      txnType: 'BUY',
      quantity: '10',
      price: '1500.05',
      product: 'CNC',
    });
  });

  it.each([
    [{ orderType: 'MARKET', price: null } as const, '0'],
    [{ orderType: 'SL', price: 1510, triggerPrice: 1505 } as const, '1510'],
    [{ orderType: 'SL-M', price: null, triggerPrice: 1505 } as const, '1505'],
  ])('has the price that would be paid: %j', async (terms, price) => {
    const { account, transport } = setUp({ respond: () => success(estimate) });
    await account.margins!([query(terms)]);
    expect(JSON.parse(transport.requests[0]!.body!)).toMatchObject({ price });
  });

  it('is requested for derivatives at the exchange that trades them', async () => {
    const { account, transport } = setUp({ respond: () => success(estimate) });
    await account.margins!([query({ product: 'MARGIN', quantity: 75 }, option)]);
    expect(JSON.parse(transport.requests[0]!.body!)).toMatchObject({
      segment: 'DERIVATIVE',
      exchange: 'NSE',
      securityID: '56998',
      product: 'MARGIN',
    });
  });

  it('has its parts, its charges and the shortfall', async () => {
    const { account } = setUp({ respond: () => success(estimate) });
    expect(await account.margins!([query()])).toEqual({
      required: 15_000.5,
      available: 10_000.25,
      shortfall: 5_000.25,
      parts: { span_margin: 0, var_margin: 100, delivery_margin: 15_000.5, hedge_benefit: 0 },
      charges: { total: 38.6, parts: { stt: 15, gst: 3.6, brokerage: 20 } },
    });
  });

  it('has no figure where the broker has none', async () => {
    const { account } = setUp({ respond: () => success({ total_margin: 5 }) });
    expect(await account.margins!([query()])).toEqual({
      required: 5,
      available: null,
      shortfall: null,
      parts: {},
      charges: null,
    });
  });

  it.each([
    ['nothing', success(null)],
    ['no total', success({ span_margin: 1 })],
    ['a list', success([])],
    ['a failure inside 2xx', answered(200, { status: 'failure', error: { msg: 'no' } })],
    ['a lost connection', lost],
    ['a refusal', answered(400, { message: 'no' })],
  ])('fails rather than be 0 for %s', async (_, reply) => {
    const { account } = setUp({ respond: () => reply });
    await failureOf(account.margins!([query()]));
  });
});

describe('the margins of several orders', () => {
  it('are requested one by one and added, and the estimate says so', async () => {
    const { account, transport } = setUp({ respond: () => success(estimate) });
    const orders = [query(), query({ side: 'SELL' }), query({ quantity: 1 })];
    expect(await account.margins!(orders)).toEqual({
      required: 45_001.5,
      available: 10_000.25,
      shortfall: 35_001.25,
      parts: { span_margin: 0, var_margin: 300, delivery_margin: 45_001.5, hedge_benefit: 0 },
      charges: { total: 115.8, parts: { stt: 45, gst: 10.8, brokerage: 60 } },
      ...{ summed: true, alone: 45_001.5 },
    });
    expect(transport.requests).toHaveLength(3);
  });

  it('have no charges where those of one order are unknown', async () => {
    const replies = [estimate, { ...estimate, charges: null }];
    const { account } = setUp({ respond: () => success(replies.shift()) });
    expect(await account.margins!([query(), query()])).toMatchObject({ charges: null });
  });

  it('fail when one of them fails', async () => {
    const replies = [success(estimate), lost];
    const { account } = setUp({ respond: () => replies.shift()! });
    expect(await failureOf(account.margins!([query(), query()]))).toMatchObject({
      kind: 'transport',
    });
  });

  it('are not requested at all when one of them cannot be an order', async () => {
    const { account, transport } = setUp({ respond: () => success(estimate) });
    for (const other of [
      instrument({ segment: 'INDEX' }),
      instrument({ securityId: null }),
      instrument({ exchange: 'MCX' }),
    ]) {
      expect(await failureOf(account.margins!([query(), query({}, other)]))).toMatchObject({
        status: 400,
        message: expect.stringContaining('takes no orders in'),
      });
    }
    expect(transport.requests).toEqual([]);
  });
});
