import { NO_LIMITS } from '../../support/no-limits.ts';
import type { Holding } from '../../../src/domain/portfolio.ts';
import type {
  OrderHistory,
  OrderRequestMade,
  OrderStateSeen,
} from '../../../src/domain/order-history.ts';
import type { PlacingTimes } from '../../../src/router/placing-times.ts';
import type { TriggerResponse } from '../../../src/domain/trigger.ts';
import type { ListedTrigger, TriggerCallResult } from '../../../src/router/triggers.ts';
import type { Trade } from '../../../src/router/trades.ts';
import type { Gateway } from '../../../src/router/gateway.ts';
import {
  BASKET,
  BUCKET,
  CANCEL_ALL,
  CHAIN,
  CLOSING,
  CONTRACT_NOTE,
  EXIT,
  INFY,
  MARGIN,
  META,
  NOW,
  order,
  QUOTE,
} from './samples.ts';
import { KEY_ANSWERS } from './key-answers.ts';
import { DAY_REPORT } from './report-sample.ts';

export interface FakeGateway {
  readonly gateway: Gateway;
  /** Every call, in order: its name and its arguments. */
  readonly calls: (readonly [name: string, ...given: unknown[]])[];
  /** Replaces the behaviour of one call. */
  set(changes: Partial<Gateway>): void;
}

const BROKERS: ReturnType<Gateway['getBrokers']> = [
  {
    broker: 'alt',
    mode: 'live',
    serves: ['market_data'],
    hasSession: true,
    available: true,
    reason: null,
    parts: [{ part: 'market_data', chosenBy: 'route', available: true, reason: null }],
    instruments: {
      broker: 'alt',
      ...{ count: 2, fetchedAt: NOW, outdated: false, problem: null },
      lists: [{ name: 'instruments', count: 2, fetchedAt: NOW, outdated: false, problem: null }],
    },
    addressRefusal: { at: NOW, reason: 'IP (10.1.2.3) is not allowed. Register it.' },
    ...{ deadToken: null, isStreaming: true },
    postbacks: { since: NOW, lastAt: null },
    clock: { aheadMs: -120, toldAt: NOW },
  },
  {
    broker: 'paper',
    mode: 'paper',
    serves: [],
    hasSession: false,
    available: false,
    reason: 'not on a route',
    parts: [{ part: 'trading', chosenBy: 'name', available: false, reason: 'not on a route' }],
    instruments: null,
    ...{ addressRefusal: null, deadToken: null },
    isStreaming: null,
    postbacks: null,
    clock: null,
  },
];

const BOOKS = [{ broker: 'alt', mode: 'live', read: true, reason: null, unreadRows: 0 }] as const;

const TRADE: Trade = {
  ...{
    id: '70001',
    orderId: 'alt:1',
    external: true,
    triggeredBy: null,
    broker: 'alt',
    mode: 'live',
  },
  ...{ brokerOrderId: '1', exchangeOrderId: null, instrument: 'NSE:INFY', side: 'BUY' },
  ...{ product: null, quantity: 4, price: 1499.9, at: NOW },
};

const PLACINGS: readonly PlacingTimes[] = [
  {
    ...{ attemptId: 'att_1', orderId: 'ord_1', broker: 'alt', outcome: 'acknowledged' },
    times: { receivedAt: NOW, committedMs: 2.125, sentMs: 3.25, answeredMs: 40 },
  },
];

const RELEASED = { engaged: false, reason: null, changedAt: null, onDisk: true, changedBy: null };

const EXIT_ANSWERS = {
  startExit: async () => ({ exit: EXIT, repeated: false }),
  getExit: async () => ({ ...EXIT, orders: [order()] }),
  getExits: async () => [EXIT],
  cancelExit: async () => EXIT,
  closeAll: async () => ({ closing: CLOSING, repeated: false }),
  getClosing: async () => CLOSING,
  getClosings: async () => [CLOSING],
  cancelClosing: async () => CLOSING,
};

