import { describe, expect, it } from 'vitest';
import {
  afterEvent,
  afterRead,
  canResolve,
  listed,
  type Order,
  ordersOf,
  STATUS_WORDS,
  termsOf,
} from '../../dashboard/src/pure/orders.ts';
import { orderOf } from './support/samples.ts';

const at = (minute: number): string => `2026-11-23T10:${String(minute).padStart(2, '0')}:00+05:30`;
const event = (order: Order) => ({ data: { order } });

describe('the orders of the page', () => {
  it('take up what an event tells, and a new order', () => {
    const orders = ordersOf([orderOf({ id: 'a', status: 'working', updatedAt: at(1) })]);
    const next = afterEvent(
      orders,
      event(orderOf({ id: 'a', status: 'filled', updatedAt: at(2) })),
    );
    const more = afterEvent(next, event(orderOf({ id: 'b', updatedAt: at(3) })));
    expect([more.get('a')?.status, more.size]).toEqual(['filled', 2]);
    expect(orders.get('a')?.status).toBe('working');
  });

  it('keep the newer state where an event comes again, or comes after a read that had more', () => {
    const orders = ordersOf([orderOf({ id: 'a', status: 'filled', updatedAt: at(2) })]);
    const old = event(orderOf({ id: 'a', status: 'working', updatedAt: at(1) }));
    expect(afterEvent(orders, old).get('a')?.status).toBe('filled');
  });

  it('keep the newer state where a read is older than an event', () => {
    const known = ordersOf([orderOf({ id: 'a', status: 'filled', updatedAt: at(2) })]);
    const read = [orderOf({ id: 'a', status: 'working', updatedAt: at(1) })];
    expect(afterRead(known, read).get('a')?.status).toBe('filled');
  });

  it('are not changed by events of no order, or of a slice', () => {
    const orders = ordersOf([orderOf({ id: 'a' })]);
    expect(afterEvent(orders, { data: {} })).toBe(orders);
    expect(afterEvent(orders, event(orderOf({ id: 's', parentId: 'a' })))).toBe(orders);
    expect(ordersOf([orderOf({ id: 's', parentId: 'a' })]).size).toBe(0);
  });

  it('are listed open ones first, then the newest', () => {
    const orders = ordersOf([
      orderOf({ id: 'old', status: 'working', createdAt: at(1) }),
      orderOf({ id: 'over', status: 'filled', createdAt: at(9) }),
      orderOf({ id: 'open', status: 'uncertain', createdAt: at(5) }),
    ]);
    expect(listed(orders).map(({ id }) => id)).toEqual(['open', 'old', 'over']);
  });

  it.each([
    ['uncertain', null, true],
    ['disputed', null, true],
    ['disputed', '251123000000001', false],
    ['working', null, false],
  ] as const)(
    'can be resolved where one is %s with the id %s: %s',
    (status, brokerOrderId, can) => {
      expect(canResolve(orderOf({ status, brokerOrderId }))).toBe(can);
    },
  );

  it('are said with their terms, and never that one failed whose outcome is open', () => {
    expect(termsOf(orderOf({ price: 1500, triggerPrice: 1490 }))).toBe(
      'BUY 10 NSE:INFY CNC LIMIT ₹1,500.00 trigger ₹1,490.00',
    );
    expect(STATUS_WORDS.uncertain).toContain('not known');
    expect(`${STATUS_WORDS.uncertain} ${STATUS_WORDS.disputed}`).not.toMatch(/fail|reject/);
  });
});
