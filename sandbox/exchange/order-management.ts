import type { SandboxRandom } from '../kernel/ports.ts';
import { drawBetween } from '../kernel/ports.ts';
import type { BookView } from '../kernel/book-view.ts';
import type { Account } from './account.ts';
import type {
  ChangeCause,
  ManagedFill,
  ManagedOrder,
  OrderTicket,
  LiveOrder,
} from './managed-order.ts';
import { isFinal } from './managed-order.ts';
import { createOrderReads } from './order-reads.ts';
import { createOrderSteps, type OrderChange, type OrderSteps } from './order-steps.ts';
import type { Exchange } from './exchange.ts';
import type { ExchangeOrder } from './exchange-order.ts';

export interface OrderManagementSettings {
  exchange: Exchange;
  account: Account;
  random: SandboxRandom;
  /** How long each step inside the broker takes, [min, max] ms. */
  stepMs: readonly [number, number];
  newOrderId(sequence: number, at: number, ticket: OrderTicket): string;
}

/** A broker's order management: from the acknowledgement to the exchange and back. */
export interface OrderManagement {
  place(ticket: OrderTicket): ManagedOrder;
  /** Risk management rejects it at once, before it goes to the exchange. */
  reject(orderId: string): void;
  modify(orderId: string, change: OrderChange): void;
  /** Where it is `undone`, the order works again after a moment. */
  cancel(orderId: string, undone?: boolean): void;
  /** The order as it is, of any day, whatever reads may show. */
  find(orderId: string): ManagedOrder | undefined;
  /** All orders of all days, in the order of placement. */
  all(): ManagedOrder[];
  allFills(): ManagedFill[];
  working(): ManagedOrder[];
  /** Today's orders as a read may show them, oldest first. */
  visible(view: BookView): ManagedOrder[];
  visibleFills(view: BookView): ManagedFill[];
  /** The states of one order as a read may show them. */
  history(orderId: string, view: BookView): ManagedOrder[];
  onChange(listener: (order: ManagedOrder, cause: ChangeCause) => void): () => void;
  /** No read shows the order any more, ever. */
  vanish(orderId: string): void;
  /** The order has another id from now on, and its tag only where it keeps it. Returns the new id. */
  changeId(orderId: string, keepsTag: boolean): string;
  /** No read shows its row until then (epoch ms), or all of it with its trades. */
  hide(orderId: string, until: number, what: 'row' | 'all'): void;
  /**
   * A trade of an order that has ended; price in paise. Its row shows the trade only where `inRow`.
   */
  fillLate(orderId: string, quantity: number, price: number, inRow: boolean): void;
  /** A cancelled order works again: the exchange has not cancelled it after all. */
  workAgain(orderId: string): void;
  /** Fills by hand, as if a counterparty had arrived; price in paise. */
  fill(orderId: string, quantity: number, price: number): void;
}

/** Ids that are given anew are of orders this much later. */
const ID_CHANGED = 400_000;

/** An order as it is received. */
const newOrder = (
  ticket: OrderTicket,
  orderId: string,
  sequence: number,
  now: number,
): ManagedOrder => ({
  ...ticket,
  orderId,
  sequence,
  phase: ticket.afterMarket ? 'after_market' : 'received',
  exchangeOrderId: null,
  filled: 0,
  filledValue: 0,
  modifications: 0,
  createdAt: now,
  actedAt: now,
  exchangeAt: null,
  exchangeUpdatedAt: null,
  updatedAt: now,
  hiddenUntil: now + ticket.lateMs,
  rowHiddenUntil: now + (ticket.rowLateMs ?? 0),
  isRowGone: false,
  placedQuantity: ticket.quantity,
  filledLate: 0,
});

