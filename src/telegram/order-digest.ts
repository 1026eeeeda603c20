import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { decimal, type Decimal, worth, ZERO } from '../domain/money.ts';
import { isFinal, ORDER_STATUSES, type OrderStatus, SIDES } from '../domain/order.ts';
import type { GatewayEvent } from '../events/event-log.ts';
import { fieldOf } from '../platform/values.ts';
import type { EpochMs, OrderId } from '../units/branded.ts';

/** What lines need of an order as an event carries it. */
const lineOrder = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  broker: z.string(),
  mode: z.enum(MODES),
  brokerOrderId: z.string().nullable(),
  instrument: z.string(),
  side: z.enum(SIDES),
  quantity: z.number(),
  orderType: z.string(),
  price: z.number().nullable(),
  triggerPrice: z.number().nullable(),
  filledQuantity: z.number().nullable(),
  remainingQuantity: z.number().nullable(),
  averagePrice: z.number().nullable(),
  fillPriceSource: z.string().nullable(),
  status: z.enum(ORDER_STATUSES),
  reason: z.string().nullable(),
});
export type LineOrder = z.output<typeof lineOrder>;

const lineFill = z.object({ quantity: z.number(), price: z.number() });

/** What has been told of an order. */
export interface ToldOrder {
  readonly orderId: OrderId;
  readonly filled: number | null;
  /** Null while it was not over. */
  readonly end: OrderStatus | null;
  /** The sequence up to which its fills are told. */
  readonly upTo: number;
}

/** Who asked to cancel an order; null for the gateway itself. */
export interface AskedCancel {
  readonly orderId: OrderId;
  readonly by: string | null;
}

/** What is remembered beside the position, also on disk. */
export interface LineMemory {
  /** Oldest first. */
  readonly told: readonly ToldOrder[];
  readonly cancels: readonly AskedCancel[];
}

/** An order of which there is news. A sliced order has the fills of its slices. */
export interface OrderNews {
  /** Null until an event carries it whole. */
  order: LineOrder | null;
  /** When the first of the news happened; the last of it. */
  readonly since: EpochMs;
  at: EpochMs;
  fills: number;
  filledNow: number;
  /** Rupees. */
  worth: Decimal;
  /** An event of it could not be read. */
  isUnreadable: boolean;
}

/** Orders beyond are forgotten, oldest first: a late correction of one may then be told as news. */
const TOLD_KEPT = 500;

/**
 * Collects the events after a position into one piece of news for each order. Pure but for itself: the
 * same events give the same news, however they are split into pages.
 */
export class OrderDigest {
  #told: Map<OrderId, ToldOrder>;
  #cancels: Map<OrderId, string | null>;
  readonly #news = new Map<OrderId, OrderNews>();
  readonly #parentOf = new Map<OrderId, OrderId>();
  /** When an alert told of an order: `<order id> <epoch ms>`. */
  readonly #alerts = new Set<string>();
  #sequence = 0;

  constructor({ told, cancels }: LineMemory) {
    this.#told = new Map(told.map((each) => [each.orderId, each]));
    this.#cancels = new Map(cancels.map(({ orderId, by }) => [orderId, by]));
  }

