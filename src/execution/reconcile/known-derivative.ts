import type { BrokerId } from '../../domain/broker.ts';
import {
  derivativeIn,
  type ExpiryOf,
  type KnownDerivativeQuery,
  mayBeAlive,
} from '../../domain/derivatives.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { type EpochMs, epochMs, later } from '../../units/branded.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { isOver, mostFilled, type OrderRecord } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import { accountOfOrder, accountsInUse } from './other-accounts.ts';

/** Positions may lack what was filled so long before they were read. */
const SHOWN_MS = 10_000;

/** See KnownDerivative; of one broker. Rejects where the broker cannot say whose session it is. */
export type KnownDerivativeOf = (
  broker: BrokerId,
  query: KnownDerivativeQuery,
) => Promise<string | null>;

/** What is known of the accounts at a broker, for those who have to ask before they call it. */
export interface AccountCalls {
  /** The accounts at a broker that have open orders, as far as they are known. */
  accountsInUse(broker: BrokerId): readonly string[];
  readonly knownDerivative: KnownDerivativeOf;
}

export function accountCalls(parts: {
  readonly state: ExecutionState;
  readonly clock: Clock;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly poller: (broker: BrokerId) => { readonly trading: Trading } | null;
}): AccountCalls {
  const { state, clock, instruments } = parts;
  const expiryOf: ExpiryOf = (name) => instruments.byName(name)?.expiry ?? null;
  return {
    accountsInUse: (broker) => accountsInUse(state, broker),
    async knownDerivative(broker, query) {
      const account = (await parts.poller(broker)?.trading.account?.()) ?? null;
      return knownDerivative(state, { ...query, broker, account, now: clock.now(), expiryOf });
    },
  };
}

export interface Asked extends KnownDerivativeQuery {
  readonly broker: BrokerId;
  /** Whose session it is; null where that is not known. What is known of another user's account does not count. */
  readonly account: string | null;
  readonly now: EpochMs;
  readonly expiryOf: ExpiryOf;
}

/**
 * A derivative that an account may hold: one that its last portfolio in the journal has, or one that orders of ours may
 * have opened since. A portfolio is only in the journal where derivatives could be listed, or none were known: so one
 * without any ends what was known before. Null where there is none.
 */
export function knownDerivative(state: ExecutionState, asked: Asked): string | null {
  const { broker, account, now } = asked;
  // A clock that has been set back does not make what is known out of date.
  const since = asked.since !== null && asked.since <= now ? asked.since : null;
  const last = state.portfolios.get(broker);
  const portfolio = last && !isOfOtherAccount(last, account) ? last : undefined;
  const isNewest = since === null || (portfolio !== undefined && portfolio.readAt >= since);
  const held = portfolio && isNewest ? derivativeIn(portfolio, now, asked) : null;
  if (held !== null) return held;
  const readAt = portfolio && portfolio.readAt <= now ? portfolio.readAt : epochMs(-Infinity);
  return openedSince(state, asked, later(readAt, since ?? readAt));
}

/** An instrument that our orders may have left the account with since a read that showed no derivative. */
function openedSince(state: ExecutionState, asked: Asked, readAt: EpochMs): string | null {
  const today = tradingDay(asked.now);
  const nets = new Map<string, number>();
  for (const order of state.orders.values()) {
    if (!isOfAccount(state, order, asked)) continue;
    const { instrument, product, side } = order.terms;
    if (!mayBeAlive(asked.expiryOf(instrument), order.updatedAt, asked.now)) continue;
    const isNew = order.updatedAt >= readAt - SHOWN_MS;
    const isOfToday = lastBookDay(order) >= today;
    // What is in the book may fill at any time, also while no gateway runs.
    if (!isOver(order) && (isNew || isOfToday)) return instrument;
    const most = mostFilled(order);
    if (most === 0 || !isNew) continue;
    // What was closed today still counts in the day's profit.
    if (isOfToday) return instrument;
    const key = `${instrument} ${product}`;
    nets.set(key, (nets.get(key) ?? 0) + (side === 'BUY' ? most : -most));
  }
  const [left] = [...nets].find(([, net]) => net !== 0) ?? [];
  return left ?? null;
}

function isOfAccount(
  state: ExecutionState,
  order: OrderRecord,
  { broker, account }: Pick<Asked, 'broker' | 'account'>,
): boolean {
  if (order.broker !== broker || order.segment !== 'DERIVATIVE') return false;
  if (order.state.kind === 'sliced') return false;
  const owner = accountOfOrder(state, order.id);
  return owner === null || !isOfOtherAccount({ account: owner }, account);
}
