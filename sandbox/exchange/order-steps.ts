import type { Account } from './account.ts';
import type { ChangeCause, ManagedFill, ManagedOrder, LiveOrder, Phase } from './managed-order.ts';
import { isFinal } from './managed-order.ts';
import type { Exchange } from './exchange.ts';
import type { ExchangeEvent, Trigger } from './exchange-order.ts';

export interface OrderChange {
  quantity?: number;
  limit?: number;
  trigger?: Trigger | null;
  orderType?: string;
  validity?: 'DAY' | 'IOC';
  extras?: Record<string, unknown>;
}

export interface OrderStepsParts {
  exchange: Exchange;
  account: Account;
  fills: ManagedFill[];
  /** Called with a copy of the order after each change of it. */
  changed: (order: ManagedOrder, cause: ChangeCause) => void;
}

/** The steps of one order between the broker and the exchange. */
export interface OrderSteps {
  note(live: LiveOrder, cause: ChangeCause): void;
  enter(live: LiveOrder, phase: Phase): void;
  heard(live: LiveOrder, event: ExchangeEvent): void;
  /** A trade that is reported after the order has ended, at the exchange's own time. */
  fillLate(live: LiveOrder, exchangeOrderId: string, quantity: number, price: number): void;
  toExchange(live: LiveOrder): void;
  settleModify(live: LiveOrder, change: OrderChange, back: Phase): void;
}

export function createOrderSteps({
  exchange,
  account,
  fills,
  changed,
}: OrderStepsParts): OrderSteps {
  const { clock, engine } = exchange;

  function note(live: LiveOrder, cause: ChangeCause): void {
    live.order.updatedAt = clock.now();
    live.versions.push({ at: clock.now(), order: { ...live.order } });
    changed({ ...live.order }, cause);
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

  function fillLate(
    live: LiveOrder,
    exchangeOrderId: string,
    quantity: number,
    price: number,
  ): void {
    const { order } = live;
    const { instrument, side, product, placedBy, remarks, orderId } = order;
    const at = clock.now();
    // Ids of a range of their own: no trade of the engine has one.
    const fill = { fillId: 8_000_000 + fills.length, exchangeOrderId, quantity, price, at };
    order.filled += quantity;
    order.filledValue += quantity * price;
    fills.push({ ...fill, orderId, instrument, side, product, placedBy, remarks });
    account.apply({ ...fill, orderId, instrument, side, product, placedBy, remarks });
    note(live, 'fill');
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

  function settleModify(live: LiveOrder, change: OrderChange, back: Phase): void {
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

  return { note, enter, heard, fillLate, toExchange, settleModify };
}
