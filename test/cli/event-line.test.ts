import { describe, expect, it } from 'vitest';
import type { StreamedEvent } from '../../client/index.ts';
import { eventLine } from '../../cli/event-line.ts';
import { orderOf } from '../dashboard/support/samples.ts';

const line = (type: string, data: object): string =>
  eventLine({ id: 'e-1', type, at: '2026-11-23T23:59:58.120+05:30', data } as StreamedEvent);
const order = orderOf({ averagePrice: null });
const OF_ORDER = 'working, filled 0: BUY 10 NSE:INFY LIMIT at alt  (ord_1)';

describe('a line of an event', () => {
  it('has the day, since events are followed over night', () => {
    expect(line('alert', { level: 'critical', message: 'The disk is full.', orderId: null })).toBe(
      '2026-11-23 23:59:58  alert  The disk is full.  level=critical',
    );
  });

  it('of an order has the order, and a fill what it was of', () => {
    expect(line('order.updated', { order })).toBe(
      `2026-11-23 23:59:58  order.updated  ${OF_ORDER}`,
    );
    const fill = { id: '7', orderId: 'ord_1', quantity: 4, price: 1499.9, at: null };
    expect(line('order.fill', { fill, order })).toBe(
      `2026-11-23 23:59:58  order.fill  4 at ₹1,499.90: ${OF_ORDER}`,
    );
  });

  it('of a request to change an order says which, what became of it, and who asked', () => {
    const data = { kind: 'cancel', outcome: 'refused', detail: 'it is too late', by: 'key_1' };
    expect(line('order.attempt', { ...data, order })).toBe(
      `2026-11-23 23:59:58  order.attempt  kind=cancel  outcome=refused  detail="it is too late"  by=key_1  ${OF_ORDER}`,
    );
  });

  it('of anything else has its figures, those of a part with its name, and what is absent left out', () => {
    expect(line('kill_switch.changed', { engaged: true, reason: 'a test', changedBy: null })).toBe(
      '2026-11-23 23:59:58  kill_switch.changed  engaged=true  reason="a test"',
    );
    const exit = { id: 'exit_1', status: 'flat', legs: [1, 2], detail: '' };
    expect(line('exit.updated', { exit })).toBe(
      '2026-11-23 23:59:58  exit.updated  exit.id=exit_1  exit.status=flat  exit.legs=[1,2]  exit.detail=""',
    );
    expect(line('a.new.type', {})).toBe('2026-11-23 23:59:58  a.new.type');
  });

  it('sends no character that moves the cursor or turns text around', () => {
    const shown = line('alert', { message: 'a\u001b[2Jb\nc\u202ed' });
    expect(shown).toMatch(/^[\p{L}\p{N}\p{P}\p{S} ]*$/u);
    expect(shown).toContain('\\u001b');
  });
});
