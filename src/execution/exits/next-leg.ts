import type { RejectionClass } from '../../domain/rejection.ts';
import type { ExitStop } from '../../domain/exit.ts';
import type { Side } from '../../domain/order.ts';
import type { ExitLeg, ExitPlan } from './exit.ts';
import { asMarket, outsideProtection } from './outside-protection.ts';

/** How a leg's order has ended. */
export interface LegEnd {
  /** Shares that it filled. */
  readonly filled: number;
  /** The class of a refusal, or of its not being sent; null where the broker took it. */
  readonly rejection: RejectionClass | null;
  /** The broker's words, or the gateway's; null without any. */
  readonly reason: string | null;
}

/** What follows from it: another leg, after a pause where one is due, or the end. */
export type AfterLeg =
  | { readonly kind: 'again'; readonly plan: ExitPlan; readonly waitMs: number }
  | { readonly kind: 'stop'; readonly why: ExitStop; readonly detail: string };

/** Pauses after `rate_limited` and `not_sent`, at most 15 s in one exit (the spec's rule). */
export const WAITS_MS = [1_000, 2_000, 4_000, 8_000] as const;

export interface LegRules {
  /** How often a leg is placed at a new price. */
  readonly attempts: number;
  readonly lotSize: number;
  readonly side: Side;
}

type Leg = Pick<ExitLeg, 'orderType' | 'quantity' | 'price' | 'atProtection'>;

/** Words of a refusal for the quantity: the exchange takes less of it in one order. */
const FREEZE = /freeze|QtyWithinFreezeQty|(?:quantity|qty)[^.]{0,40}(?:exceed|limit|maximum)/i;

/**
 * Rule 6 of the spec: a LIMIT that is refused for its price is retried as MARKET in the same attempt; "market
 * orders are blocked" makes the next attempt a LIMIT; `rate_limited` and `not_sent` wait without using an
 * attempt; `auth` and `other` end the exit. Ours: a leg that did not fill in time is placed again further from
 * the market, and a refusal for the quantity halves it, and what the price protection has
 * kept from filling goes out as MARKET at last (docs/exits.md).
 */
export function afterLeg(plan: ExitPlan, leg: Leg, end: LegEnd, rules: LegRules): AfterLeg {
  const { rejection } = end;
  const nextAttempt = (now: ExitPlan): AfterLeg => attemptAfter(now, leg, end, rules);
  switch (rejection) {
    case null:
      return end.filled >= leg.quantity
        ? again({ ...asLimit(plan), attempt: 1 })
        : nextAttempt(plan);
    case 'price':
      return leg.orderType === 'LIMIT' && !plan.isMarketBlocked
        ? again({ ...plan, orderType: 'MARKET' })
        : nextAttempt(plan);
    case 'market_blocked':
      return nextAttempt({ ...plan, isMarketBlocked: true });
    case 'rate_limited':
    case 'not_sent':
      return wait(plan, end);
    default:
      return refused(plan, leg, { ...end, rejection }, rules);
  }
}

const again = (plan: ExitPlan, waitMs = 0): AfterLeg => ({ kind: 'again', plan, waitMs });

function asLimit({ protectedAt: _, ...plan }: ExitPlan): ExitPlan {
  return { ...plan, orderType: 'LIMIT' };
}

function attemptAfter(
  plan: ExitPlan,
  leg: Leg,
  end: LegEnd,
  { attempts, side }: LegRules,
): AfterLeg {
  if (plan.attempt < attempts) return again({ ...asLimit(plan), attempt: plan.attempt + 1 });
  const market = end.rejection === null ? asMarket(plan, leg) : null;
  if (market !== null) return again(market);
  const protectedFrom = outsideProtection(plan, leg, end, side);
  if (protectedFrom !== null) {
    return { kind: 'stop', why: 'outside_protection', detail: protectedFrom };
  }
  const detail = `it did not fill in ${attempts} attempts, each at a price further from the market`;
  return { kind: 'stop', why: 'not_filled', detail };
}

function wait(plan: ExitPlan, { reason, rejection }: LegEnd): AfterLeg {
  const waitMs = WAITS_MS[plan.waits];
  if (waitMs === undefined) {
    const detail = `no order could leave for 15 s (${reason ?? rejection ?? ''})`;
    return { kind: 'stop', why: 'waited_too_long', detail };
  }
  return again({ ...plan, waits: plan.waits + 1 }, waitMs);
}

function refused(
  plan: ExitPlan,
  { quantity }: Leg,
  { rejection, reason }: LegEnd & { readonly rejection: RejectionClass },
  { lotSize }: LegRules,
): AfterLeg {
  const words = reason ?? 'the broker gave no reason';
  const half = Math.floor(quantity / 2 / lotSize) * lotSize;
  if (rejection === 'other' && half > 0 && FREEZE.test(words)) {
    return again({ ...plan, most: half });
  }
  const isNamed =
    rejection === 'auth' || rejection === 'authorise_holdings' || rejection === 'address';
  const why = isNamed ? rejection : 'refused';
  return { kind: 'stop', why, detail: `the broker refused it: ${words}` };
}
