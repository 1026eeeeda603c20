import type { BrokerId } from '../../domain/broker.ts';
import type { OrderResponse } from '../../domain/order.ts';
import type { AlertLevel, EventSubject, EventType, GatewayEvent } from '../../events/event-log.ts';
import { fieldOf } from '../../platform/values.ts';
import type { ExternalChangeRecord } from '../external/external-change.ts';
import { asShown, sentMarks } from '../order/accepted-terms.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import type { FillRecord } from '../order/fills.ts';
import { type OrderRecord } from '../order/order.ts';
import { orderResponse } from '../order/order-response.ts';
import { ImpossibleTransition, transition, type OrderEvent } from '../order/transitions.ts';
import { ObservedIndex } from './observed-index.ts';
import {
  amendmentKey,
  type AmendmentRecord,
  type Change,
  observedKey,
  type ObservedOrder,
} from './records.ts';
import { attemptsOfOrder, required, type ExecutionState } from './state.ts';
import type {
  AttemptId,
  BrokerOrderId,
  EpochMs,
  OrderId,
  TradingDay,
} from '../../units/branded.ts';

/**
 * The changes of one decision while it is being taken: later steps see what earlier ones put, and
 * the state itself is not touched. Every change of an order comes with its event.
 */
export class UnitOfWork {
  readonly state: ExecutionState;
  readonly at: EpochMs;
  readonly changes: Change[] = [];
  readonly #orders = new Map<OrderId, OrderRecord>();
  readonly #attempts = new Map<AttemptId, AttemptRecord>();
  readonly #observed = new ObservedIndex();
  readonly #fills = new Map<string, FillRecord>();
  readonly #fillsAdded = new Map<OrderId, FillRecord[]>();
  /** Where in `changes` the events are that carry an order, by its id. */
  readonly #carrying = new Map<OrderId, number[]>();
  #sequence: number;

  constructor(state: ExecutionState, at: EpochMs) {
    this.state = state;
    this.at = at;
    this.#sequence = state.lastEvent;
  }

  /** The order as it now is. Throws where there is none: ids come from records that name it. */
  order(id: OrderId): OrderRecord {
    return this.#orders.get(id) ?? required(this.state.orders, id, 'order');
  }

  attempt(id: AttemptId): AttemptRecord {
    return this.#attempts.get(id) ?? required(this.state.attempts, id, 'attempt');
  }

  observed(
    broker: BrokerId,
    day: TradingDay,
    brokerOrderId: BrokerOrderId,
  ): ObservedOrder | undefined {
    return (
      this.#observed.get(broker, day, brokerOrderId) ??
      this.state.observedIn.get(broker, day, brokerOrderId)
    );
  }

  fill(key: string): FillRecord | undefined {
    return this.#fills.get(key) ?? this.state.fills.get(key);
  }

  /** All fills known of an order, those of this unit included. */
  fillsOf(orderId: OrderId): FillRecord[] {
    const known = [...(this.state.fillsOf.get(orderId) ?? [])];
    return [
      ...known.map((key) => required(this.state.fills, key, 'fill')),
      ...(this.#fillsAdded.get(orderId) ?? []),
    ];
  }

  /** Those that the journal has of it under another day than the order's. */
  otherDayFillsOf(orderId: OrderId): FillRecord[] {
    const keys = [...(this.state.otherDayFillsOf.get(orderId) ?? [])];
    return keys.map((key) => required(this.state.fills, key, 'fill'));
  }

  /** Writes an order down for the first time. */
  addOrder(order: OrderRecord): void {
    this.#putOrder(order, null);
  }

  /**
   * Moves an order (order/transitions.ts), and returns it as it then is. A move that the table does not
   * have throws in tests and in the simulation; in production it makes that one order disputed, with a
   * critical alert, so that the rest of the decision still applies.
   */
  move(orderId: OrderId, event: OrderEvent): OrderRecord {
    return this.contain(orderId, () => {
      const before = this.order(orderId);
      return this.#putOrder(transition(before, event, this.at), before);
    });
  }

  /** Does something about one order; keeps a mistake of ours in it from reaching the others. */
  contain(orderId: OrderId, work: () => OrderRecord): OrderRecord {
    if (this.state.onImpossible === 'throw') return work();
    try {
      return work();
    } catch (error) {
      return this.#disputeMistake(orderId, error);
    }
  }

  #disputeMistake(orderId: OrderId, error: unknown): OrderRecord {
    const before = this.order(orderId);
    const what = error instanceof ImpossibleTransition ? 'impossible transition' : 'error';
    const cause = `the gateway made a mistake with this order (${what}: ${String(error)})`;
    this.alert('critical', orderId, `order ${orderId}: ${cause}; look at it in the broker's app`);
    if (before.state.kind === 'disputed' || before.state.kind === 'sliced') return before;
    return this.#putOrder(transition(before, { type: 'dispute', cause }, this.at), before);
  }

  /** Makes an order disputed, with a critical alert. The one way in which an order becomes disputed. */
  dispute(
    orderId: OrderId,
    cause: string,
    details: Omit<Extract<OrderEvent, { type: 'dispute' }>, 'type' | 'cause'> = {},
  ): void {
    this.move(orderId, { type: 'dispute', cause, ...details });
    this.alert('critical', orderId, `order ${orderId} is disputed: ${cause}`);
  }

