import { type BrokerId, type Mode, MODES } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { OrderLimits } from '../../domain/order-limits.ts';
import type { EpochMs } from '../../units/branded.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { countOfMinute, countOpen, limitOf, nameOf } from './order-limits.ts';

/** The limits on orders that are set, and what is used of them now. */
export interface LimitsInUse {
  readonly limits: OrderLimits;
  /** Orders of the last minute; null without a limit on them. */
  readonly ofMinute: readonly { readonly mode: Mode; readonly orders: number }[] | null;
  /** Where orders are open of an instrument with a limit on them. */
  readonly open: readonly OpenOrders[];
}

export interface OpenOrders {
  readonly broker: BrokerId;
  readonly instrument: InstrumentName;
  readonly open: number;
  readonly limit: number;
}

export function limitsInUse(state: ExecutionState, limits: OrderLimits, at: EpochMs): LimitsInUse {
  const ofMinute =
    limits.perMinute === null
      ? null
      : MODES.map((mode) => ({ mode, orders: countOfMinute(state, { mode, at, caller: null }) }));
  const open = new Map<string, OpenOrders>();
  const day = tradingDay(at);
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    const { broker } = order;
    const { instrument } = order.terms;
    const key = `${broker} ${instrument}`;
    const limit = limitOf(limits.openOrders, nameOf(order));
    if (limit === null || open.has(key)) continue;
    const found = countOpen(state, { broker, instrument, day, caller: null });
    if (found > 0) open.set(key, { broker, instrument, open: found, limit });
  }
  return { limits, ofMinute, open: [...open.values()] };
}
