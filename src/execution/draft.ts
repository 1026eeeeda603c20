import type { BrokerId } from '../domain/broker.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { AlertLevel, EventType, GatewayEvent } from '../events/event.ts';
import { orderResponse } from './order-view.ts';
import type { AttemptRecord, Change, FillRecord, OrderRecord, SeenOrder } from './records.ts';
import { seenKey } from './records.ts';
import { SeenIndex } from './seen-index.ts';
import { inSlices } from './slices.ts';
import type { ExecutionState } from './state.ts';

/**
 * The changes of one decision while it is being taken: later steps see what earlier ones put, and
 * the state itself is not touched. Every change of an order comes with its event.
 */
export class Draft {
  readonly state: ExecutionState;
  readonly at: number;
  readonly changes: Change[] = [];
  readonly #orders = new Map<string, OrderRecord>();
  readonly #attempts = new Map<string, AttemptRecord>();
  readonly #seen = new SeenIndex();
  readonly #fills = new Map<string, FillRecord>();
  readonly #fillsAdded = new Map<string, FillRecord[]>();
  #sequence: number;

  constructor(state: ExecutionState, at: number) {
    this.state = state;
    this.at = at;
    this.#sequence = state.lastEvent;
  }

  order(id: string): OrderRecord | undefined {
    return this.#orders.get(id) ?? this.state.orders.get(id);
  }

  attempt(id: string): AttemptRecord | undefined {
    return this.#attempts.get(id) ?? this.state.attempts.get(id);
  }

  seen(broker: BrokerId, day: string, brokerOrderId: string): SeenOrder | undefined {
    return (
      this.#seen.get(broker, day, brokerOrderId) ??
      this.state.seenIn.get(broker, day, brokerOrderId)
    );
  }

  fill(key: string): FillRecord | undefined {
    return this.#fills.get(key) ?? this.state.fills.get(key);
  }

  /** All fills known of an order, those of this draft included. */
  fillsOf(orderId: string): FillRecord[] {
    const keys = [...(this.state.fillsOf.get(orderId) ?? [])];
    const known = keys.map((key) => this.state.fills.get(key)!);
    return [...known, ...(this.#fillsAdded.get(orderId) ?? [])];
  }

  /** Puts an order as it now is; says so in an event when a caller would see a difference. */
  putOrder(order: OrderRecord): void {
    const before = this.order(order.id);
    const stamped = { ...order, updatedAt: this.at };
    this.#orders.set(order.id, stamped);
    this.changes.push({ table: 'orders', key: order.id, row: stamped });
    const seen = orderResponse(stamped);
    const told = before ? visibleChanges(orderResponse(before), seen) : seen;
    if (told !== null) this.event('order.updated', order.id, { order: told });
    if (order.parentId !== null) this.#followSlice(order.parentId);
  }

  /** What a sliced order is, its slices say: it changes with each of them. */
  #followSlice(parentId: string): void {
    const parent = this.order(parentId);
    if (!parent) return;
    const ids = new Set(this.state.slicesOf.get(parentId));
    for (const order of this.#orders.values()) if (order.parentId === parentId) ids.add(order.id);
    const now = inSlices(
      parent,
      [...ids].map((id) => this.order(id)!),
    );
    const changed = Object.entries(now).some(
      ([name, value]) => parent[name as keyof OrderRecord] !== value,
    );
    if (changed) this.putOrder(now);
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

  putSeen(seen: SeenOrder): void {
    this.#seen.put(seen);
    const key = seenKey(seen.broker, seen.day, seen.brokerOrderId);
    this.changes.push({ table: 'seen', key, row: seen });
  }

  alert(level: AlertLevel, orderId: string | null, message: string): void {
    this.event('alert', orderId, { level, message });
  }

  event(type: EventType, orderId: string | null, data: GatewayEvent['data']): void {
    this.#sequence += 1;
    const row: GatewayEvent = { sequence: this.#sequence, at: this.at, type, orderId, data };
    this.changes.push({ table: 'events', key: String(row.sequence), row });
  }
}

/** What names an order to a person: in every event of it, so that one can be read alone. */
const ALWAYS: ReadonlySet<string> = new Set([
  'id',
  'broker',
  'mode',
  'instrument',
  'side',
  'quantity',
  'orderType',
  'price',
  'triggerPrice',
  'status',
  'reason',
  'brokerOrderId',
  'updatedAt',
]);

/** What a caller would see changed; null when that is nothing: the time of a change is none. */
function visibleChanges(before: OrderResponse, now: OrderResponse): Partial<OrderResponse> | null {
  const differs = ([name, value]: [string, unknown]): boolean =>
    before[name as keyof OrderResponse] !== value;
  const entries = Object.entries(now);
  if (!entries.some((entry) => entry[0] !== 'updatedAt' && differs(entry))) return null;
  return Object.fromEntries(entries.filter((entry) => ALWAYS.has(entry[0]) || differs(entry)));
}
