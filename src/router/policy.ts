import type { BrokerId, Mode } from '../domain/broker.ts';
import type { NotSent } from '../domain/outcome.ts';

/** What the policy needs to know about a configured instance now. */
export interface BrokerView {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /**
   * Why it has no session, or is not set up; null when it has one, also during an outage of the
   * broker.
   */
  readonly blocked: NotSent | null;
  /** What to set, where it has no settings; absent where it is set up. */
  readonly notSetUp?: string;
}

export interface Wish {
  readonly broker: BrokerId | null;
  /** `live` excludes the paper account. */
  readonly mode: Mode | null;
}

export type Choice =
  | { readonly kind: 'brokers'; readonly brokers: readonly BrokerId[] }
  | { readonly kind: 'none'; readonly blocked: NotSent | null };

/**
 * The candidate brokers for an order, in order (docs/spec/routing.md). An order goes from live to
 * paper only where no live broker of the route has a session: an outage does not turn a live order
 * into a paper one, unless `paperOnOutage` is set.
 */
export function tradingCandidates(
  route: readonly BrokerView[],
  wish: Wish,
  paperOnOutage: boolean,
): Choice {
  const wanted = route.filter((view) => wish.mode === null || view.mode === wish.mode);
  const open = wanted.filter((view) => view.blocked === null);
  const [first] = open;
  const live = open.filter((view) => view.mode === 'live');
  // The user chose the route's order: paper before any live broker means paper.
  if (first && first.mode === 'paper') return { kind: 'brokers', brokers: [first.broker] };
  const candidates = live.length > 0 && !paperOnOutage ? live : open;
  if (candidates.length > 0) {
    return { kind: 'brokers', brokers: candidates.map((view) => view.broker) };
  }
  return { kind: 'none', blocked: wanted.find((view) => view.blocked)?.blocked ?? null };
}

/**
 * The one broker whose account is read: the first of the trading route with a session. An outage
 * does not switch to another one, because that account has other positions.
 */
export function accountBroker(route: readonly BrokerView[]): BrokerId | null {
  return route.find((view) => view.blocked === null)?.broker ?? null;
}

/** Brokers to ask for market data, in order. */
export function marketDataBrokers(route: readonly BrokerView[]): readonly BrokerId[] {
  return route.filter((view) => view.blocked === null).map((view) => view.broker);
}