const TRIGGER: ListedTrigger = {
  id: null,
  ...{ triggerId: '100001', instrument: 'NSE:INFY', status: 'waiting', rawStatus: 'active' },
  legs: [
    {
      ...{ triggerPrice: 1450, side: 'SELL', quantity: 10, product: 'CNC', orderType: 'LIMIT' },
      ...{ price: 1449.5, brokerOrderId: null, reason: null },
    },
  ],
  ...{ createdAt: NOW, updatedAt: NOW, expiresAt: null },
};

const SEEN: OrderStateSeen = {
  ...{ status: 'working', brokerStatus: 'OPEN', at: NOW, exchangeOrderId: '1100000000000001' },
  ...{ quantity: 10, filledQuantity: 4, averagePrice: 1500, price: 1500, triggerPrice: null },
  ...{ orderType: 'LIMIT', validity: 'DAY', reason: null },
};

const REQUEST_MADE: OrderRequestMade = {
  ...{ id: 'att_1', orderId: 'ord_1', kind: 'modify', by: 'key_1', sentAt: NOW },
  ...{ outcome: 'acknowledged', settledAt: NOW, reason: null },
  changes: { quantity: null, price: 1501, triggerPrice: null, orderType: null, validity: null },
};

const HOLDING: Holding = {
  ...{ instrument: 'NSE:INFY', isin: 'INE009A01021', quantity: 10, usedQuantity: 0 },
  ...{ t1Quantity: 2, averagePrice: 1400, lastPrice: null },
};

const HISTORY: OrderHistory = { states: [SEEN], statesReason: null, requests: [REQUEST_MADE] };

const LAST_PRICES = {
  data: {
    found: new Map([['NSE:INFY', { instrument: 'NSE:INFY', lastPrice: 1500.5 }]]),
    errors: new Map(),
  },
  meta: META,
};

const OWN_TRIGGER: TriggerResponse = {
  ...{ id: 'trg_1', clientOrderId: 'key-1', broker: 'alt', mode: 'live', instrument: 'NSE:INFY' },
  ...{ status: 'waiting', reason: null, triggerId: '100001', rawStatus: 'active' },
  legs: [
    {
      ...{ triggerPrice: 1450, side: 'SELL', quantity: 10, product: 'CNC', price: 1449.5 },
      ...{ brokerOrderId: null, reason: null, filledQuantity: null, averagePrice: null },
    },
  ],
  ...{ candidates: [], deleteWanted: false, createdAt: NOW, updatedAt: NOW, expiresAt: null },
};

/** What a request about a trigger is answered; `changes` of the trigger. */
export const triggerResult = (
  changes: Partial<TriggerResponse> = {},
  change: TriggerCallResult['change'] = null,
): TriggerCallResult => ({
  ...{ trigger: { ...OWN_TRIGGER, ...changes }, idempotencyKey: 'key-1', repeated: false, change },
});

const TRIGGER_ANSWERS = {
  getTriggers: async () => ({ data: [TRIGGER], meta: META }),
  getTrigger: async () => OWN_TRIGGER,
  placeTrigger: async () => triggerResult(),
  modifyTrigger: async () => triggerResult({}, { status: 'acknowledged', reason: null }),
  deleteTrigger: async () => triggerResult({ status: 'ended' }, { status: 'taken', reason: null }),
  resolveTrigger: async () => triggerResult({}, { status: 'taken', reason: null }),
};

