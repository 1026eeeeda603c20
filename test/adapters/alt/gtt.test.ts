import { describe, expect, it } from 'vitest';
import type { TriggerLegs } from '../../../src/domain/trigger.ts';
import type { HttpReply, HttpRequest } from '../../../src/platform/http.ts';
import { altBench } from './support/alt-broker.ts';
import { gttAttempt } from './support/calls.ts';
import { html, refusal, refusedConnection, reset, success } from './support/scripted-transport.ts';

const oco = () =>
  gttAttempt([
    { triggerPrice: 1450, side: 'SELL', quantity: 10, product: 'MARGIN', price: 1449.5 },
    { triggerPrice: 1600, side: 'SELL', quantity: 10, product: 'MARGIN', price: 1601 },
  ]);

const form = (request: HttpRequest) =>
  Object.fromEntries(
    [...new URLSearchParams(request.body)].map(([name, value]) => [
      name,
      /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );

const bench = (reply: HttpReply) => altBench(() => reply);

describe('placing a trigger', () => {
  it('is one request, on a new connection, with a deadline of 8 s', async () => {
    const { broker, transport } = bench(success({ trigger_id: 100002 }));
    const placed = await broker.triggers.calls.place(gttAttempt());
    expect(placed).toEqual({ kind: 'acknowledged', triggerId: '100002' });
    expect(transport.requests.map(({ method }) => method)).toEqual(['POST']);
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
    await broker.triggers.calls.place(oco());
    expect(form(transport.last)).toMatchObject({
      type: 'two-leg',
      condition: { trigger_values: [1450, 1600] },
      orders: [{ product: 'NRML' }, { product: 'NRML', price: 1601 }],
    });
  });

  it('keeps every digit of its id', async () => {
    const body = '{"status":"success","data":{"trigger_id":1234567890123456789}}';
    const { broker } = bench({ ...(success(null) as object), body } as HttpReply);
    const outcome = await broker.triggers.calls.place(gttAttempt());
    expect(outcome).toMatchObject({ triggerId: '1234567890123456789' });
  });

  it('is not sent without a token', async () => {
    const without = bench(success({ trigger_id: 1 }));
    without.token = null;
    const outcome = await without.broker.triggers.calls.place(gttAttempt());
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
    const outcome = await broker.triggers.calls.place(gttAttempt());
    expect(outcome.kind).toBe(kind);
    expect(transport.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('that the SDK cannot send is not sent', async () => {
    const { broker } = bench(success({ trigger_id: 1 }));
    const none = gttAttempt([] as unknown as TriggerLegs);
    expect((await broker.triggers.calls.place(none)).kind).toBe('not_sent');
  });
});

describe('a change of a trigger', () => {
  it.each(['../session/token', '', '12 3', 'abc'])('is not sent for %j', async (id) => {
    const { broker, transport } = bench(success({ trigger_id: 1 }));
    const ends = [
      await broker.triggers.calls.modify(id, gttAttempt()),
      await broker.triggers.calls.remove(id),
    ];
    expect(ends.map(({ kind }) => kind)).toEqual(['not_sent', 'not_sent']);
    expect(transport.requests).toEqual([]);
  });

  it('is sent to the path of the trigger', async () => {
    const { broker, transport } = bench(success({ trigger_id: 100001 }));
    expect((await broker.triggers.calls.modify('100001', oco())).kind).toBe('acknowledged');
    expect(transport.last.method).toBe('PUT');
    expect((await broker.triggers.calls.remove('100001')).kind).toBe('acknowledged');
    expect(transport.last.method).toBe('DELETE');
    expect(new URL(transport.last.url).pathname).toBe('/gtt/triggers/100001');
  });
});
