import type { AnswerMeta } from '../../../src/domain/answer.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OrderResponse } from '../../../src/domain/order.ts';
import type { Quote } from '../../../src/domain/quote.ts';

/** Monday, 09:30 IST. */
export const NOW = Date.parse('2026-11-23T04:00:00Z');
export const NOW_IST = '2026-11-23T09:30:00.000+05:30';

export const META: AnswerMeta = { broker: 'alt', mode: 'live', asOf: NOW, ageMs: 12 };

export const INFY: Instrument = {
  name: 'NSE:INFY',
  exchange: 'NSE',
  tradingSymbol: 'INFY',
  segment: 'EQUITY',
  securityId: '1594',
  instrumentToken: 408065,
  lotSize: 1,
  tickSize: 0.05,
  freezeQuantity: null,
  isin: 'INE009A01021',
  displayName: 'INFOSYS',
  expiry: null,
  strike: null,
  optionType: null,
};

export const QUOTE: Quote = {
  instrument: 'NSE:INFY',
  lastPrice: 1500.5,
  open: 1490,
  high: 1510,
  low: 1488,
  previousClose: 1495,
  change: 5.5,
  changePercent: 0.37,
  volume: 120_000,
  bid: 1500.45,
  ask: 1500.55,
  depth: {
    buy: [{ price: 1500.45, quantity: 10, orders: 2 }],
    sell: [{ price: 1500.55, quantity: 20, orders: null }],
  },
  upperCircuit: 1650,
  lowerCircuit: null,
  at: NOW,
};

export function order(changes: Partial<OrderResponse> = {}): OrderResponse {
  return {
    id: 'ord_1',
    clientOrderId: 'key-1',
    broker: 'alt',
    mode: 'live',
    brokerOrderId: '220303000308932',
    exchangeOrderId: null,
    instrument: 'NSE:INFY',
    side: 'BUY',
    quantity: 10,
    filledQuantity: 0,
    remainingQuantity: 10,
    averagePrice: null,
    fillPriceSource: null,
    orderType: 'LIMIT',
    product: 'CNC',
    validity: 'DAY',
    price: 1500,
    triggerPrice: null,
    amo: false,
    status: 'working',
    reason: null,
    tag: null,
    boundBy: 'id',
    absentSince: null,
    external: false,
    createdAt: NOW,
    updatedAt: NOW,
    ...changes,
  };
}
