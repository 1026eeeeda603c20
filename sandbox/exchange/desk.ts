import { brokerDay } from '../kernel/ist.ts';
import type { SandboxRandom } from '../kernel/ports.ts';
import { drawBetween } from '../kernel/ports.ts';
import type { BookView } from '../kernel/book-view.ts';
import type { Account } from './account.ts';
import type { DeskCause, DeskFill, DeskOrder, DeskTicket, LiveOrder, Phase } from './desk-order.ts';
import { isFinal } from './desk-order.ts';
import type { Exchange } from './exchange.ts';
import type { ExchangeEvent, ExchangeOrder, Trigger } from './exchange-order.ts';

export interface DeskSettings {
  exchange: Exchange;
  account: Account;
  random: SandboxRandom;
  /** How long each step inside the broker takes, [min, max] ms. */
  stepMs: readonly [number, number];
  newOrderId(sequence: number, at: number, ticket: DeskTicket): string;
}

export interface DeskChange {
  quantity?: number;
  limit?: number;
  trigger?: Trigger | null;
  orderType?: string;
  validity?: 'DAY' | 'IOC';
  extras?: Record<string, unknown>;
}

/** A broker's order desk: from the acknowledgement to the exchange and back. */
export interface Desk {
  place(ticket: DeskTicket): DeskOrder;
  modify(orderId: string, change: DeskChange): void;
  cancel(orderId: string): void;
  /** The order as it is, whatever the reads may show; any day. */
  find(orderId: string): DeskOrder | undefined;
  /** Every order ever, in the order of placement. */
  all(): DeskOrder[];
  allFills(): DeskFill[];
  working(): DeskOrder[];
  /** Today's orders as a read may see them, oldest first. */
  visible(view: BookView): DeskOrder[];
  visibleFills(view: BookView): DeskFill[];
  /** The states that one order went through, as a read may see them. */
  history(orderId: string, view: BookView): DeskOrder[];
  onChange(listener: (order: DeskOrder, cause: DeskCause) => void): () => void;
  /** Fills by hand, as if a counterparty had come; price in paise. */
  fill(orderId: string, quantity: number, price: number): void;
}

/** The day whose book a final order belongs to. */
const dayOf = (order: DeskOrder): string => brokerDay(order.updatedAt);

export function createDesk(settings: DeskSettings): Desk {
  const { exchange, account, random } = settings;
  const { clock, engine } = exchange;
  const orders = new Map<string, LiveOrder>();
  const fills: DeskFill[] = [];
  const listeners = new Set<(order: DeskOrder, cause: DeskCause) => void>();
  const step = (): number => drawBetween(random, settings.stepMs[0], settings.stepMs[1]);

  function note(live: LiveOrder, cause: DeskCause): void {
    live.order.updatedAt = clock.now();
    live.versions.push({ at: clock.now(), order: { ...live.order } });
    for (const listener of [...listeners]) listener({ ...live.order }, cause);
  }

  function enter(live: LiveOrder, phase: Phase): void {
    live.order.phase = phase;
    note(live, 'phase');
  }

  function heard(live: LiveOrder, event: ExchangeEvent): void {
    const { order } = live;
    order.exchangeUpdatedAt = clock.now();
    if (event.kind === 'fill') {
      const { instrument, side, product, placedBy, remarks, orderId } = order;
      const fill = { ...event.fill, orderId, instrument, side, product, placedBy, remarks };
      order.filled += fill.quantity;
      order.filledValue += fill.quantity * fill.price;
      fills.push(fill);
      account.apply(fill);
      if (order.filled >= order.quantity) order.phase = 'complete';
      note(live, 'fill');
    } else if (event.kind === 'triggered') {
      if (order.phase === 'trigger_pending') enter(live, 'open');
    } else {
      order.actedAt = clock.now();
      enter(live, event.kind === 'expired' ? 'expired' : 'cancelled');
    }
  }

  function toExchange(live: LiveOrder): void {
    const { order } = live;
    if (isFinal(order.phase)) return;
    if (order.refusal) {
      enter(live, 'rejected');
      return;
    }
    const { instrument, side, quantity, limit, trigger, validity } = order;
    const ticket = { instrument, side, quantity, limit, trigger, validity };
    const atExchange = engine.admit(ticket, (event) => heard(live, event));
    live.atExchange = atExchange;
    order.exchangeOrderId = atExchange.id;
    order.exchangeAt = clock.now();
    order.exchangeUpdatedAt = clock.now();
    if (order.phase !== 'cancel_pending') enter(live, trigger ? 'trigger_pending' : 'open');
    engine.start(atExchange);
  }

  function need(orderId: string): LiveOrder {
    const live = orders.get(orderId);
    if (!live) throw new Error(`no such order at the desk: ${orderId}`);
    return live;
  }

  function settleModify(live: LiveOrder, change: DeskChange, back: Phase): void {
    const { order, atExchange } = live;
    if (isFinal(order.phase)) return;
    const quantity = change.quantity ?? order.quantity;
    if (quantity <= order.filled) {
      if (order.phase === 'modify_pending') enter(live, back);
      return;
    }
    if (order.phase === 'modify_pending') order.phase = back;
    Object.assign(order, change, { quantity });
    order.modifications += 1;
    order.actedAt = clock.now();
    note(live, 'modified');
    if (!atExchange) return;
    const { limit, trigger, validity, instrument, side } = order;
    engine.modify(atExchange, { limit, trigger, validity, instrument, side, quantity });
  }

  const seen = (live: LiveOrder, view: BookView): DeskOrder | null => {
    const now = clock.now();
    const { order } = live;
    if (order.hiddenUntil > now || order.createdAt > now - view.hideYoungerThanMs) return null;
    const asOf = view.asOf ?? now;
    const version = live.versions.findLast(({ at }) => at <= asOf)?.order ?? null;
    // A working order of yesterday (an after-market one) belongs to today's book as well.
    if (dayOf(order) !== brokerDay(now) && isFinal(order.phase)) return null;
    return version;
  };

  const desk: Desk = {
    place(ticket) {
      const now = clock.now();
      const sequence = orders.size + 1;
      const order: DeskOrder = {
        ...ticket,
        orderId: settings.newOrderId(sequence, now, ticket),
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
      };
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
    modify(orderId, change) {
      const live = need(orderId);
      const back = live.order.phase;
      if (isFinal(back)) return;
      if (back !== 'after_market') enter(live, 'modify_pending');
      clock.after(step(), () => settleModify(live, change, back));
    },
    cancel(orderId) {
      const live = need(orderId);
      if (isFinal(live.order.phase)) return;
      enter(live, 'cancel_pending');
      clock.after(step(), () => {
        if (isFinal(live.order.phase)) return;
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
    visible: (view) =>
      [...orders.values()].flatMap((live) => {
        const order = seen(live, view);
        return order ? [order] : [];
      }),
    visibleFills: (view) =>
      fills.filter((fill) => {
        const live = orders.get(fill.orderId);
        const asOf = view.asOf ?? clock.now();
        return (
          live &&
          seen(live, view) &&
          fill.at <= asOf &&
          brokerDay(fill.at) === brokerDay(clock.now())
        );
      }),
    history: (orderId, view) => {
      const live = orders.get(orderId);
      if (!live || !seen(live, view)) return [];
      const asOf = view.asOf ?? clock.now();
      return live.versions.filter(({ at }) => at <= asOf).map(({ order }) => order);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fill(orderId, quantity, price) {
      const atExchange: ExchangeOrder | null = need(orderId).atExchange;
      if (atExchange) engine.fill(atExchange, quantity, price);
    },
  };
  return desk;
}