  get memory(): LineMemory {
    const cancels = [...this.#cancels].slice(-TOLD_KEPT);
    return {
      told: [...this.#told.values()].slice(-TOLD_KEPT),
      cancels: cancels.map(([orderId, by]) => ({ orderId, by })),
    };
  }

  /** Who asked to cancel an order: null for the gateway itself, undefined where nobody is known. */
  cancelledBy(orderId: OrderId): string | null | undefined {
    return this.#cancels.get(orderId);
  }

  read(event: GatewayEvent): void {
    const { type, orderId, data, sequence } = event;
    this.#sequence = sequence;
    if (orderId === null) return;
    if (type === 'alert') this.#alerts.add(`${orderId} ${event.at}`);
    if (type !== 'order.updated' && type !== 'order.fill' && type !== 'order.attempt') return;
    const order = lineOrder.safeParse(data.order).data ?? null;
    if (order?.parentId) this.#parentOf.set(orderId, order.parentId);
    const about = order?.parentId ?? orderId;
    if (type === 'order.attempt') this.#noteCancel(about, data);
    else if (type === 'order.fill') this.#readFill(about, event);
    if (order !== null && order.id === about) this.#readOrder(order, event);
    else if (order === null && sequence > (this.#told.get(about)?.upTo ?? 0)) {
      this.#newsOf(about, event.at).isUnreadable = true;
    }
    if (order?.parentId && isToldByAlerts(order)) this.#alerts.add(`${about} ${event.at}`);
  }

  /** Nobody is named by events of older versions, and a cancel that never left cancels nothing. */
  #noteCancel(orderId: OrderId, data: GatewayEvent['data']): void {
    const by = fieldOf(data, 'by');
    if (data.kind !== 'cancel' || data.outcome === 'refused' || data.outcome === 'not_sent') return;
    if (by === null || typeof by === 'string') this.#cancels.set(orderId, by);
  }

  #readFill(orderId: OrderId, event: GatewayEvent): void {
    if (event.sequence <= (this.#told.get(orderId)?.upTo ?? 0)) return;
    const news = this.#newsOf(orderId, event.at);
    const fill = lineFill.safeParse(event.data);
    if (!fill.success) {
      news.isUnreadable = true;
      return;
    }
    const { quantity, price } = fill.data;
    news.fills += 1;
    news.filledNow = decimal(news.filledNow).plus(quantity).toNumber();
    news.worth = news.worth.plus(worth(price, quantity));
  }

  #readOrder(order: LineOrder, { at, sequence }: GatewayEvent): void {
    const known = this.#news.get(order.id);
    const end = endOf(order);
    const told = this.#told.get(order.id);
    if (sequence <= (told?.upTo ?? 0)) return;
    // An order that is open again may end again.
    if (end === null && told?.end) this.#told.set(order.id, { ...told, end: null });
    if (known === undefined && (end === null || end === told?.end)) return;
    const news = known ?? this.#newsOf(order.id, at);
    news.order = order;
    news.at = at;
  }

  #newsOf(orderId: OrderId, at: EpochMs): OrderNews {
    const known = this.#news.get(orderId);
    if (known !== undefined) return known;
    const none = { fills: 0, filledNow: 0, worth: ZERO, isUnreadable: false };
    const news: OrderNews = { order: null, since: at, at, ...none };
    this.#news.set(orderId, news);
    return news;
  }

  /** What is to be told, oldest first. The rest is marked as told. */
  waiting(): readonly (readonly [OrderId, OrderNews])[] {
    for (const [orderId, news] of this.#news) {
      if (!this.#isWanted(orderId, news)) this.mark(orderId);
    }
    return [...this.#news];
  }

  #isWanted(orderId: OrderId, { order, fills, at, isUnreadable }: OrderNews): boolean {
    if (order === null) return fills > 0 || isUnreadable;
    const told = this.#told.get(orderId);
    if (fills > 0) return true;
    const end = endOf(order);
    if (end === null || end === told?.end) return false;
    const isFillsTold = (order.filledQuantity ?? 0) === (told?.filled ?? 0);
    // A fill that completes an order is told with its price; the same told again is no news.
    if (end === 'filled' && told !== undefined && isFillsTold) return false;
    return !(end === 'rejected' && isFillsTold && this.#isAlerted(order, at));
  }

  #isAlerted(order: LineOrder, at: EpochMs): boolean {
    if (isToldByAlerts(order) || this.#alerts.has(`${order.id} ${at}`)) return true;
    const slices = [...this.#parentOf].filter(([, parent]) => parent === order.id);
    return slices.some(([slice]) => this.#alerts.has(`${slice} ${at}`));
  }

  /** Notes that an order's news have been told. */
  mark(orderId: OrderId): void {
    const news = this.#news.get(orderId);
    this.#news.delete(orderId);
    const order = news?.order ?? null;
    const before = this.#told.get(orderId);
    this.#told.delete(orderId);
    const end = order === null ? (before?.end ?? null) : endOf(order);
    const filled = order === null ? (before?.filled ?? null) : order.filledQuantity;
    this.#told.set(orderId, { orderId, filled, end, upTo: this.#sequence });
    if (end !== null) this.#cancels.delete(orderId);
  }

  /** Forgets what was only needed to understand the events so far, once all news are told. */
  settle(): void {
    this.#alerts.clear();
    this.#parentOf.clear();
    this.#told = new Map([...this.#told].slice(-TOLD_KEPT));
    this.#cancels = new Map([...this.#cancels].slice(-TOLD_KEPT));
  }
}

/** How an order has ended, for a line; null where it has not. */
function endOf({ status }: LineOrder): OrderStatus | null {
  return isFinal(status) ? status : null;
}

/** A live order that was accepted and then rejected has an alert (alert-policy.ts). */
const isToldByAlerts = ({ status, mode, brokerOrderId }: LineOrder): boolean =>
  status === 'rejected' && mode === 'live' && brokerOrderId !== null;
