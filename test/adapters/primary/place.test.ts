import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import {
  answered,
  instrument,
  lost,
  option,
  placing,
  setUp,
  success,
  unreached,
  type Setup,
} from './support.ts';

const taken = success({ order_id: 'EQ-7', order_status: 'INITIATED' });

async function sent(attempt = placing(), setup: Setup = {}) {
  const { transport, trading } = setUp({ respond: () => taken, ...setup });
  await trading.place(attempt);
  expect(transport.requests).toHaveLength(1);
  const request = transport.requests[0]!;
  return { request, body: JSON.parse(request.body!) as Record<string, unknown> };
}

const outcomeOf = (reply: HttpReply, attempt = placing()) =>
  setUp({ respond: () => reply }).trading.place(attempt);

describe('placing an order', () => {
  it('sends the terms with the broker’s names', async () => {
    const { request, body } = await sent();
    expect(request).toMatchObject({ method: 'POST', url: 'https://broker.test/order' });
    expect(body).toEqual({
      txn_type: 'BUY',
      exchange: 'NSE',
      segment: 'EQUITY',
      product: 'CNC',
      order_type: 'LIMIT',
      validity: 'DAY',
      security_id: '1594',
      qty: 10,
      limit_price: 1500.05,
      is_amo: false,
      algo_id: '99999',
    });
  });

  it('goes over IPv4, on a new connection, with a deadline of 8 s and the raw token', async () => {
    const { request } = await sent();
    expect(request).toMatchObject({ fresh: true, ipv4: true, deadlineMs: 8_000 });
    expect(request.headers.authorization).toBe('secret-token-1');
    expect(request.headers['content-type']).toBe('application/json');
  });

  it('leaves the price out of a MARKET order', async () => {
    const { body } = await sent(placing({ orderType: 'MARKET', price: null }));
    expect(body).not.toHaveProperty('limit_price');
  });

  it('names the exchange, the segment and the product of a derivative', async () => {
    const { body } = await sent(placing({ product: 'MARGIN' }, option));
    expect(body).toMatchObject({
      exchange: 'NSE',
      segment: 'DERIVATIVE',
      product: 'MARGIN',
      security_id: '56998',
    });
  });

  it('has another algo id on BSE', async () => {
    const { body } = await sent(placing({}, instrument({ name: 'BSE:INFY', exchange: 'BSE' })));
    expect(body.algo_id).toBe('9'.repeat(16));
  });

  it('marks an after-market order', async () => {
    expect((await sent(placing({ amo: true }))).body.is_amo).toBe(true);
  });

  it('sends our tag only where remarks are enabled', async () => {
    expect((await sent(placing(), { remarks: true })).body.remarks).toBe('Abc123Abc123Abc123Ab');
    expect((await sent()).body).not.toHaveProperty('remarks');
  });

  it('trusts the tag once a row has echoed it, and never without remarks', () => {
    expect(setUp({ remarks: true }).trading.tagging).toBe('once_echoed');
    expect(setUp().trading.tagging).toBe('never');
  });
});

describe('an order that this broker cannot take', () => {
  it.each([
    ['an index', placing({}, instrument({ segment: 'INDEX' })), /no orders in/],
    ['an unknown instrument', placing({}, instrument({ securityId: null })), /no orders in/],
    ['another exchange', placing({}, instrument({ exchange: 'MCX' })), /no orders in/],
    ['a LIMIT without a price', placing({ price: null }), /price/],
    ['a price that is not a number', placing({ price: NaN }), /price/],
    ['a fraction of a share', placing({ quantity: 1.5 }), /quantity/],
  ])('is refused before anything is sent: %s', async (_, attempt, reason) => {
    const { transport, trading } = setUp({ respond: () => taken });
    const outcome = await trading.place(attempt);
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'other' });
    expect(outcome).toHaveProperty('reason', expect.stringMatching(reason));
    expect(transport.requests).toHaveLength(0);
  });
});