  #putOrder(order: OrderRecord, before: OrderRecord | null): OrderRecord {
    this.#orders.set(order.id, order);
    this.changes.push({ table: 'orders', key: order.id, row: order });
    const seen = orderResponse(order);
    if (before === null || differsVisibly(orderResponse(before), seen)) {
      this.event('order.updated', order.id, { order: this.#shown(order) });
    }
    this.#carryAsNow(order.id);
    if (order.parentId !== null) this.#followSlice(order.parentId);
    return order;
  }

  /** Updates a sliced order after one of its slices has changed. */
  #followSlice(parentId: OrderId): void {
    const parent = this.#orders.get(parentId) ?? this.state.orders.get(parentId);
    if (!parent) return;
    const ids = new Set(this.state.slicesOf.get(parentId));
    for (const order of this.#orders.values()) if (order.parentId === parentId) ids.add(order.id);
    const slices = [...ids].map((id) => this.order(id));
    const now = transition(parent, { type: 'follow_slices', slices }, this.at);
    if (!isSameOrder(now, parent)) this.#putOrder(now, parent);
  }

  putAttempt(attempt: AttemptRecord): void {
    this.#attempts.set(attempt.id, attempt);
    this.changes.push({ table: 'attempts', key: attempt.id, row: attempt });
  }

  putFill(fill: FillRecord): void {
    this.#fills.set(fill.key, fill);
    const added = this.#fillsAdded.get(fill.orderId);
    if (added) added.push(fill);
    else this.#fillsAdded.set(fill.orderId, [fill]);
    this.changes.push({ table: 'fills', key: fill.key, row: fill });
    const { fillId, quantity, price, at, broker, brokerOrderId } = fill;
    this.event('order.fill', fill.orderId, { fillId, quantity, price, at, broker, brokerOrderId });
  }

  putObserved(observed: ObservedOrder): void {
    this.#observed.put(observed);
    const key = observedKey(observed.broker, observed.day, observed.brokerOrderId);
    this.changes.push({ table: 'observed', key, row: observed });
  }

  /** Uses a caller's key of a cancel, a modification or a resolution, or frees it again. */
  putAmendment(row: AmendmentRecord): void {
    this.changes.push({ table: 'amendments', key: amendmentKey(row), row });
  }

  putExternalChange(row: ExternalChangeRecord): void {
    this.changes.push({ table: 'externalChanges', key: row.id, row });
  }

  alert(level: AlertLevel, orderId: OrderId | null, message: string): void {
    this.event('alert', orderId, { level, message });
  }

  /** `about` is for events that concern no order of the gateway: those of an order say it themselves. */
  event(
    type: EventType,
    orderId: OrderId | null,
    data: GatewayEvent['data'],
    about: EventSubject = {},
  ): void {
    this.#sequence += 1;
    const [sequence, key] = [this.#sequence, String(this.#sequence)];
    const order =
      orderId === null ? undefined : (this.#orders.get(orderId) ?? this.state.orders.get(orderId));
    const told = order && CARRIES_ORDER.has(type) ? { ...data, order: this.#shown(order) } : data;
    if (told !== data && orderId !== null) {
      this.#carrying.set(orderId, [...(this.#carrying.get(orderId) ?? []), this.changes.length]);
    }
    const subject = order ? subjectOf(order) : about;
    const row = { sequence, at: this.at, type, orderId, data: told, about: subject };
    this.changes.push({ table: 'events', key, row });
  }

  /** As readers of events are told of it: with what its broker has accepted and its row does not show yet. */
  #shown(order: OrderRecord): OrderResponse {
    const attempts = attemptsOfOrder(this.state, order.id).map(
      (attempt) => this.#attempts.get(attempt.id) ?? attempt,
    );
    return { ...orderResponse(asShown(order, attempts, this.at)), ...sentMarks(attempts) };
  }

  /** Events of this unit carry the order as the whole unit leaves it. */
  #carryAsNow(orderId: OrderId): void {
    const order = this.#shown(this.order(orderId));
    for (const place of this.#carrying.get(orderId) ?? []) {
      const change = this.changes[place];
      if (change?.table !== 'events' || change.row === null) continue;
      const row = { ...change.row, data: { ...change.row.data, order } };
      this.changes[place] = { ...change, row };
    }
  }
}

/** Whether nothing but the time of the last change differs between two records of one order. */
export function isSameOrder(left: OrderRecord, right: OrderRecord): boolean {
  return (
    left.broker === right.broker &&
    isEqual(left.terms, right.terms) &&
    isEqual(left.state, right.state)
  );
}

/** Unchanged parts are the same object, so JSON is only made of the few that differ. */
function isEqual<T extends object>(left: T, right: T): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** Events that tell of something else than the order, and carry it as it then is (docs/events.md). */
const CARRIES_ORDER: ReadonlySet<EventType> = new Set([
  'order.fill',
  'order.attempt',
  'order.resolved',
  'order.forced',
]);

const subjectOf = ({ caller, broker, terms }: OrderRecord): EventSubject => ({
  ...{ caller, broker, instrument: terms.instrument },
});

/** Whether a caller would see a difference: not where only the time of change differs. */
function differsVisibly(before: OrderResponse, now: OrderResponse): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  names.delete('updatedAt');
  return [...names].some((name) => fieldOf(before, name) !== fieldOf(now, name));
}
