import type { BrokerFill, BrokerOrder, UnreadRow } from '../../../src/domain/broker-order.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OrderTerms } from '../../../src/domain/order.ts';
import type { Position } from '../../../src/domain/portfolio.ts';
import type { GatewayEvent } from '../../../src/events/event-log.ts';
import type { BookObservation } from '../../../src/execution/reconcile/book-observation.ts';
import {
  observedKey,
  type Change,
  type KillSwitchRecord,
  type ObservedOrder,
  type PortfolioRecord,
} from '../../../src/execution/journal/records.ts';
import {
  applyChange,
  createState,
  required,
  type ExecutionState,
  type MutableState,
} from '../../../src/execution/journal/state.ts';
import type { AccountKnowledge } from '../../../src/execution/submit/brakes.ts';
import type { BesidePositions } from '../../../src/execution/reconcile/beside-positions.ts';
import { type AttemptRecord, isInstrumentOf } from '../../../src/execution/order/attempt.ts';
import type { FillRecord } from '../../../src/execution/order/fills.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { fieldsOf, recordOf, type OrderFields } from './order-fields.ts';
import type { Decision } from '../../../src/platform/single-writer.ts';
import { epochMs, plus, type EpochMs } from '../../../src/units/branded.ts';

/** Friday 6 November 2026, 11:00 IST: an ordinary trading day. */
export const AT = epochMs(Date.parse('2026-11-06T11:00:00+05:30'));
export const DAY = '2026-11-06';
export const TAG = '0VkJ2q0aTagOfTheFirst';
export const OTHER_TAG = '0VkJ2q0aTagOfTheOther';
/** An IST instant. */
export const ist = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));

export function instrument(parts: Partial<Instrument> = {}): Instrument {
  return {
    name: 'NSE:INFY',
    exchange: 'NSE',
    tradingSymbol: 'INFY',
    segment: 'EQUITY',
    securityId: '1594',
    instrumentToken: 408_065,
    lotSize: 1,
    tickSize: 0.05,
    freezeQuantity: null,
    isin: null,
    displayName: 'Infosys',
    expiry: null,
    strike: null,
    optionType: null,
    ...parts,
  };
}

export function terms(parts: Partial<OrderTerms> = {}): OrderTerms {
  return {
    instrument: 'NSE:INFY',
    side: 'BUY',
    quantity: 10,
    orderType: 'LIMIT',
    product: 'CNC',
    validity: 'DAY',
    price: 1_500,
    triggerPrice: null,
    amo: false,
    ...parts,
  };
}

/** A working order, bound to `b1`; fields that its state does not have are left out. */
export function orderRecord(parts: Partial<OrderFields> = {}): OrderRecord {
  return recordOf({
    id: 'ord_1',
    caller: 'someone',
    idempotencyKey: `key of ${parts.id ?? 'ord_1'}`,
    requestHash: 'hash',
    parentId: null,
    day: DAY,
    terms: terms(),
    scripCode: 'NSE_1594',
    segment: 'EQUITY',
    callerTag: null,
    broker: 'primary',
    mode: 'live',
    kind: 'working',
    reason: null,
    filledQuantity: null,
    averagePrice: null,
    fillPriceSource: null,
    brokerOrderId: 'b1',
    exchangeOrderId: null,
    boundBy: 'id',
    row: null,
    absentSince: null,
    calledAbsent: null,
    cancelWanted: false,
    unrecognisedSince: null,
    createdAt: AT,
    updatedAt: AT,
    ...parts,
  });
}

/** One whose placing is open. */
export function uncertainOrder(parts: Partial<OrderFields> = {}): OrderRecord {
  return orderRecord({ kind: 'uncertain', brokerOrderId: null, boundBy: null, ...parts });
}

/** A row of a book as the order of `orderRecord` shows there. */
export function bookRow(parts: Partial<BrokerOrder> = {}): BrokerOrder {
  return {
    brokerOrderId: 'b1',
    exchangeOrderId: null,
    instrument: 'NSE:INFY',
    side: 'BUY',
    quantity: 10,
    filledQuantity: 0,
    averagePrice: null,
    orderType: 'LIMIT',
    product: 'CNC',
    validity: 'DAY',
    price: 1_500,
    triggerPrice: null,
    status: 'working',
    rawStatus: 'OPEN',
    reason: null,
    tags: [],
    createdAt: AT,
    updatedAt: AT,
    ...parts,
  };
}

/** A row of a book of which nothing can be read but what is told here. */
export const unreadRow = (parts: Partial<UnreadRow> = {}): UnreadRow => ({
  ...{ brokerOrderId: null, exchangeOrderId: null, instrument: null, side: null },
  ...{ quantity: null, tags: [], reason: 'price: not a number' },
  ...parts,
});

export function fillRecord(parts: Partial<FillRecord> = {}): FillRecord {
  const { orderId = 'ord_1', brokerOrderId = 'b1', fillId = 'f1' } = parts;
  return {
    key: `primary|${DAY}|NSE|${brokerOrderId}|${fillId}`,
    orderId,
    broker: 'primary',
    day: DAY,
    exchange: 'NSE',
    brokerOrderId,
    fillId,
    quantity: 4,
    price: 1_500,
    at: AT,
    ...parts,
  };
}

