import { describe, expect, it } from 'vitest';
import type { StreamedEvent } from '../../client/index.ts';
import { eventKind, type EventKind, eventWords } from '../../dashboard/src/pure/event-words.ts';
import { EVENT_TYPES, type EventType } from '../../src/events/event-log.ts';
import { orderOf } from './support/samples.ts';

const event = (type: string, data: object) =>
  ({ type, data }) as Pick<StreamedEvent, 'type' | 'data'>;

const order = orderOf({ status: 'uncertain' });
const TERMS = 'BUY 10 NSE:INFY CNC LIMIT';
const by = 'key_1';
const external = {
  ...{ broker: 'alt', brokerOrderId: 'B1', instrument: 'NSE:INFY', side: 'SELL', quantity: 5 },
  ...{ by, attemptId: 'att_1', detail: null },
};
const signal = { id: 'sig_1', hookName: 'charts', mode: 'live', caller: by, problem: null };
const request = { side: 'BUY', quantity: 10, instrument: 'NSE:INFY' };

/** Each type with what docs/events.md says that its data holds, its group, and its line. */
const SAMPLES: Readonly<Record<EventType, readonly [object, EventKind, string]>> = {
  'order.updated': [
    { order, reason: 'no reply' },
    'orders',
    `${TERMS}: not known yet whether the broker has it. no reply`,
  ],
  'order.fill': [
    { order, fill: { quantity: 4, price: 1499.5 } },
    'orders',
    `Filled 4 at ₹1,499.50: ${TERMS}`,
  ],
  'order.attempt': [
    { order, kind: 'cancel', outcome: 'refused', detail: 'too late', by: 'exit_7' },
    'orders',
    `A cancel of ${TERMS}, asked for by the exit exit_7: the broker has refused it. too late`,
  ],
  'order.resolved': [
    { order, by, resolution: { kind: 'placed', brokerOrderId: 'B1', force: true } },
    'orders',
    `The key key_1 said of ${TERMS}: the broker has it as B1, although it differs`,
  ],
  'order.forced': [
    { order, by, broker: 'alt', unread: 'a row cannot be read' },
    'orders',
    `The key key_1 let pass with force: ${TERMS}. a row cannot be read`,
  ],
  'postback.received': [
    { broker: 'alt', brokerOrderId: 'B1' },
    'orders',
    'alt tells that its order B1 has changed',
  ],
  'exit.updated': [
    {
      exit: {
        ...{ side: 'SELL', instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' },
        detail: 'it reads the book',
      },
    },
    'exits and triggers',
    'Exit, SELL NSE:INFY CNC at alt: it reads the book',
  ],
  'closing.updated': [
    { closing: { detail: '2 of 3 are flat' } },
    'exits and triggers',
    'Closing of positions: 2 of 3 are flat',
  ],
  'trigger.updated': [
    { trigger: { id: 't1', instrument: 'NSE:INFY', status: 'refused', reason: 'no margin' } },
    'exits and triggers',
    'Trigger t1 of NSE:INFY: the broker has refused it. no margin',
  ],
  'trigger.changed': [
    { id: 't1', kind: 'delete', caller: by, state: 'uncertain', reason: null, status: 'waiting' },
    'exits and triggers',
    'The deletion of the trigger t1, asked for by the key key_1: not known whether the broker has taken it',
  ],
  'trigger.external_delete': [
    { broker: 'alt', triggerId: '9', instrument: 'NSE:INFY', by, outcome: null, detail: null },
    'exits and triggers',
    'Deletion of the trigger 9 of NSE:INFY at alt, placed elsewhere, asked for by the key key_1: about to leave',
  ],
  'order.cancel_all': [
    { caller: by, orderIds: ['a', 'b'], external: [{}], triggerIds: ['t'], externalTriggers: [] },
    'orders',
    'The key key_1 asks to cancel 2 orders, 1 order placed elsewhere, 1 trigger',
  ],
  'order.external_cancel': [
    { ...external, outcome: null },
    'orders',
    'A cancel of SELL 5 NSE:INFY at alt (order B1), placed elsewhere, asked for by the key key_1: about to leave',
  ],
  'order.external_modify': [
    { ...external, outcome: 'acknowledged', changes: {} },
    'orders',
    'A change of SELL 5 NSE:INFY at alt (order B1), placed elsewhere, asked for by the key key_1: the broker has taken it',
  ],
  'basket.updated': [
    {
      basket: {
        ...{ status: 'over', ordered: false },
        orders: [
          { orderId: 'a', status: 'filled' },
          { orderId: 'b', status: 'not_sent' },
          { orderId: null, status: null },
        ],
      },
    },
    'orders',
    'A basket of 3 orders is answered: 1 filled, 1 not sent, 1 not placed',
  ],
  'session.changed': [
    {
      ...{ broker: 'alt', state: 'valid', userId: 'AB1234' },
      expiresAt: '2026-11-24T06:00:00+05:30',
    },
    'others',
    'Login at alt of AB1234: valid, until Tue 24 Nov, 06:00 IST',
  ],
  'broker.changed': [
    { broker: 'alt', mode: 'live', available: false, cause: 'breaker', reason: 'no answer' },
    'others',
    'alt takes no orders. no answer',
  ],
  'kill_switch.changed': [
    { engaged: true, reason: 'a bad day', changedBy: by },
    'safety',
    'The kill switch was engaged by the key key_1. a bad day',
  ],
  'gateway.armed': [
    { by, why: 'copied', at: null },
    'safety',
    'Orders pass again on this data directory, which is a copy: the key key_1 said that the gateway of the original is stopped',
  ],
  'key.changed': [
    { key: { id: by, name: 'bot', scope: 'trade' }, change: 'revoked', fields: [], by: null },
    'safety',
    'The key bot (trade) was revoked by the gateway or the command line',
  ],
  'hook.changed': [
    {
      hook: { id: 'h', name: 'charts', key: by, mode: 'paper' },
      ...{ change: 'changed', fields: ['mode', 'name'], by: 'admin' },
    },
    'others',
    'The hook charts of the key key_1 (paper) was changed by the key admin: mode, name',
  ],
  'webhook.changed': [
    { webhook: { id: 'wh_1', types: null }, change: 'revived', by: 'admin' },
    'others',
    'The webhook wh_1 was revived by the key admin',
  ],
  'signal.accepted': [
    { signal: { ...signal, orders: [{ request, problem: null }] } },
    'alerts',
    'Signal sig_1 of the hook charts is taken, may be real money: BUY 10 NSE:INFY',
  ],
  'signal.refused': [
    {
      signal: {
        ...signal,
        orders: [
          { request, problem: null },
          { request, problem: { code: 'x', detail: 'no margin' } },
        ],
      },
    },
    'alerts',
    'Signal sig_1 of the hook charts: 1 of 2 orders not placed. no margin',
  ],
  alert: [
    { level: 'critical', message: 'the disk is full' },
    'alerts',
    'Critical: the disk is full',
  ],
};

describe('events of the page', () => {
  it.each(EVENT_TYPES)('%s has its group, and a line that says what happened', (type) => {
    const [data, kind, words] = SAMPLES[type];
    expect(eventKind(type)).toBe(kind);
    expect(eventWords(event(type, data))).toBe(words);
  });

  it.each([...EVENT_TYPES, 'of.later'])('%s is never an empty line, whatever it lacks', (type) => {
    expect(eventWords(event(type, {}))).not.toBe('');
    expect(eventWords(event(type, { order: null, reason: null }))).not.toMatch(/undefined|null/);
  });

  it.each([
    [
      'kill_switch.changed',
      { engaged: false, reason: null, changedBy: null },
      'was released by the gateway',
    ],
    ['kill_switch.changed', { reason: null, changedBy: null }, 'not told which'],
    ['session.changed', { broker: 'alt', state: 'absent', userId: null }, 'nobody is logged in'],
    [
      'session.changed',
      { broker: 'alt', state: 'expired', userId: 'AB1234' },
      'of AB1234 has ended',
    ],
    [
      'broker.changed',
      { broker: 'paper', mode: 'paper', available: true },
      'takes orders, on paper',
    ],
    ['gateway.armed', { by, why: 'restored' }, 'was restored from a backup'],
    ['order.resolved', { order, by, resolution: { kind: 'absent' } }, 'does not have it'],
    ['order.attempt', { order, kind: 'modify', outcome: 'not_sent', by: null }, 'A change of'],
    [
      'trigger.changed',
      { id: 't1', kind: 'resolve', caller: by },
      'said what became of the trigger t1',
    ],
    [
      'basket.updated',
      { basket: { status: 'begun', orders: [{}] } },
      'A basket of 1 order has begun',
    ],
    ['order.cancel_all', { caller: by, orderIds: [], external: [] }, 'none is known so far'],
    [
      'signal.refused',
      { signal: { ...signal, problem: { detail: 'too old' } } },
      'nothing was placed. too old',
    ],
    ['alert', { level: 'warning', message: 'look' }, 'look'],
  ])('%s with %j says: %s', (type, data, words) => {
    expect(eventWords(event(type, data))).toContain(words);
  });
});
