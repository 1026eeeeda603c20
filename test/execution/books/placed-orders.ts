import type { BookLine } from '../../../src/execution/books/order-share.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import type { TradingDay } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import { fillRecord, orderRecord, terms } from '../support/makers.ts';
import { brokerTrigger, triggerRecord } from '../triggers/makers.ts';

/** An order of a random world, as the exchange has it, and what the journal is told of it. */
export interface Placed {
  readonly id: string;
  readonly line: BookLine;
  readonly side: 'BUY' | 'SELL';
  readonly day: number;
  readonly quantity: number;
  /** What the exchange has filled, and at what price each. */
  readonly fills: { quantity: number; price: number; isSeen: boolean }[];
  /** Whether the journal knows of each fill that there is. */
  isTold: boolean;
  isOver: boolean;
  /** How many days before its trigger was placed; null of an order that no trigger has placed. */
  readonly waited: number | null;
}

export const dayOf = (number: number): TradingDay =>
  new Date(Date.UTC(2026, 10, 2 + number)).toISOString().slice(0, 10);
export const restOf = ({ quantity, fills }: Placed): number =>
  quantity - fills.reduce((total, each) => total + each.quantity, 0);

const filledOf = ({ fills }: Placed): number =>
  fills.reduce((total, each) => total + each.quantity, 0);

/** An account may be written in another case from one day to the next. */
const namedAccount = ({ line: { account } }: Placed): { account?: string } =>
  account === null ? {} : { account: ` ${account.toLowerCase()}` };

export function placing(order: Placed): Change {
  const { id, line } = order;
  const row = attemptRecord({
    ...{ id: `att_${id}`, orderId: id, broker: line.broker, tag: `tag of ${id}` },
    ...{ ...namedAccount(order), state: attemptState('acknowledged') },
  });
  return { table: 'attempts', key: row.id, row };
}

/** The order as its row tells of it. */
export function record(order: Placed): Change {
  if (order.waited !== null) return triggerOf(order, order.waited);
  const filled = filledOf(order);
  const { id, line, side, quantity, isOver } = order;
  const ended = filled > 0 ? 'partial' : 'cancelled';
  const kind = filled === quantity ? 'filled' : isOver ? ended : 'working';
  const { caller, broker, mode, instrument, product } = line;
  const row = orderRecord({
    ...{ id, caller, broker, mode, day: dayOf(order.day), kind, brokerOrderId: `b${id}` },
    ...{ terms: terms({ instrument, product, side, quantity }), filledQuantity: filled },
    averagePrice: averageOf(order),
    fillPriceSource: filled === 0 ? null : 'order_row',
  });
  return { table: 'orders', key: id, row };
}

const averageOf = (order: Placed): number | null => {
  const value = order.fills.reduce((total, fill) => total + fill.quantity * fill.price, 0);
  return filledOf(order) === 0 ? null : value / filledOf(order);
};

/** The trigger that has placed the order, with what is known of that: it may have waited for days. */
function triggerOf(order: Placed, waited: number): Change {
  const { id, line, side, quantity, isOver, fills } = order;
  const { caller, broker, mode, instrument, product } = line;
  const binding = { triggerId: `t${id}`, by: 'id' } as const;
  const isFinal = isOver || restOf(order) === 0;
  const seen = fills.flatMap((each, place) =>
    each.isSeen ? [{ key: `${id}|${place}`, quantity: each.quantity, price: each.price }] : [],
  );
  const isAllSeen = seen.length === fills.length;
  const row = triggerRecord({
    ...{ id, caller, broker, mode, idempotencyKey: id, ...namedAccount(order) },
    day: dayOf(order.day - waited),
    terms: { instrument, legs: [{ triggerPrice: 100, price: 100, side, quantity, product }] },
    state: { kind: 'triggered', binding, row: brokerTrigger({ status: 'triggered' }) },
    orders: [
      {
        ...{ brokerOrderId: `b${id}`, side, day: dayOf(order.day), fills: seen, isFinal },
        ...{ filledQuantity: filledOf(order), averagePrice: averageOf(order) },
        state: isFinal && isAllSeen ? 'over' : 'open',
      },
    ],
  });
  return { table: 'triggers', key: id, row };
}

/** The trades of an order that were not seen yet. */
export function tradesOf(order: Placed): Change[] {
  if (order.waited !== null) {
    for (const each of order.fills) each.isSeen = true;
    return [record(order)];
  }
  return order.fills.flatMap((each, place) => {
    if (each.isSeen) return [];
    each.isSeen = true;
    const row = fillRecord({
      ...{ key: `${order.id}|${place}`, orderId: order.id, broker: order.line.broker },
      ...{ brokerOrderId: `b${order.id}`, fillId: `f${place}`, day: dayOf(order.day) },
      ...{ quantity: each.quantity, price: each.price },
    });
    return [{ table: 'fills', key: row.key, row } as const];
  });
}