/** Fills of `ord_1` of these quantities, at ₹100, ₹101, … */
export const fillsOf = (...quantities: number[]): FillRecord[] =>
  quantities.map((quantity, index) =>
    fillRecord({ fillId: `f${index}`, quantity, price: 100 + index }),
  );

/** A trade as a broker lists it. */
export function trade(parts: Partial<BrokerFill> = {}): BrokerFill {
  return {
    fillId: 'f1',
    brokerOrderId: 'b1',
    exchangeOrderId: null,
    exchange: 'NSE',
    quantity: 4,
    price: 1_500,
    at: AT,
    ...parts,
  };
}

export function observedOrder(parts: Partial<ObservedOrder> = {}): ObservedOrder {
  return {
    broker: 'primary',
    day: DAY,
    brokerOrderId: 'b1',
    orderId: 'ord_1',
    leaving: false,
    seenAt: AT,
    ...parts,
  };
}

export function position(parts: Partial<Position> = {}): Position {
  return {
    instrument: 'NSE:INFY',
    product: 'CNC',
    quantity: 0,
    averagePrice: null,
    lastPrice: null,
    realisedPnl: null,
    unrealisedPnl: null,
    buyQuantity: 0,
    sellQuantity: 0,
    ...parts,
  };
}

export function portfolio(parts: Partial<PortfolioRecord> = {}): PortfolioRecord {
  return { broker: 'primary', mode: 'live', readAt: AT, positions: [], holdings: [], ...parts };
}

export interface Known {
  readonly orders?: readonly OrderRecord[];
  readonly attempts?: readonly AttemptRecord[];
  readonly fills?: readonly FillRecord[];
  readonly observed?: readonly ObservedOrder[];
  readonly portfolios?: readonly PortfolioRecord[];
  readonly killSwitch?: KillSwitchRecord;
}

/** A state in which these rows are known, in the order in which a journal gives them. */
export function stateOf(known: Known = {}): MutableState {
  const state = createState();
  const put = (change: Change): void => void applyChange(state, change);
  for (const row of known.orders ?? []) put({ table: 'orders', key: row.id, row });
  for (const row of known.attempts ?? []) put({ table: 'attempts', key: row.id, row });
  for (const row of known.fills ?? []) put({ table: 'fills', key: row.key, row });
  for (const row of known.observed ?? []) {
    put({ table: 'observed', key: observedKey(row.broker, row.day, row.brokerOrderId), row });
  }
  for (const row of known.portfolios ?? []) put({ table: 'portfolios', key: row.broker, row });
  if (known.killSwitch) put({ table: 'killSwitch', key: 'kill-switch', row: known.killSwitch });
  return state;
}

/** An order of a state, with its fields side by side: for comparing. */
export function orderIn(state: ExecutionState, id = 'ord_1'): ReturnType<typeof fieldsOf> {
  return fieldsOf(required(state.orders, id, 'order'));
}

/** Makes a decision true, and hands on its reply. */
export function accept<Reply>(state: MutableState, decision: Decision<Change, Reply>): Reply {
  for (const change of decision.changes) applyChange(state, change);
  return decision.reply;
}

export function eventsOf(decision: Decision<Change, unknown>): GatewayEvent[] {
  return decision.changes.flatMap((change) =>
    change.table === 'events' && change.row ? [change.row] : [],
  );
}

/** The levels of the alerts that a decision raises. */
export function alertsOf(decision: Decision<Change, unknown>): unknown[] {
  return eventsOf(decision)
    .filter((event) => event.type === 'alert')
    .map((event) => event.data['level']);
}

/** One whole read of the primary brokerage's book, a second after AT. */
export function observation(parts: Partial<BookObservation> = {}): BookObservation {
  const begunAt = parts.begunAt ?? plus(AT, 1_000);
  return {
    broker: 'primary',
    begunAt,
    localAt: begunAt,
    brokerAt: begunAt,
    aheadMs: null,
    sinceSend: (attempt) => begunAt - attempt.sentAt,
    isLocal: false,
    rows: [],
    fills: null,
    unread: [],
    unreadTrades: [],
    tagged: false,
    account: null,
    isOther: (order, row) => !isInstrumentOf(order, row),
    absentReads: new Map(),
    workingFor: new Map(),
    lostFor: new Map(),
    leftAsideFor: new Map(),
    elsewhere: new Map(),
    seenOnce: null,
    tagMark: 'Mark',
    rule: { afterMs: 180_000, dayClosed: () => ist('2026-11-06T20:00:00') },
    at: epochMs(begunAt + 100),
    ...parts,
  };
}

/** Nothing is known of an account beside its positions. */
const NONE = { moved: 0, resting: 0, unread: [] };
export const NOTHING_BESIDE: BesidePositions = { ...NONE, isinOf: () => null };
/** An account that was read lately, and nothing beside its positions. */
export const NOTHING_KNOWN: AccountKnowledge = {
  beside: NOTHING_BESIDE,
  unread: null,
  forcedBy: null,
  lostTwin: () => null,
};
