import { describe, expect, it } from 'vitest';
import type { GttTerms } from '../../../src/adapters/alt/gtt.ts';
import type { HttpReply, HttpRequest } from '../../../src/platform/http.ts';
import { altBench, failureOf } from './support/alt-broker.ts';
import { gttTerms } from './support/calls.ts';
import { html, refusal, refusedConnection, reset, success } from './support/scripted-transport.ts';

const gttRow = (changes: Record<string, unknown> = {}) => ({
  id: 100001,
  type: 'single',
  status: 'active',
  created_at: '2026-11-20 10:00:00',
  updated_at: '2026-11-20 10:00:01',
  expires_at: '2027-11-20 10:00:00',
  condition: { exchange: 'NSE', tradingsymbol: 'INFY', last_price: 1500, trigger_values: [1450] },
  orders: [
    {
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      product: 'CNC',
      order_type: 'LIMIT',
      transaction_type: 'SELL',
      quantity: 10,
      price: 1449.5,
      result: null,
    },
  ],
  meta: {},
  ...changes,
});

const oco = (): GttTerms =>
  gttTerms({
    legs: [
      { trigger: 1450, side: 'SELL', quantity: 10, product: 'MARGIN', price: 1449.5 },
      { trigger: 1600, side: 'SELL', quantity: 10, product: 'MARGIN', price: 1601 },
    ],
  });