describe('a price', () => {
  it.each([
    ['off the tick', placing({ price: 1500.07 })],
    ['off the tick by a hair', placing({ price: 1500.0501 })],
  ])('%s is refused for its price, and never rounded', async (_, attempt) => {
    const { transport, trading } = setUp({ respond: () => taken });
    expect(await trading.place(attempt)).toMatchObject({ kind: 'refused', rejection: 'price' });
    expect(transport.requests).toHaveLength(0);
  });

  it.each([0.05, 1500.05, 1500.3, 2_000_000.15])(
    '%d on the tick is sent unchanged',
    async (price) => {
      expect((await sent(placing({ price }))).body.limit_price).toBe(price);
    },
  );

  it.each([
    ['no tick is known', null],
    ['the tick is more than 0.2 % of the price', 5],
  ])('goes out as it is where %s', async (_, tickSize) => {
    const { body } = await sent(placing({ price: 1500.07 }, instrument({ tickSize })));
    expect(body.limit_price).toBe(1500.07);
  });
});

describe('the outcome of a place', () => {
  it('is acknowledged by an order id', async () => {
    expect(await outcomeOf(taken)).toEqual({ kind: 'acknowledged', brokerOrderId: 'EQ-7' });
  });

  it('is acknowledged by an id that is a number', async () => {
    expect(await outcomeOf(success({ order_id: 42 }))).toMatchObject({ brokerOrderId: '42' });
  });

  it.each([
    ['no id', success({})],
    ['an empty id', success({ order_id: '' })],
    ['a null id', success({ order_id: null })],
    ['the word null', success({ order_id: 'null' })],
    ['a number that has lost digits', answered(200, '{"data":{"order_id":12345678901234567890}}')],
    ['null data', success(null)],
    ['a list', success([{ order_id: 'EQ-7' }])],
    ['no data', answered(200, { status: 'success', order_id: 'EQ-7' })],
    ['an empty body', answered(200, '')],
    ['a page', answered(200, '<html></html>')],
    ['a cut body', answered(200, '{"status":"success","data":{"order_id":"EQ')],
    ['a failure inside 2xx', answered(200, { status: 'failure', error: { msg: 'no number' } })],
    ['a failure with an id', answered(200, { success: false, data: { order_id: 'EQ-7' } })],
    ['a redirect', answered(302, '', { location: '/' })],
    ['a server error', answered(500, { status: 'error', message: 'oops' })],
    ['a bad gateway', answered(502, '<html></html>')],
    ['a lost connection', lost],
    ['a cut refusal', { ...lost, status: 400 }],
  ] as const)('is uncertain after %s', async (_, reply) => {
    expect((await outcomeOf(reply)).kind).toBe('uncertain');
  });

  it('is not sent when there was no connection', async () => {
    expect(await outcomeOf(unreached)).toMatchObject({ kind: 'not_sent', cause: 'connect' });
  });

  it('is refused by a 400, with the broker’s own words', async () => {
    const body = { status: 'error', message: 'Market orders are blocked for this instrument.' };
    expect(await outcomeOf(answered(400, body))).toEqual({
      kind: 'refused',
      rejection: 'market_blocked',
      reason: 'Market orders are blocked for this instrument.',
    });
  });

  it('does not repeat the token', async () => {
    const reply = answered(401, { message: 'bad token secret-token-1' });
    expect(await outcomeOf(reply)).toMatchObject({ reason: 'bad token [secret]' });
  });

  it('is not_sent without a token, and no request leaves', async () => {
    const { transport, trading } = setUp({ accessToken: () => null });
    expect(trading.blocked()).toMatchObject({ kind: 'not_sent', cause: 'token' });
    expect(await trading.place(placing())).toMatchObject({ kind: 'not_sent', cause: 'token' });
    expect(transport.requests).toHaveLength(0);
  });

  it('is uncertain when the transport itself throws', async () => {
    const { transport, trading } = setUp();
    transport.respond = () => {
      throw new Error('a fault of ours');
    };
    expect((await trading.place(placing())).kind).toBe('uncertain');
  });
});
