import type { AltBroker } from '../../../../src/adapters/alt/index.ts';
import type { MarginQuery } from '../../../../src/domain/margin.ts';
import type { ModifyAttempt } from '../../../../src/domain/order.ts';
import type { TriggerAttempt, TriggerLegs } from '../../../../src/domain/trigger.ts';
import { attempt, instrument, terms } from './alt-broker.ts';
import { allInstruments } from '../../../support/all-instruments.ts';
import { epochMs } from '../../../../src/units/branded.ts';

export const ORDER_ID = '261120000000001';

export const query = (): MarginQuery => ({ terms: terms(), instrument: instrument('NSE:INFY') });

const STOP: TriggerLegs = [
  { triggerPrice: 1450, side: 'SELL', quantity: 10, product: 'CNC', price: 1449.5 },
];

export const gttAttempt = (
  legs: TriggerLegs = STOP,
  changes: Partial<TriggerAttempt> = {},
): TriggerAttempt => ({
  instrument: instrument('NSE:INFY'),
  lastPrice: 1500,
  terms: { instrument: 'NSE:INFY', legs },
  ...changes,
});

export function modification(changes: Partial<ModifyAttempt['changes']> = {}): ModifyAttempt {
  return {
    attemptId: 'm',
    brokerOrderId: ORDER_ID,
    instrument: instrument('NSE:INFY'),
    terms: terms(),
    changes: {
      quantity: null,
      price: null,
      triggerPrice: null,
      orderType: null,
      validity: null,
      ...changes,
    },
  };
}

export const cancellation = (brokerOrderId = ORDER_ID) => ({
  attemptId: 'c',
  brokerOrderId,
  instrument: instrument('NSE:INFY'),
  brokerOrderType: null,
});

const infosys = [instrument('NSE:INFY')];
const NINE = epochMs(Date.parse('2026-11-20T09:15:00+05:30'));

export type Read = readonly [name: string, read: (broker: AltBroker) => Promise<unknown>];

/** Every read that the adapter has. */
export const READS: readonly Read[] = [
  ['orderBook', ({ trading }) => trading.orderBook()],
  ['trades', ({ trading }) => trading.trades()],
  ['orderHistory', ({ trading }) => trading.orderHistory(ORDER_ID)],
  ['orderTrades', ({ trading }) => trading.orderTrades(ORDER_ID)],
  ['positions', ({ account }) => account.positions()],
  ['holdings', ({ account }) => account.holdings()],
  ['funds', ({ account }) => account.funds()],
  ['profile', ({ account }) => account.profile()],
  ['margins of one order', ({ account }) => account.margins([query()])],
  ['margins of several orders', ({ account }) => account.margins([query(), query()])],
  ['quotes', ({ marketData }) => marketData.quotes(infosys)],
  ['lastPrices', ({ marketData }) => marketData.lastPrices(infosys)],
  [
    'candles',
    ({ marketData }) =>
      marketData.candles({
        instrument: infosys[0]!,
        interval: '1minute',
        from: NINE,
        to: epochMs(NINE + 60_000),
      }),
  ],
  ['instruments', ({ instruments }) => allInstruments(instruments)],
  ['gtt list', ({ triggers }) => triggers.list()],
  ['login', ({ login }) => login.exchange('request1')],
];

export type Change = readonly [
  name: string,
  change: (broker: AltBroker) => Promise<{ readonly kind: string }>,
];

/** Every call that changes something in one request. */
export const CHANGES: readonly Change[] = [
  ['place', ({ trading }) => trading.place(attempt())],
  ['cancel', ({ trading }) => trading.cancel(cancellation())],
  ['modify', ({ trading }) => trading.modify(modification({ price: 1501 }))],
  ['gtt modify', ({ triggers }) => triggers.calls.modify('100001', gttAttempt())],
  ['gtt remove', ({ triggers }) => triggers.calls.remove('100001')],
];