const form = (request: HttpRequest) =>
  Object.fromEntries(
    [...new URLSearchParams(request.body)].map(([name, value]) => [
      name,
      /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );

/** Lists are answered with rows, everything else with `reply`. */
const bench = (reply: HttpReply, rows: unknown[] = []) =>
  altBench((request) => (request.method === 'GET' ? success(rows) : reply));

describe('placing a trigger', () => {
  it('is one request after a whole list, on a new connection, with a deadline of 8 s', async () => {
    const { broker, transport } = bench(success({ trigger_id: 100002 }), [gttRow()]);
    const placed = await broker.gtt.place(gttTerms());
    expect(placed).toEqual({ outcome: { kind: 'acknowledged', triggerId: '100002' }, open: null });
    expect(transport.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(transport.last).toMatchObject({
      url: 'https://kite.test/gtt/triggers',
      fresh: true,
      deadlineMs: 8_000,
    });
    expect(form(transport.last)).toEqual({
      type: 'single',
      condition: {
        exchange: 'NSE',
        tradingsymbol: 'INFY',
        trigger_values: [1450],
        last_price: 1500,
      },
      orders: [
        {
          transaction_type: 'SELL',
          order_type: 'LIMIT',
          product: 'CNC',
          quantity: 10,
          price: 1449.5,
          exchange: 'NSE',
          tradingsymbol: 'INFY',
        },
      ],
    });
  });

  it('of two legs sends both, with the broker’s names', async () => {
    const { broker, transport } = bench(success({ trigger_id: 100002 }));
    await broker.gtt.place(oco());
    expect(form(transport.last)).toMatchObject({
      type: 'two-leg',
      condition: { trigger_values: [1450, 1600] },
      orders: [{ product: 'NRML' }, { product: 'NRML', price: 1601 }],
    });
  });

  it('keeps every digit of its id', async () => {
    const body = '{"status":"success","data":{"trigger_id":1234567890123456789}}';
    const { broker } = bench({ ...(success(null) as object), body } as HttpReply);
    const { outcome } = await broker.gtt.place(gttTerms());
    expect(outcome).toMatchObject({ triggerId: '1234567890123456789' });
  });

  it('is not sent when the list before it cannot be read', async () => {
    const { broker, transport } = altBench(html(502));
    const { outcome } = await broker.gtt.place(gttTerms());
    expect(outcome).toMatchObject({ kind: 'not_sent', cause: 'baseline' });
    expect(transport.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('is not sent without a token', async () => {
    const without = bench(success({ trigger_id: 1 }));
    without.token = null;
    const { outcome } = await without.broker.gtt.place(gttTerms());
    expect(outcome.kind).toBe('not_sent');
    expect(without.transport.requests).toEqual([]);
  });

  it.each([
    ['a known refusal', refusal(400, 'InputException', 'Invalid trigger'), 'refused'],
    ['an unknown one', refusal(400, 'GeneralException', 'hm'), 'uncertain'],
    ['a 5xx', html(502), 'uncertain'],
    ['a reset', reset(), 'uncertain'],
    ['no connection', refusedConnection, 'not_sent'],
    ['a success without an id', success({}), 'uncertain'],
  ])('on %s has the outcome that is known, and is sent once', async (_what, reply, kind) => {
    const { broker, transport } = bench(reply);
    const { outcome, open } = await broker.gtt.place(gttTerms());
    expect(outcome.kind).toBe(kind);
    expect(open === null).toBe(kind !== 'uncertain');
    expect(transport.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('that the SDK cannot send is not sent', async () => {
    const { broker } = bench(success({ trigger_id: 1 }));
    const none = gttTerms({ legs: [] as unknown as GttTerms['legs'] });
    expect((await broker.gtt.place(none)).outcome.kind).toBe('not_sent');
  });
});

describe('an uncertain trigger', () => {
  async function look(rows: unknown[], terms = gttTerms()) {
    const lost = bench(reset(), [gttRow({ id: 7 })]);
    const { open } = await lost.broker.gtt.place(terms);
    lost.transport.script(success(rows));
    return lost.broker.gtt.find(open!);
  }

  it('is found when a new one with the same terms appears', async () => {
    const found = await look([gttRow({ id: 7 }), gttRow({ id: 8 })]);
    expect(found).toMatchObject({ kind: 'found', gtt: { id: '8' } });
  });

  it('is found when it has fired already', async () => {
    const found = await look([gttRow({ id: 8, status: 'triggered' })]);
    expect(found).toMatchObject({ kind: 'found', gtt: { id: '8', status: 'triggered' } });
  });

  it('is unseen, which does not mean "not placed", when none has appeared', async () => {
    expect(await look([gttRow({ id: 7 })])).toEqual({ kind: 'unseen' });
  });

  it('is not chosen among several', async () => {
    const rows = [gttRow({ id: 8 }), gttRow({ id: 9 })];
    expect(await look(rows)).toMatchObject({ kind: 'several', gtts: [{ id: '8' }, { id: '9' }] });
  });

  it.each([
    ['side', { transaction_type: 'BUY' }],
    ['quantity', { quantity: 11 }],
    ['product', { product: 'MTF' }],
    ['price', { price: 1449 }],
  ])('is not one of another %s', async (_what, changes) => {
    const row = gttRow({ id: 8, orders: [{ ...gttRow().orders[0], ...changes }] });
    expect((await look([row])).kind).toBe('unseen');
  });

  it.each([
    ['instrument', { tradingsymbol: 'TCS' }],
    ['trigger', { trigger_values: [1451] }],
  ])('is not one of another %s', async (_what, changes) => {
    const row = gttRow({ id: 8, condition: { ...gttRow().condition, ...changes } });
    expect((await look([row])).kind).toBe('unseen');
  });

  it('is not looked for in a list that cannot be read', async () => {
    const lost = bench(reset());
    const { open } = await lost.broker.gtt.place(gttTerms());
    lost.transport.script(html(502));
    expect((await failureOf(lost.broker.gtt.find(open!))).kind).toBe('http');
  });
});

describe('a trigger in the list', () => {
  it('is read with its legs and their results', async () => {
    const result = {
      order_result: { status: 'success', order_id: '261120000000001', rejection_reason: '' },
    };
    const row = gttRow({ status: 'triggered', orders: [{ ...gttRow().orders[0], result }] });
    const [gtt] = await altBench(success([row])).broker.gtt.list();
    expect(gtt).toEqual({
      id: '100001',
      instrument: 'NSE:INFY',
      status: 'triggered',
      legs: [
        {
          trigger: 1450,
          side: 'SELL',
          quantity: 10,
          product: 'CNC',
          orderType: 'LIMIT',
          price: 1449.5,
          brokerOrderId: '261120000000001',
          reason: null,
        },
      ],
      createdAt: Date.parse('2026-11-20T10:00:00+05:30'),
      updatedAt: Date.parse('2026-11-20T10:00:01+05:30'),
      expiresAt: Date.parse('2027-11-20T10:00:00+05:30'),
    });
  });

  it('says why its order was refused', async () => {
    const result = {
      order_result: { status: 'failed', order_id: '', rejection_reason: 'Insufficient funds.' },
    };
    const row = gttRow({ orders: [{ ...gttRow().orders[0], result }] });
    const [gtt] = await altBench(success([row])).broker.gtt.list();
    expect(gtt?.legs[0]).toMatchObject({ brokerOrderId: null, reason: 'Insufficient funds.' });
  });

  it('is requested by its id, which must be valid', async () => {
    const { broker, transport } = altBench(success(gttRow()));
    expect((await broker.gtt.get('100001')).id).toBe('100001');
    expect(new URL(transport.last.url).pathname).toBe('/gtt/triggers/100001');
    expect((await failureOf(broker.gtt.get('../orders'))).kind).toBe('not_sent');
    expect(transport.requests).toHaveLength(1);
  });
});

describe('a change of a trigger', () => {
  it.each(['../session/token', '', '12 3', 'abc'])('is not sent for %j', async (id) => {
    const { broker, transport } = bench(success({ trigger_id: 1 }));
    const ends = [await broker.gtt.modify(id, gttTerms()), await broker.gtt.remove(id)];
    expect(ends.map(({ kind }) => kind)).toEqual(['not_sent', 'not_sent']);
    expect(transport.requests).toEqual([]);
  });

  it('is sent to the path of the trigger', async () => {
    const { broker, transport } = bench(success({ trigger_id: 100001 }));
    expect((await broker.gtt.modify('100001', oco())).kind).toBe('acknowledged');
    expect(transport.last.method).toBe('PUT');
    expect((await broker.gtt.remove('100001')).kind).toBe('acknowledged');
    expect(transport.last.method).toBe('DELETE');
    expect(new URL(transport.last.url).pathname).toBe('/gtt/triggers/100001');
  });
});
