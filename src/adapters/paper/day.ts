import { tradingDay } from '../../domain/ist.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { carryOver, settleDelivery } from './position.ts';
import { ZERO } from '../../domain/money.ts';
import { must } from '../../platform/values.ts';
import type { PaperOrder, PaperPosition, PaperStatus } from './state.ts';
import type { EpochMs, TradingDay } from '../../units/branded.ts';

/** The order in its final state: it blocks nothing any more. */
export function ended(
  order: PaperOrder,
  end: { readonly status?: PaperStatus; readonly reason: string; at: EpochMs; day: TradingDay },
): PaperOrder {
  return {
    ...order,
    status: order.filledQuantity > 0 ? 'partial' : (end.status ?? 'cancelled'),
    reason: end.reason,
    reserved: ZERO,
    closing: 0,
    updatedAt: end.at,
    day: end.day,
  };
}

/**
 * Brings the ledger up to an instant before anything is decided at it: orders whose session is over
 * expire, and the day is settled at 06:00 IST (docs/spec/paper.md). It catches up on any time that
 * passed without it, so no timer has to be punctual.
 */
export function advance(unit: UnitOfWork, now: EpochMs): void {
  const { state } = unit;
  const reached = tradingDay(now);
  // The clock may step back; the ledger's day never does.
  const day = reached > state.account.day ? reached : state.account.day;
  for (const [expiresAt, ids] of [...state.expiries]) {
    if (expiresAt > now) continue;
    for (const id of [...ids]) {
      const order = must(state.orders.get(id), 'an order that expires is in the book');
      const reason = 'the session ended before the order was filled';
      unit.put({
        kind: 'order',
        before: order,
        after: ended(order, { reason, at: expiresAt, day }),
      });
    }
  }
  if (day > state.account.day) beginDay(unit, day);
}

function beginDay(unit: UnitOfWork, day: TradingDay): void {
  const { state } = unit;
  let realised = ZERO;
  for (const [key, position] of [...state.positions]) {
    if (position.product === 'CNC') {
      realised = realised.plus(settle(unit, position));
      unit.put({ kind: 'position', key, before: position, after: null });
    } else {
      const after = position.quantity === 0 ? null : carryOver(position);
      unit.put({ kind: 'position', key, before: position, after });
    }
  }
  unit.put({
    kind: 'account',
    before: state.account,
    after: { ...state.account, day, realised: state.account.realised.plus(realised) },
  });
  for (const order of [...state.orders.values()]) {
    if (order.status === 'working' || order.day >= day) continue;
    const fills = state.fills.get(order.id) ?? [];
    unit.put({ kind: 'book', before: { order, fills }, after: null });
  }
}

function settle(unit: UnitOfWork, position: PaperPosition) {
  const { instrument } = position;
  if (position.quantity === 0) return ZERO;
  const before = unit.state.holdings.get(instrument);
  const { holding, realised } = settleDelivery(before, position);
  unit.put({ kind: 'holding', instrument, before: before ?? null, after: holding });
  return realised;
}
