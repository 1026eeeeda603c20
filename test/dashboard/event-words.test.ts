import { describe, expect, it } from 'vitest';
import type { StreamedEvent } from '../../client/index.ts';
import { eventKind, eventWords } from '../../dashboard/src/pure/event-words.ts';
import { orderOf } from './support/samples.ts';

const event = (type: string, data: object) =>
  ({ type, data }) as Pick<StreamedEvent, 'type' | 'data'>;

describe('events of the page', () => {
  it.each([
    ['order.fill', 'orders'],
    ['basket.updated', 'orders'],
    ['exit.updated', 'exits'],
    ['closing.updated', 'exits'],
    ['kill_switch.changed', 'safety'],
    ['alert', 'alerts'],
    ['signal.refused', 'alerts'],
    ['session.changed', 'others'],
  ] as const)('%s is of the kind %s', (type, kind) => {
    expect(eventKind(type)).toBe(kind);
  });

  it('tell a fill, an order with its status and reason, and what a part of them details', () => {
    const order = orderOf({ status: 'uncertain' });
    const fill = { quantity: 4, price: 1499.5 };
    expect(eventWords(event('order.fill', { order, fill }))).toBe(
      'Filled 4 at ₹1,499.50: BUY 10 NSE:INFY CNC LIMIT',
    );
    expect(eventWords(event('order.updated', { order, reason: 'no reply' }))).toBe(
      'BUY 10 NSE:INFY CNC LIMIT: not known yet whether the broker has it. no reply',
    );
    expect(eventWords(event('exit.updated', { exit: { detail: 'it reads the book' } }))).toBe(
      'it reads the book',
    );
    expect(eventWords(event('alert', { message: 'the disk is full' }))).toBe('the disk is full');
  });
});
