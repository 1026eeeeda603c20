import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { ORDER_STATUSES, SIDES } from '../domain/order.ts';
import type { AlertLevel, GatewayEvent, StoredEvent } from '../events/event-log.ts';
import { endOfWayOut } from './way-out-ends.ts';
import { orderText } from './words.ts';
import type { EpochMs, OrderId } from '../units/branded.ts';

/** A message to a person. `note`: for information only. */
export interface Alert {
  readonly level: AlertLevel | 'note';
  /** Epoch ms. */
  readonly at: EpochMs;
  readonly text: string;
}

/** An order whose outcome is open. */
export interface OpenOrder {
  readonly orderId: OrderId;
  /** A description of the order, for the text. */
  readonly what: string;
  readonly reason: string | null;
  /** Epoch ms. */
  readonly since: EpochMs;
  readonly told: boolean;
}

/** What the policy remembers from event to event, also on disk. */
export interface AlertMemory {
  /** The last event that was handled. */
  readonly after: number;
  /** The epoch of that event (docs/events.md); absent where an older version wrote the file. */
  readonly epoch?: string | null;
  readonly open: readonly OpenOrder[];
  /** `<order id> <status>` of alerts that were sent and still hold, oldest first. */
  readonly told: readonly string[];
}

export interface AlertStep {
  readonly memory: AlertMemory;
  readonly alerts: readonly Alert[];
}

/**
 * How long an outcome is open before a person gets an alert. Most are found within a second, by the
 * seventh read of the book at the latest (docs/orders.md, "How an uncertain order is found").
 */
export const OPEN_FOR_MS = 15_000;
const TOLD_KEPT = 200;

/**
 * Reads events in order. Pure: the same events give the same alerts, however they are split into
 * batches of whole commits.
 */
export function readEvents(memory: AlertMemory, events: readonly ReadEvent[]): AlertStep {
  const alerts: Alert[] = [];
  // A dispute usually comes with its own alert, before or after it in the same commit.
  const explained = new Set(events.filter(isCritical).map(commitKey));
  let current = memory;
  for (const event of events) {
    const step = readEvent(current, event, explained);
    current = { ...step.memory, after: event.sequence };
    alerts.push(...step.alerts);
  }
  return { memory: current, alerts };
}

type ReadEvent = GatewayEvent & Pick<StoredEvent, 'insteadOf'>;

const isCritical = ({ type, data, insteadOf }: ReadEvent): boolean =>
  type === 'alert' && data.level === 'critical' && insteadOf === undefined;
const commitKey = ({ orderId, at }: GatewayEvent): string => `${orderId} ${at}`;

function readEvent(
  memory: AlertMemory,
  event: ReadEvent,
  explained: ReadonlySet<string>,
): AlertStep {
  const { at, data, orderId } = event;
  switch (event.type) {
    case 'alert': {
      if (event.insteadOf !== undefined) return readUnread(memory, event);
      // The start of an open outcome: an alert follows if it stays open.
      const isOpen = memory.open.some((open) => open.orderId === orderId);
      if (isOpen && data.level !== 'critical') return { memory, alerts: [] };
      const level = data.level === 'critical' ? 'critical' : 'warning';
      return { memory, alerts: [{ level, at, text: String(data.message) }] };
    }
    case 'kill_switch.changed': {
      const because = typeof data.reason === 'string' ? `: ${data.reason}` : '';
      // Events stored by older versions have `thrown` alone.
      const engaged = data.engaged ?? data.thrown;
      const text = engaged
        ? `The kill switch is engaged${because}. New orders are refused; cancels and orders that only reduce a position pass. To release it: POST /api/v1/kill-switch.`
        : `The kill switch is released${because}. Orders are accepted again.`;
      return { memory, alerts: [{ level: engaged ? 'critical' : 'note', at, text }] };
    }
    case 'exit.updated':
    case 'closing.updated': {
      const text = endOfWayOut(event);
      return { memory, alerts: text === null ? [] : [{ level: 'note', at, text }] };
    }
    case 'order.updated':
      return readUpdate(memory, event, explained.has(commitKey(event)));
    default:
      return { memory, alerts: [] };
  }
}

/** In place of an event that cannot be read. If that was a change of an order, the order may not be open any more. */
function readUnread(memory: AlertMemory, event: ReadEvent): AlertStep {
  const { at, data, orderId, insteadOf } = event;
  const alert: Alert = {
    ...{ level: data.level === 'critical' ? 'critical' : 'warning', at },
    text: String(data.message),
  };
  const isOfOrder = (open: OpenOrder): boolean =>
    insteadOf === 'order.updated' && open.orderId === orderId;
  const open = memory.open.filter((each) => !isOfOrder(each));
  return { memory: { ...memory, open }, alerts: [alert] };
}