/** A gateway that answers at once with samples, and records its calls. */
export function fakeGateway(): FakeGateway {
  const calls: (readonly [string, ...unknown[]])[] = [];
  const result = { order: order(), idempotencyKey: 'key-1', settled: true, repeated: false };
  const answers: Gateway = {
    getQuotes: async () => ({
      data: {
        found: new Map([['NSE:INFY', QUOTE]]),
        errors: new Map([['NSE:GONE', 'there is no such instrument']]),
      },
      meta: META,
    }),
    ...KEY_ANSWERS,
    getQuote: async () => ({ data: QUOTE, meta: META }),
    getLastPrices: async () => LAST_PRICES,
    getInstruments: async () => ({ instruments: [INFY], last: null }),
    getInstrument: async () => INFY,
    getCandles: async () => ({
      data: [{ at: NOW, open: 1490, high: 1510, low: 1488, close: 1500.5, volume: 900 }],
      meta: META,
    }),
    getOptionChain: async () => ({ data: CHAIN, meta: META }),
    getExpiries: async () => ({ data: ['2026-11-24', '2026-12-29'], meta: META }),
    getPositions: async () => ({
      data: [
        {
          instrument: 'NSE:INFY',
          product: 'INTRADAY',
          quantity: -5,
          averagePrice: 1500,
          lastPrice: 1490,
          realisedPnl: 0,
          unrealisedPnl: 50,
          buyQuantity: 0,
          sellQuantity: 5,
        },
      ],
      meta: META,
    }),
    getDayPositions: async () => ({ data: [], meta: META }),
    getHoldings: async () => ({
      data: [HOLDING],
      meta: META,
    }),
    getFunds: async () => ({
      data: { available: 1000.5, used: null, total: 1000.5, byProduct: { CNC: 1000.5 } },
      meta: META,
    }),
    getProfile: async () => ({ data: { userId: 'AB1234', name: 'A B', email: null }, meta: META }),
    getTrades: async () => ({ data: [TRADE], meta: META, nextCursor: null }),
    getMargins: async () => ({ data: MARGIN, meta: META }),
    getContractNote: async () => ({ data: CONTRACT_NOTE, meta: META }),
    getDayReport: async () => DAY_REPORT,
    getOrders: async () => ({ data: [order()], meta: META, nextCursor: null, books: BOOKS }),
    getOrder: async () => order(),
    getDatedOrder: async () => ({ data: order(), meta: META }),
    getFills: async () => [{ id: 'f1', orderId: 'ord_1', quantity: 4, price: 1500, at: NOW }],
    getOrderHistory: async () => HISTORY,
    getOrderTimes: async () => PLACINGS,
    placeOrder: async () => result,
    placeBasket: async () => BASKET,
    cancelOrder: async () => ({ ...result, order: order({ status: 'cancelled' }) }),
    cancelAll: async () => CANCEL_ALL,
    modifyOrder: async () => result,
    resolveOrder: async () => ({ ...result, order: order({ boundBy: 'person' }) }),
    ...EXIT_ANSWERS,
    ...TRIGGER_ANSWERS,
    getOverview: () => ({
      ...{ trading: 'none', accepts: 'none', ordersFrom: null, sentence: 'No.' },
      ...{ account: null, needs: [], openOrders: 0 },
      killSwitch: { engaged: false, reason: null, changedAt: null, onDisk: true, changedBy: null },
    }),
    getKillSwitch: () => RELEASED,
    setKillSwitch: async (engaged, reason, { caller }) => ({
      engaged,
      reason,
      changedAt: NOW,
      onDisk: true,
      changedBy: caller,
    }),
    receivePostback: async () => ({ kind: 'accepted' }),
    getBrokers: () => BROKERS,
    getBrokersNotSetUp: () => [],
    getLimits: () => [{ broker: 'alt', buckets: [BUCKET] }],
    getBrakes: () => ({ orders: { limits: NO_LIMITS, ofMinute: null, open: [] }, dailyLoss: null }),
  };
  const gateway = new Proxy(answers, {
    get(target, name: keyof Gateway) {
      return (...given: unknown[]) => {
        calls.push([name, ...given]);
        return (target[name] as (...given: unknown[]) => unknown)(...given);
      };
    },
  });
  return { gateway, calls, set: (changes) => void Object.assign(answers, changes) };
}
