import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { OrderRequest, OrderTerms } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import type { Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ExecutionState } from '../journal/state.ts';
import { earlier, type ElapsedMs, type OrderId, plus } from '../../units/branded.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import { type AccountKnowledge, type Brake, brakeOn, stoppedByBrake } from './brakes.ts';
import { type OrdersAhead, type OutgoingOrder, otherAccountHolding } from './reduce-only.ts';

/** An account is read within this time, or the order is decided without. */
const READING_MS = 3_000;

const readUntil = (clock: Clock, deadline: ElapsedMs): ElapsedMs =>
  earlier(deadline, plus(clock.elapsed(), READING_MS));

/** An order with what decides where it may go. */
interface RoutedOrder {
  readonly request: Pick<OrderRequest, 'broker' | 'mode'>;
  /** The trading route. */
  readonly route: readonly BrokerId[];
}

/** What an order was found to need to know of its account, before it is decided. */
export interface AccountCheck {
  /** Whether a brake held, so that the account had to be read. */
  readonly isBraked: boolean;
  /** Why the account could not be read; null when it was, or did not have to be. */
  readonly unread: string | null;
}

export interface Checked {
  readonly broker: BrokerId;
  readonly terms: OrderTerms;
  readonly orderId: OrderId;
  readonly forcedBy: string | null;
  readonly mode?: Mode;
  /** See OutgoingOrder. */
  readonly caller?: string;
  /** See OutgoingOrder. */
  readonly limits?: AppliedLimits | null;
  readonly ahead?: OrdersAhead;
}

interface CheckParts {
  readonly state: ExecutionState;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/**
 * Under a brake (the kill switch, a full disk, a limit), an order's account is read unless it was read lately
 * and since its last fill (docs/orders.md, "The kill switch"). Returns by `deadline`. A slice of an order that has
 * passed goes by the read that its order went by, less what the slices before it have moved.
 */
export async function checkAccount(
  { state, accounts, clock }: CheckParts,
  order: Checked,
  deadline: ElapsedMs,
): Promise<AccountCheck> {
  const { broker, terms, orderId } = order;
  const outgoingNow = (): OutgoingOrder => ({
    ...order,
    ...{ at: clock.now(), day: accounts.today(broker) },
  });
  if (brakeOn(state, outgoingNow()) === null) return { isBraked: false, unread: null };
  const isSlice = (state.orders.get(orderId)?.parentId ?? null) !== null;
  const passes = (): boolean => {
    const known = {
      ...{ unread: null, forcedBy: null },
      ...{ beside: accounts.beside(order), lostTwin: () => null },
    };
    return stoppedByBrake(state, outgoingNow(), known) === null;
  };
  if (isSlice && accounts.isRecent(broker) && passes()) return { isBraked: true, unread: null };
  const until = readUntil(clock, deadline);
  return {
    isBraked: true,
    unread: await accounts.refreshForExit({ broker, terms, until, passes }),
  };
}

/**
 * What is known of an order's account at this moment; null where nothing recent is, because no
 * brake held when the order was prepared.
 */
export function knowledgeNow(
  accounts: Accounts,
  order: Checked,
  { isBraked, unread }: AccountCheck,
): AccountKnowledge | null {
  if (!isBraked && !accounts.isRecent(order.broker)) return null;
  return {
    ...{ unread, forcedBy: order.forcedBy, beside: accounts.beside(order) },
    lostTwin: () => accounts.lostTwin(order),
  };
}

/**
 * The limit that an order is above, before anything is used up for it; null where there is none, or where
 * the order passes. The decision to send looks again.
 */
export function aboveLimit(
  { state, accounts, clock }: CheckParts,
  order: Checked,
  check: AccountCheck,
): Brake | null {
  const { broker, limits = null } = order;
  const known = check.isBraked && limits !== null ? knowledgeNow(accounts, order, check) : null;
  if (known === null) return null;
  const outgoing = { ...order, at: clock.now(), day: accounts.today(broker) };
  const brake = stoppedByBrake(state, outgoing, known);
  return brake?.code === 'limit_reached' ? brake : null;
}

/**
 * Throws `wrong_account` where the route would take an exit to another account than the one it is to
 * reduce. The accounts of the route are read where they were not lately; what cannot be read counts
 * as it was last known.
 */
export async function guardExit(
  { state, accounts, clock, log }: CheckParts & { readonly log: Log },
  trading: Trading,
  terms: OrderTerms,
  { request, route }: RoutedOrder,
  { orderId, deadline }: { readonly orderId: OrderId; readonly deadline: ElapsedMs },
): Promise<void> {
  // A caller who names paper, or asks for it by `mode`, means paper.
  if (request.broker !== null || request.mode === 'paper') return;
  const { broker } = trading;
  const live = accounts.live().filter((each) => route.includes(each));
  if (live.some((each) => each !== broker)) {
    const until = readUntil(clock, deadline);
    await Promise.all(
      [...new Set([broker, ...live])].map(async (each) => {
        const unread = await accounts.refresh({ broker: each, terms, until });
        if (unread === null || each === broker || state.portfolios.has(each)) return;
        log.warn('an order passed the exit guard without its looking at an account', {
          broker: each,
          reason: unread,
        });
      }),
    );
  }
  const beside = accounts.beside({ broker, terms, orderId });
  const holder = otherAccountHolding(state, broker, terms, { route, beside });
  if (holder === null) return;
  throw new GatewayProblem({
    code: 'wrong_account',
    detail:
      `${terms.instrument} is held at ${holder}, and this order would go to ${broker}; ` +
      'name the broker to have it all the same',
    broker: holder,
    mayHaveExecuted: false,
  });
}