/** What alerts need of the order in an event. */
const toldOrder = z.object({
  id: z.string(),
  broker: z.string(),
  mode: z.enum(MODES),
  brokerOrderId: z.string().nullable(),
  instrument: z.string(),
  side: z.enum(SIDES),
  quantity: z.number(),
  orderType: z.string(),
  price: z.number().nullable(),
  triggerPrice: z.number().nullable(),
  status: z.enum(ORDER_STATUSES),
  reason: z.string().nullable(),
});
type ToldOrder = z.output<typeof toldOrder>;

/** An event that cannot be read is reported, and does not hold back the events after it. */
function readUpdate(memory: AlertMemory, event: GatewayEvent, explained: boolean): AlertStep {
  const { at, sequence, orderId, data } = event;
  const read = toldOrder.safeParse(data.order);
  if (read.success) return readOrder(memory, read.data, at, explained);
  const text = `Event ${sequence} cannot be read. Look at order ${orderId ?? '(no id)'} in the gateway.`;
  return { memory, alerts: [{ level: 'warning', at, text }] };
}

function readOrder(
  memory: AlertMemory,
  order: ToldOrder,
  at: EpochMs,
  explained: boolean,
): AlertStep {
  const what = orderText(order);
  const known = memory.open.find((open) => open.orderId === order.id);
  if (order.status === 'uncertain') {
    if (known) return { memory, alerts: [] };
    const { id: orderId, reason } = order;
    const open = { orderId, what, reason, since: at, told: false };
    return { memory: { ...memory, open: [...memory.open, open] }, alerts: [] };
  }
  const alerts: Alert[] = [];
  const badNews = badNewsOf(order, what);
  if (known?.told && !badNews) {
    alerts.push({ level: 'note', at, text: `No longer open: ${what} is ${order.status}.` });
  }
  const mark = `${order.id} ${order.status}`;
  if (badNews && !explained && !memory.told.includes(mark)) {
    alerts.push({ level: badNews.level, at, text: badNews.text });
  }
  const others = memory.told.filter((each) => !each.startsWith(`${order.id} `));
  return {
    memory: {
      ...memory,
      open: memory.open.filter((open) => open !== known),
      told: badNews ? [...others, mark].slice(-TOLD_KEPT) : others,
    },
    alerts,
  };
}

/**
 * A dispute, or a live order that the broker accepted and then rejected, as its risk checks do. An
 * order that the broker refuses at once has its own alert.
 */
function badNewsOf(order: ToldOrder, what: string): Pick<Alert, 'level' | 'text'> | null {
  const why = order.reason ?? 'the broker gives no reason';
  if (order.status === 'disputed') {
    return {
      level: 'critical',
      text: `Disputed, a person must look: ${what}. ${why}. ${order.id}`,
    };
  }
  if (order.status === 'rejected' && order.mode === 'live' && order.brokerOrderId !== null) {
    return { level: 'warning', text: `Rejected: ${what}. ${why}` };
  }
  return null;
}

/** Open outcomes whose alert is due. They are also due when the clock was set back. */
export function readClock(memory: AlertMemory, now: EpochMs): AlertStep {
  const due = memory.open.filter((open) => !open.told && dueIn(open, now) === 0);
  if (due.length === 0) return { memory, alerts: [] };
  const alerts = due.map(({ orderId, what, reason }): Alert => {
    const why = reason ? ` (${reason})` : '';
    const text =
      `Not known whether the broker has it: ${what}${why}. It is being looked for; do not place ` +
      `it again. ${orderId}`;
    return { level: 'warning', at: now, text };
  });
  const open = memory.open.map((each) => (due.includes(each) ? { ...each, told: true } : each));
  return { memory: { ...memory, open }, alerts };
}

/** Milliseconds until the alert of the next open outcome; null when there is none. */
export function nextDue(memory: AlertMemory, now: EpochMs): number | null {
  const waits = memory.open.filter((open) => !open.told).map((open) => dueIn(open, now));
  return waits.length === 0 ? null : Math.min(...waits);
}

function dueIn({ since }: OpenOrder, now: EpochMs): number {
  return now < since ? 0 : Math.max(0, since + OPEN_FOR_MS - now);
}
