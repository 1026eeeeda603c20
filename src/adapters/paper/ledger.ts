import type { CancelAttempt, ModifyAttempt, PlaceAttempt } from '../../domain/order.ts';
import { refused, type Outcome } from '../../domain/outcome.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { Change } from './changes.ts';
import { advance, ended } from './day.ts';
import { unitOfWork } from './unit-of-work.ts';
import { modified, newOrder } from './order-rows.ts';
import {
  deliveryRefusal,
  finalRefusal,
  priceAbsent,
  unaffordable,
  unknownOrder,
} from './refusals.ts';
import { newRow, newTrade } from './rows.ts';
import { takesOrders } from './sessions.ts';
import type { LedgerState, PaperOrder } from './state.ts';
import { executionOf, isLive, matchOrder, type LedgerRules, type Moment } from './match-order.ts';
import { termsRefusal } from './terms.ts';
import type { BrokerOrderId, EpochMs } from '../../units/branded.ts';

type Decided = Decision<Change, Outcome>;

export interface PlaceCommand extends Moment {
  readonly attempt: PlaceAttempt;
  /**
   * The order that this attempt or its tag placed on an earlier day, as the disk has it; else null.
   */
  readonly earlier: string | null;
}

const acknowledged = (brokerOrderId: BrokerOrderId): Outcome => ({
  kind: 'acknowledged',
  brokerOrderId,
});

/** The account knows at once what it has filled. */
function placed(state: LedgerState, id: BrokerOrderId, now: EpochMs): Outcome {
  const order = state.orders.get(id);
  if (order === undefined) throw new Error(`the paper account has not taken order ${id}`);
  const fills = (state.fills.get(id) ?? []).map((fill) => newTrade(fill, order));
  return { kind: 'acknowledged', brokerOrderId: id, shown: { row: newRow(order, now), fills } };
}

/** Places an order once: an attempt or a tag that has already placed one returns that order. */
export function decidePlace(
  state: LedgerState,
  command: PlaceCommand,
  rules: LedgerRules,
): Decided {
  const { attempt, quote, now } = command;
  return unitOfWork(state, (unit) => {
    advance(unit, now);
    const made =
      state.byAttempt.get(attempt.attemptId) ?? state.byTag.get(attempt.tag) ?? command.earlier;
    if (made !== null) return acknowledged(made);
    if (!attempt.terms.amo && !takesOrders(now, rules.marketHours, attempt.instrument.name)) {
      return refused(
        'other',
        'the market is closed: send an after-market order (amo) or wait for the session',
      );
    }
    const order = newOrder(state, command, rules);
    const refusal =
      termsRefusal(attempt.terms, attempt.instrument, isLive(order, now, rules) ? quote : null) ??
      priceAbsent(order, attempt.instrument, quote, rules) ??
      deliveryRefusal(state, null, order);
    if (refusal !== null) return refusal;
    if (!matchOrder(unit, null, order, command, rules)) return unaffordable(state);
    return placed(state, order.id, now);
  });
}

/** Matches a resting order against the present quote. No changes when the quote has no effect. */
export function decideLook(
  state: LedgerState,
  id: BrokerOrderId,
  moment: Moment,
  rules: LedgerRules,
): Decision<Change, null> {
  return unitOfWork(state, (unit) => {
    advance(unit, moment.now);
    const order = state.orders.get(id);
    if (order === undefined || !isMoved(order, moment, rules)) return null;
    if (matchOrder(unit, order, order, moment, rules)) return null;
    const end = {
      status: 'rejected',
      reason: 'insufficient funds at the time of the fill',
      at: moment.now,
      day: state.account.day,
    } as const;
    unit.put({ kind: 'order', before: order, after: ended(order, end) });
    return null;
  });
}

/** Whether this quote would change a resting order. */
export function isMoved(order: PaperOrder, moment: Moment, rules: LedgerRules): boolean {
  if (order.status !== 'working' || !isLive(order, moment.now, rules)) return false;
  const { quote } = moment;
  if (quote === null) return false;
  if (order.validity === 'IOC') return true;
  const execution = executionOf(order, { ...moment, quote }, rules);
  return execution.fills.length > 0 || execution.triggered !== order.triggered;
}

/** Cancels the rest of a working order. */
export function decideCancel(state: LedgerState, attempt: CancelAttempt, now: EpochMs): Decided {
  return unitOfWork(state, (unit) => {
    advance(unit, now);
    const order = state.orders.get(attempt.brokerOrderId);
    if (order === undefined) return unknownOrder(attempt.brokerOrderId);
    const refusal = finalRefusal(order);
    if (refusal !== null) return refusal;
    const end = { reason: 'cancelled on request', at: now, day: state.account.day };
    unit.put({ kind: 'order', before: order, after: ended(order, end) });
    return acknowledged(order.id);
  });
}

export interface ModifyCommand extends Moment {
  readonly attempt: ModifyAttempt;
}

/** Modifies a working order; with its new terms it may fill at once. */
export function decideModify(
  state: LedgerState,
  command: ModifyCommand,
  rules: LedgerRules,
): Decided {
  const { attempt, quote, now } = command;
  return unitOfWork(state, (unit) => {
    advance(unit, now);
    const before = state.orders.get(attempt.brokerOrderId);
    if (before === undefined) return unknownOrder(attempt.brokerOrderId);
    const final = finalRefusal(before);
    if (final !== null) return final;
    const order = modified(before, attempt.changes, quote, rules);
    if (order.quantity < order.filledQuantity) {
      return refused('other', `${order.filledQuantity} have filled: the quantity cannot be less`);
    }
    const refusal =
      termsRefusal(order, attempt.instrument, isLive(order, now, rules) ? quote : null) ??
      priceAbsent(order, attempt.instrument, quote, rules) ??
      deliveryRefusal(state, before, order);
    if (refusal !== null) return refusal;
    if (!matchOrder(unit, before, order, command, rules)) return unaffordable(state);
    return acknowledged(order.id);
  });
}
