import { type BrokerOrder, type IdentifiedRow, isWholeRow } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { AmendmentRequest, Change } from '../journal/records.ts';
import { attemptsOfOrder, required, type ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { isInstrumentOf, type PlaceAttemptRecord } from '../order/attempt.ts';
import { brokerOrderIdOf, statusOf, type OrderRecord } from '../order/order.ts';
import { bookDays } from '../order/order-day.ts';
import { boundAttempt } from './apply-match.ts';
import { putSeen } from './matching.ts';
import type { BrokerOrderId, EpochMs, OrderId } from '../../units/branded.ts';

/** What a person says of an order that the gateway could not find out itself. */
export type ManualResolution =
  | {
      readonly kind: 'placed';
      readonly brokerOrderId: BrokerOrderId;
      /** The row is this order's although it differs, or cannot be read. */
      readonly force?: true;
    }
  | { readonly kind: 'absent' };

/**
 * Resolves an uncertain or disputed order as a person says, and records who said it. Throws `order_state`
 * where nothing about the order is open, and where the resolution contradicts what is known.
 */
export function decideResolve(
  state: ExecutionState,
  command: {
    readonly orderId: OrderId;
    readonly resolution: ManualResolution;
    /** The caller who says it. */
    readonly by: string;
    /** The caller's key of it; null without one. */
    readonly request: AmendmentRequest | null;
    /** The row that the broker shows under the id now; null where no book could be read, or has it. */
    readonly row: BrokerOrder | IdentifiedRow | null;
    readonly at: EpochMs;
  },
): Decision<Change, OrderRecord> {
  const { orderId, resolution, by, request, at } = command;
  const order = required(state.orders, orderId, 'order');
  const attempt = resolvable(state, order);
  const unit = new UnitOfWork(state, at);
  if (resolution.kind === 'absent') callAbsent(unit, attempt, order);
  else {
    const { brokerOrderId, force } = resolution;
    if (force !== true) mustBeAlike(order, attempt, brokerOrderId, command.row);
    const isShown =
      command.row !== null &&
      !isWholeRow(command.row) &&
      command.row.brokerOrderId === brokerOrderId;
    bindByHand(unit, order, attempt, resolution, isShown);
  }
  unit.event('order.resolved', orderId, { by, resolution });
  if (request) unit.putAmendment({ ...request, attemptId: null, state: 'used', at });
  return { changes: unit.changes, reply: unit.order(orderId) };
}

/** The placing that a person may resolve. Throws where there is none. */
function resolvable(state: ExecutionState, order: OrderRecord): PlaceAttemptRecord {
  const status = statusOf(order);
  if (status !== 'uncertain' && status !== 'disputed') {
    throw refusal(order, `the order is ${status}: nothing about it is open`);
  }
  if (order.state.kind === 'sliced') {
    throw refusal(order, 'the order went out in slices: resolve each slice under its own id');
  }
  const places = attemptsOfOrder(state, order.id).filter((each) => each.kind === 'place');
  // Disputed because of a row, although its request was refused: that request may have placed it.
  const attempt =
    places.findLast((each) => each.state.kind !== 'refused' && each.state.kind !== 'not_sent') ??
    places.at(-1);
  if (!attempt || brokerOrderIdOf(order) !== null) {
    throw refusal(order, 'the order is bound to one at the broker already');
  }
  return attempt;
}

function callAbsent(unit: UnitOfWork, attempt: PlaceAttemptRecord, order: OrderRecord): void {
  const reason = 'absent: a person has looked, and said so';
  const baseline = attempt.baseline && [
    ...new Set([...attempt.baseline, ...shownIds(unit, attempt, order)]),
  ];
  unit.putAttempt({ ...attempt, baseline, state: { kind: 'absent', settledAt: unit.at, reason } });
  const after = unit.state.lastEvent;
  unit.move(attempt.orderId, { type: 'call_absent', by: 'person', reason, since: null, after });
}

/**
 * The rows that the person has seen by now and that nobody owns: without a tag, none of them is this order. Otherwise the
 * next read would dispute it again because of the rows that the person has just spoken of.
 */
function shownIds(
  unit: UnitOfWork,
  { broker, day }: PlaceAttemptRecord,
  order: OrderRecord,
): readonly BrokerOrderId[] {
  return [...new Set([day, tradingDay(unit.at), ...bookDays(order)])].flatMap((each) =>
    [...unit.state.observedIn.on(broker, each).values()].flatMap(({ orderId, brokerOrderId }) =>
      orderId === null ? [brokerOrderId] : [],
    ),
  );
}

/**
 * Throws where a row is not what the order asked for: a wrong digit in an id must not make another order's
 * fills this one's.
 */
function mustBeAlike(
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  brokerOrderId: BrokerOrderId,
  row: BrokerOrder | IdentifiedRow | null,
): void {
  const { terms, broker } = order;
  const meant = 'Send "force": true with it if it is this order all the same.';
  if (row === null) {
    const where = `order ${brokerOrderId} cannot be compared: the order book of ${broker} does not show it now`;
    throw refusal(order, `${where}. ${meant}`);
  }
  const { instrument, side, quantity } = row;
  // A row that cannot be read whole is the order's by its tag, or by whatever can be compared.
  const isOurs = !isWholeRow(row) && row.tags.includes(attempt.tag);
  const isUnknown = (value: unknown): boolean => isOurs && value === null;
  const isAlike =
    (isUnknown(instrument) || (instrument !== null && isInstrumentOf(order, { instrument }))) &&
    (isUnknown(side) || side === terms.side) &&
    (isUnknown(quantity) || quantity === terms.quantity);
  if (isAlike) return;
  if (instrument === null || side === null || quantity === null) {
    const where = `order ${brokerOrderId} cannot be compared: its row at ${broker} cannot be read whole`;
    throw refusal(order, `${where}. ${meant}`);
  }
  const found = `${side} ${quantity} ${instrument}`;
  const asked = `${terms.side} ${terms.quantity} ${terms.instrument}`;
  throw refusal(order, `order ${brokerOrderId} is ${found}, and this one ${asked}. ${meant}`);
}

function bindByHand(
  unit: UnitOfWork,
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  { brokerOrderId, force }: Extract<ManualResolution, { kind: 'placed' }>,
  /** Whether the broker shows such a row now that cannot be read whole. */
  isShown: boolean,
): void {
  const { broker } = attempt;
  const days = new Set([attempt.day, ...bookDays(order)]);
  const today = tradingDay(unit.at);
  const observed = [...days].flatMap((day) => unit.observed(broker, day, brokerOrderId) ?? []);
  if (observed.length === 0 && !(isShown && days.has(today))) {
    const where = `${attempt.broker} has shown no order ${brokerOrderId} on ${attempt.day}`;
    throw refusal(order, where);
  }
  const other = observed.find(({ orderId }) => orderId !== null && orderId !== order.id);
  if (other) throw refusal(order, `order ${brokerOrderId} is that of ${String(other.orderId)}`);
  unit.putAttempt(boundAttempt(attempt, brokerOrderId, unit.at));
  for (const each of observed) unit.putObserved({ ...each, orderId: order.id });
  // Rows that cannot be read whole are not kept as observed, until they are an order's.
  if (observed.length === 0) {
    putSeen(unit, { broker, day: today, brokerOrderId, orderId: order.id, leaving: false });
  }
  const forced = force === true ? { isForced: true as const } : {};
  unit.move(order.id, { type: 'bind', brokerOrderId, by: 'person', ...forced });
}

const refusal = ({ broker }: OrderRecord, detail: string): GatewayProblem =>
  new GatewayProblem({ code: 'order_state', detail, broker });
