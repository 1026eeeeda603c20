import { describe, expect, it } from 'vitest';
import type { Schemas, StreamedEvent } from '../../client/index.ts';
import { momentsOf, withEvents } from '../../dashboard/src/pure/timeline.ts';
import { orderOf } from './support/samples.ts';

const at = (second: number): string => `2026-11-23T10:00:${String(second).padStart(2, '0')}+05:30`;

describe('the life of an order', () => {
  it('has requests, outcomes with how long they took, the broker’s words and fills, in their order', () => {
    const moments = momentsOf({
      order: orderOf({ createdAt: at(0) }),
      history: {
        states: [
          {
            ...{ status: 'working', brokerStatus: 'OPEN', at: at(2), exchangeOrderId: null },
            ...{ quantity: 10, filledQuantity: 0, averagePrice: null, price: 1500 },
            ...{ triggerPrice: null, orderType: 'LIMIT', validity: 'DAY', reason: null },
          },
        ],
        statesReason: null,
        requests: [
          {
            ...{ id: 'att_1', orderId: 'ord_1', kind: 'place', by: 'admin', sentAt: at(1) },
            ...{ outcome: 'uncertain', settledAt: at(9), reason: 'deadline', changes: null },
          },
        ],
      },
      placings: [
        {
          ...{ attemptId: 'att_1', orderId: 'ord_1', broker: 'alt', outcome: 'uncertain' },
          times: {
            ...{ receivedAt: at(0), committedAt: at(0), sentAt: at(1), answeredAt: at(9) },
            ...{ committedMs: 1, sentMs: 2, answeredMs: 340 },
          },
        },
      ],
      fills: [{ id: 'f', orderId: 'ord_1', quantity: 4, price: 1499.5, at: at(3) }],
    });
    expect(
      moments.map(({ words, more }) => (more === null ? words : `${words} (${more})`)),
    ).toEqual([
      'The order was taken and written down',
      'The gateway sends the order, asked for by the key admin',
      'The broker says “OPEN”: working',
      'Filled 4 at ₹1,499.50',
      'Of the order: not known whether the broker has it, after 0.34 s at the broker (deadline)',
    ]);
  });
});

describe('what a broker tells in whole seconds', () => {
  it('comes after what the gateway did within that second', () => {
    const moments = momentsOf({
      order: orderOf({ createdAt: '2026-11-23T10:00:00.400+05:30' }),
      history: { states: null, statesReason: 'not told', requests: [] },
      placings: [],
      fills: [
        {
          id: 'f',
          orderId: 'ord_1',
          quantity: 4,
          price: 1499.5,
          at: '2026-11-23T10:00:00.000+05:30',
        },
      ],
    });
    expect(moments.map(({ who }) => who)).toEqual(['gateway', 'broker']);
  });
});

describe('who asked for a request of an order', () => {
  const request = (kind: 'cancel' | 'modify', by: string | null): Schemas['OrderRequestMade'] => ({
    ...{ id: `att_${kind}`, orderId: 'ord_1', kind, by, sentAt: at(1) },
    ...{ outcome: 'acknowledged', settledAt: at(2), reason: null, changes: null },
  });
  const wordsOf = (kind: 'cancel' | 'modify', by: string | null) =>
    momentsOf({
      order: orderOf({ createdAt: at(0) }),
      history: { states: null, statesReason: null, requests: [request(kind, by)] },
      ...{ placings: [], fills: [] },
    })[1]?.words;

  it.each([
    ['cancel', 'key_1', 'The gateway sends a cancel, asked for by the key key_1'],
    ['cancel', 'exit_7', 'The gateway sends a cancel, asked for by the exit exit_7'],
    ['modify', null, 'The gateway sends a change, by itself'],
  ] as const)('of a %s by %s is said', (kind, by, words) => {
    expect(wordsOf(kind, by)).toBe(words);
  });

  it('is not told of one that was placed elsewhere, which the gateway did not take', () => {
    const [first] = momentsOf({
      order: orderOf({ external: true }),
      history: { states: null, statesReason: null, requests: [] },
      ...{ placings: [], fills: [] },
    });
    expect(first?.words).toContain('placed elsewhere');
  });

  it('and who resolved it or let it pass, as far as the page has the events', () => {
    const event = (type: string, second: number, order: object, data: object = {}) =>
      ({
        type,
        at: at(second),
        data: { order: orderOf(order), by: 'admin', ...data },
      }) as unknown as StreamedEvent;
    const moments = momentsOf({
      order: orderOf({ createdAt: at(0) }),
      history: { states: null, statesReason: null, requests: [] },
      placings: [],
      fills: [{ id: 'f', orderId: 'ord_1', quantity: 4, price: 1499.5, at: at(5) }],
    });
    const events = [
      event('order.resolved', 9, {}, { resolution: { kind: 'absent' } }),
      event('order.updated', 8, {}),
      event('order.forced', 4, { id: 'slice', parentId: 'ord_1' }),
      event('order.forced', 4, { id: 'other' }),
    ];
    expect(withEvents(moments, 'ord_1', events).map(({ words }) => words)).toEqual([
      'The order was taken and written down',
      'The key admin let pass with force: BUY 10 NSE:INFY CNC LIMIT',
      'Filled 4 at ₹1,499.50',
      'The key admin said of BUY 10 NSE:INFY CNC LIMIT: the broker does not have it',
    ]);
  });
});