export function createOrderManagement(settings: OrderManagementSettings): OrderManagement {
  const { exchange, random } = settings;
  const { clock, engine } = exchange;
  const orders = new Map<string, LiveOrder>();
  const fills: ManagedFill[] = [];
  const listeners = new Set<(order: ManagedOrder, cause: ChangeCause) => void>();
  const steps = createOrderSteps({
    ...{ exchange, account: settings.account, fills },
    changed(order, cause) {
      for (const listener of [...listeners]) listener({ ...order }, cause);
    },
  });
  const { note, enter, heard, toExchange, settleModify } = steps;
  const step = (): number => drawBetween(random, settings.stepMs[0], settings.stepMs[1]);

  function need(orderId: string): LiveOrder {
    const live = orders.get(orderId);
    if (!live) throw new Error(`the broker has no order ${orderId}`);
    return live;
  }

  const management: OrderManagement = {
    place(ticket) {
      const now = clock.now();
      const sequence = orders.size + 1;
      const orderId = settings.newOrderId(sequence, now, ticket);
      const order = newOrder(ticket, orderId, sequence, now);
      const live: LiveOrder = { order, atExchange: null, versions: [] };
      orders.set(order.orderId, live);
      note(live, 'placed');
      const wait = ticket.afterMarket ? exchange.calendar.nextOpen(now) - now : step();
      clock.after(wait, () => {
        if (isFinal(order.phase)) return;
        if (order.phase !== 'cancel_pending') enter(live, 'validating');
        clock.after(step(), () => toExchange(live));
      });
      return { ...order };
    },
    reject(orderId) {
      const live = need(orderId);
      if (!isFinal(live.order.phase)) enter(live, 'rejected');
    },
    modify(orderId, change) {
      const live = need(orderId);
      const back = live.order.phase;
      if (isFinal(back)) return;
      if (back !== 'after_market') enter(live, 'modify_pending');
      clock.after(step(), () => settleModify(live, change, back));
    },
    cancel(orderId, undone = false) {
      const live = need(orderId);
      const back = live.order.phase;
      if (isFinal(back)) return;
      enter(live, 'cancel_pending');
      clock.after(step(), () => {
        if (isFinal(live.order.phase)) return;
        if (undone) return enter(live, back);
        if (live.atExchange) engine.cancel(live.atExchange);
        else heard(live, { kind: 'cancelled' });
      });
    },
    find: (orderId) => {
      const live = orders.get(orderId);
      return live ? { ...live.order } : undefined;
    },
    all: () => [...orders.values()].map(({ order }) => ({ ...order })),
    allFills: () => fills.map((fill) => ({ ...fill })),
    working: () =>
      [...orders.values()]
        .filter(({ order }) => !isFinal(order.phase))
        .map(({ order }) => ({ ...order })),
    ...createOrderReads(clock, orders, fills),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...createTroubles({ settings, orders, need, steps }),
    fill(orderId, quantity, price) {
      const atExchange: ExchangeOrder | null = need(orderId).atExchange;
      if (atExchange) engine.fill(atExchange, quantity, price);
    },
  };
  return management;
}

/** What goes wrong at a broker with orders that it has. */
function createTroubles({
  settings,
  orders,
  need,
  steps,
}: {
  settings: OrderManagementSettings;
  orders: Map<string, LiveOrder>;
  need: (orderId: string) => LiveOrder;
  steps: OrderSteps;
}): Pick<OrderManagement, 'vanish' | 'hide' | 'changeId' | 'fillLate' | 'workAgain'> {
  return {
    vanish(orderId) {
      need(orderId).order.hiddenUntil = Infinity;
    },
    hide(orderId, until, what) {
      const { order } = need(orderId);
      if (what === 'all') order.hiddenUntil = until;
      else Object.assign(order, { rowHiddenUntil: until, isRowGone: true });
    },
    changeId(orderId, keepsTag) {
      const live = need(orderId);
      const { order } = live;
      const changed = settings.newOrderId(
        order.sequence + ID_CHANGED,
        settings.exchange.clock.now(),
        order,
      );
      orders.delete(orderId);
      order.orderId = changed;
      if (!keepsTag) Object.assign(order, { tag: null, remarks: null });
      orders.set(changed, live);
      steps.note(live, 'phase');
      return changed;
    },
    fillLate(orderId, quantity, price, inRow) {
      const live = need(orderId);
      const exchangeOrderId = live.order.exchangeOrderId;
      if (exchangeOrderId === null || !isFinal(live.order.phase)) return;
      if (!inRow) live.order.filledLate += quantity;
      steps.fillLate(live, exchangeOrderId, quantity, price);
    },
    workAgain(orderId) {
      const live = need(orderId);
      if (live.order.phase !== 'cancelled' || live.order.filled > 0) return;
      live.order.phase = 'received';
      steps.toExchange(live);
    },
  };
}
