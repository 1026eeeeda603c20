import type { AnswerMeta } from '../../../src/domain/answer.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OptionChain } from '../../../src/domain/option-chain.ts';
import type { ClosingResponse } from '../../../src/domain/closing.ts';
import type { ContractNote, OrderCharges } from '../../../src/domain/contract-note.ts';
import type { ExitResponse } from '../../../src/domain/exit.ts';
import type { BasketAnswer } from '../../../src/domain/basket.ts';
import type { LimitBucket } from '../../../src/domain/limits.ts';
import type { MarginEstimate } from '../../../src/domain/margin.ts';
import type { OrderResponse } from '../../../src/domain/order.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import type { CancelAllAnswer } from '../../../src/router/gateway.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** Monday, 09:30 IST. */
export const NOW = epochMs(Date.parse('2026-11-23T04:00:00Z'));
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

export const CHAIN: OptionChain = {
  underlying: 'NSE:NIFTY 50',
  underlyingPrice: 24450,
  expiry: '2026-11-24',
  strikes: [
    {
      strike: 24450,
      call: {
        instrument: 'NFO:NIFTY26NOV24450CE',
        securityId: '57000',
        lastPrice: 180,
        previousClose: 176,
        openInterest: 91_000,
        previousOpenInterest: null,
        volume: 5_000,
        bid: 179.9,
        bidQuantity: 65,
        ask: 180.1,
        askQuantity: 130,
        impliedVolatility: 11.8,
        greeks: { delta: 0.5, gamma: 0.001, theta: -9, vega: 11 },
      },
      put: null,
    },
  ],
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
    parentId: null,
    external: false,
    createdAt: NOW,
    updatedAt: NOW,
    ...changes,
  };
}

/** The body of a request that places the order of `order()`. */
export const LIMIT_ORDER = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'LIMIT',
  product: 'CNC',
  price: 1500,
};

export const MARGIN: MarginEstimate = {
  required: 15_000.5,
  available: 10_000,
  shortfall: 5_000.5,
  parts: { span_margin: 0 },
  charges: { total: 38.6, parts: { gst: 3.6 } },
};

const CHARGES: OrderCharges = {
  ...{ transactionTax: 1.5, transactionTaxType: 'stt', exchangeTurnover: 0.45 },
  ...{ sebiTurnover: 0.02, brokerage: 0, stampDuty: 0.23 },
  gst: { igst: 0.08, cgst: 0, sgst: 0, total: 0.08 },
  total: 2.28,
};

export const CONTRACT_NOTE: ContractNote = {
  day: '2026-11-23',
  orders: [
    {
      ...{ orderId: 'ord_1', external: false, brokerOrderId: '261123000000001' },
      ...{ instrument: 'NSE:INFY', side: 'BUY', product: 'CNC', orderType: 'LIMIT' },
      ...{ variety: 'regular', quantity: 1, price: 1500, charges: CHARGES },
    },
  ],
  total: CHARGES,
};

export const BASKET: BasketAnswer = {
  orders: [
    {
      clientOrderId: 'key-1',
      result: 'acknowledged',
      placed: { order: order(), idempotencyKey: 'key-1', settled: true, repeated: false },
      problem: null,
    },
  ],
  margins: null,
};

export const BUCKET: LimitBucket = {
  name: 'orders',
  windows: [
    { perMs: 1_000, limit: 10, left: 9, reserved: 2 },
    { perMs: 86_400_000, limit: 5_000, left: 4_321, reserved: 1_000 },
  ],
  waiting: 2,
  waited: { calls: 3, ms: 1_500 },
  pausedUntil: NOW,
};

export const EXIT: ExitResponse = {
  id: 'exit_0193576c-2f00-7000-8000-000000000000',
  clientOrderId: 'key-1',
  broker: 'alt',
  mode: 'live',
  instrument: 'NSE:INFY',
  product: 'CNC',
  side: 'SELL',
  quantity: null,
  orderId: null,
  status: 'running',
  why: null,
  detail: 'begun',
  held: null,
  attempt: 1,
  legs: 0,
  createdAt: NOW,
  updatedAt: NOW,
};

export const CLOSING: ClosingResponse = {
  id: 'closing_0193576c-2f00-7000-8000-000000000000',
  clientOrderId: 'key-1',
  status: 'running',
  detail: '1 of 1 positions are not closed yet',
  positions: [
    {
      ...{ broker: 'alt', mode: 'live', instrument: 'NSE:INFY', product: 'INTRADAY' },
      ...{ net: -5, quantity: null, underlying: 'INFY', phase: 1, status: 'running' },
      ...{ exitId: 'exit_0193576c-2f00-7000-8000-000000000000', reason: null },
    },
  ],
  unread: [
    {
      ...{ broker: 'alt', mode: 'live', list: 'positions', instrument: null, product: 'MARGIN' },
      ...{ quantity: null, reason: 'tradingsymbol is required' },
    },
  ],
  estimatedSeconds: 1,
  createdAt: NOW,
  updatedAt: NOW,
};

export const CANCEL_ALL: CancelAllAnswer = {
  orders: [{ order: order({ status: 'cancelled' }), result: 'cancelled', reason: null }],
  errors: [],
  estimatedSeconds: 0,
  idempotencyKey: 'key-1',
  repeated: false,
  settled: true,
};
