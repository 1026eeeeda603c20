import { describe, expect, it } from 'vitest';

import { momentsOf } from '../../dashboard/src/pure/timeline.ts';
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
      'The gateway sends the order',
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
