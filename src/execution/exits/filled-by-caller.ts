import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { ExecutionState } from '../journal/state.ts';
import { mostFilled } from '../order/order.ts';
import { quantityOf } from '../triggers/trigger-order.ts';
import { ordersOfTrigger } from '../triggers/trigger.ts';

/** Whose fills are counted, and of what. */
export interface FillsOf {
  readonly broker: BrokerId;
  /** Null for all orders of the gateway. */
  readonly caller: string | null;
  readonly instrument: InstrumentName;
  readonly product: string;
  readonly side: Side;
}

/** What orders, and orders of triggers, have filled on one side as far as is known, shares or units. */
export function filledBy(state: ExecutionState, of: FillsOf): number {
  let filled = 0;
  const isTheirs = (each: { readonly broker: BrokerId; readonly caller: string }): boolean =>
    each.broker === of.broker && (of.caller === null || each.caller === of.caller);
  for (const order of state.orders.values()) {
    const { instrument, product, side } = order.terms;
    if (!isTheirs(order) || order.state.kind === 'sliced' || side !== of.side) continue;
    if (instrument === of.instrument && product === of.product) filled += mostFilled(order);
  }
  for (const trigger of state.triggers.values()) {
    const { instrument, legs } = trigger.terms;
    if (!isTheirs(trigger) || instrument !== of.instrument) continue;
    if (legs[0].product !== of.product) continue;
    for (const order of ordersOfTrigger(trigger)) {
      if (order.side === of.side) filled += order.filledQuantity ?? quantityOf(order.fills);
    }
  }
  return filled;
}
