import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import {
  closingsListed,
  closingSteps,
  exitsListed,
  legWords,
  mayFire,
  stepsOf,
} from '../../dashboard/src/pure/under-way.ts';
import { orderOf } from './support/samples.ts';

describe('closings of the day', () => {
  const closing = (changes: object) =>
    ({ id: 'c', status: 'flat', createdAt: '2026-11-23T10:00:00+05:30', ...changes }) as never;

  it('has those that run first, then the newest', () => {
    const early = closing({ id: 'early' });
    const late = closing({ id: 'late', createdAt: '2026-11-23T11:00:00+05:30' });
    const running = closing({ id: 'running', status: 'running' });
    expect(closingsListed([early, late, running]).map(({ id }) => id)).toEqual([
      ...['running', 'late', 'early'],
    ]);
  });

  it('says of each position what has become of it, and which row was not read', () => {
    const position = {
      instrument: 'NFO:X',
      product: 'MARGIN',
      broker: 'alt',
      reason: null,
      quantity: null,
    };
    const positions = [
      { ...position, net: -50, status: 'flat' },
      { ...position, net: -50, quantity: 20, status: 'flat' },
      { ...position, net: 65, quantity: 65, status: 'flat' },
      { ...position, net: 65, status: 'kept', reason: 'it may cover' },
    ];
    const unread = [{ instrument: null, broker: 'alt', list: 'positions', reason: 'no product' }];
    expect(closingSteps(closing({ positions, unread }))).toEqual([
      '−50 NFO:X MARGIN at alt: closed',
      '−20 of −50 NFO:X MARGIN at alt: closed',
      '65 NFO:X MARGIN at alt: closed',
      '65 NFO:X MARGIN at alt: kept open (it may cover)',
      'An instrument that cannot be read: not closed, since its row in the positions at alt cannot be read (no product)',
    ]);
  });
});

describe('triggers', () => {
  it.each([
    ['waiting', true],
    ['unrecognised', true],
    ['uncertain', true],
    ['sending', true],
    ['triggered', false],
    ['ended', false],
  ] as const)('that are %s may still place an order: %s', (status, may) => {
    expect(mayFire({ status })).toBe(may);
  });

  it('say what they place, and what the broker does not tell is not known', () => {
    const leg: Parameters<typeof legWords>[0] = {
      ...{ triggerPrice: 1455, side: 'SELL', quantity: 10, product: 'CNC' },
      ...{ orderType: 'LIMIT', price: 1450, brokerOrderId: null, reason: null },
    };
    expect(legWords(leg)).toBe('SELL 10 CNC at ₹1,450.00 once ₹1,455.00 is reached');
    expect(legWords({ ...leg, triggerPrice: null, price: null })).toBe(
      'SELL 10 CNC at the market once not known is reached',
    );
  });
});

describe('exits', () => {
  const exit = (id: string, status: Schemas['Exit']['status'], minute: number) => ({
    exit: { id, status, createdAt: `2026-11-23T10:0${minute}:00+05:30` } as Schemas['Exit'],
  });

  it('are listed those that run first, then the newest', () => {
    const all = [exit('old', 'flat', 1), exit('runs', 'running', 2), exit('new', 'stopped', 3)];
    expect(exitsListed(all).map(({ exit: { id } }) => id)).toEqual(['runs', 'new', 'old']);
  });

  it('tell each order, and that they cannot be read', () => {
    const orders = [orderOf({ side: 'SELL', status: 'cancelled' }), orderOf({ side: 'SELL' })];
    expect(stepsOf({ orders })).toEqual([
      'SELL 10 NSE:INFY CNC LIMIT: cancelled',
      'SELL 10 NSE:INFY CNC LIMIT: working at the broker',
    ]);
    expect(stepsOf({ orders: 'no answer' })).toEqual(['its orders cannot be read now: no answer']);
    expect(stepsOf({ orders: [] })).toEqual([]);
  });
});
