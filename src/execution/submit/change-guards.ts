import type { Instrument } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { needsPrice, type OrderModification } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import { notSent, type NotSent } from '../../domain/outcome.ts';
import { ageOf, type Clock, type Moment } from '../../platform/clock.ts';
import { plus } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import { termsAfter } from '../order/accepted-terms.ts';
import type { OrderRecord } from '../order/order.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { type OrderToChange, possibleTerms, presentTerms } from '../order/possible-terms.ts';
import { changeStoppedByBrake, onlyLowers } from './amended-terms.ts';
import type { AccountKnowledge } from './brakes.ts';
import { changedForLimits, otherSlicesOf } from './change-limits.ts';
import { orderThatMayHaveAll } from './order-to-change.ts';
import { checkAccount, knowledgeNow } from './guards.ts';
import { LEAVES_WITHIN_MS } from './late-orders.ts';
import { type LimitParts, limitSets, limitsFor, nameOf } from './order-limits.ts';

/** What a change has to pass, of an order of ours and of one placed elsewhere. */
export interface ChangeGuardParts extends LimitParts {
  readonly writer: { readonly state: ExecutionState };
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** Whether the gateway is stopping: nothing new is begun then. */
  readonly closing: () => boolean;
  readonly pollerFor: (order: OrderRecord) => BookPoller;
  readonly instrumentOf: (order: OrderRecord) => Instrument | null;
}

/** How long a change waits for its permit: nobody may want it afterwards. */
export const PERMIT_MS = 5_000;
/** A modification leaves within this time of its arrival, or not at all. */
const CHANGE_WITHIN_MS = 15_000;
export const LATE = notSent(
  'late',
  'the change took so long to leave that its price may be outdated',
);

/** Under a brake, what else than the quantity may change depends on the account. */
export async function lookAtAccount(
  parts: ChangeGuardParts,
  toChange: OrderToChange,
  changes: OrderModification,
  limits: AppliedLimits | null,
): Promise<() => AccountKnowledge | null> {
  const { state } = parts.writer;
  if (onlyLowers(toChange, changes)) return () => null;
  const { broker, id: orderId, caller } = toChange.order;
  const terms = termsAfter(presentTerms(toChange), changes);
  const outgoing = limits
    ? changedForLimits(state, toChange, changes, limits)
    : { broker, orderId, caller, terms, limits };
  const checked = { ...outgoing, forcedBy: null };
  const deadline = plus(parts.clock.elapsed(), PERMIT_MS);
  const check = await checkAccount({ ...parts, state }, checked, deadline);
  return () => knowledgeNow(parts.accounts, checked, check);
}

/** The limits that hold for an order that is to be changed. */
export function limitsOf(
  parts: ChangeGuardParts,
  toChange: OrderToChange,
  changes: OrderModification,
): Promise<AppliedLimits | null> {
  const { state } = parts.writer;
  const { order } = toChange;
  // One that may be at the market by now is valued at the last price.
  const all = possibleTerms(toChange).map((terms) => termsAfter(terms, changes));
  const slices = otherSlicesOf(state, order).flatMap((slice) =>
    possibleTerms(orderThatMayHaveAll(state, slice)),
  );
  const atMarket = [...all, ...slices].find(({ orderType }) => !needsPrice(orderType));
  const after = atMarket ?? all[0] ?? order.terms;
  return limitsFor(parts, limitSets(state, parts.limits, order.caller), after, {
    named: nameOf(order),
    instrument: parts.instrumentOf(order),
  });
}

/** Why a change that is on disk does not leave now; null where it does. A cancel that is late does no harm. */
export function whyChangeKept(
  { writer, clock, closing, pollerFor }: ChangeGuardParts,
  toChange: OrderToChange,
  {
    changes,
    arrived,
    begun,
    known,
  }: {
    readonly changes: OrderModification | null;
    readonly arrived: Moment;
    readonly begun: Moment;
    readonly known: () => AccountKnowledge | null;
  },
): NotSent | null {
  if (changes === null) return null;
  if (closing()) return notSent('closing', 'the gateway is stopping');
  const isLate = ageOf(clock, begun) > LEAVES_WITHIN_MS || ageOf(clock, arrived) > CHANGE_WITHIN_MS;
  if (isLate) return LATE;
  const now = { known: known(), at: clock.now(), day: tradingDay(pollerFor(toChange.order).now()) };
  const brake = changeStoppedByBrake(writer.state, toChange, changes, now);
  return brake && notSent(brake.code, brake.reason);
}
