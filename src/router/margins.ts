import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { MarginEstimate } from '../domain/margin.ts';
import type { OrderRequest } from '../domain/order.ts';
import type { Broker } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway, ReadOptions } from './gateway.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import { accountAnswer, mustBeOfMode, noBroker, notServed, notSupported } from './reads.ts';

export interface MarginReadParts {
  readonly brokers: readonly Broker[];
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly clock: Clock;
}

/**
 * What orders would block at the account that trades, or at the named broker, which is the broker
 * that the orders would go to (docs/spec/routing.md, "Accounts"). Each call asks the broker; it
 * never fails over.
 */
export function createMarginRead(parts: MarginReadParts): Gateway['getMargins'] {
  const { brokers, route, view, clock } = parts;

  function namedBroker(orders: readonly OrderRequest[], broker: BrokerId): BrokerId {
    for (const { mode } of orders) mustBeOfMode(view(broker), mode);
    return broker;
  }

  function brokerOfRoute(orders: readonly OrderRequest[]): BrokerId | null {
    const views = route
      .map(view)
      .filter(({ mode }) => orders.every((order) => order.mode === null || order.mode === mode));
    return accountBroker(views);
  }

  function brokerOf(orders: readonly OrderRequest[], { broker }: ReadOptions): Broker {
    // A named broker gives its own reason why it cannot answer.
    const chosen = broker ? namedBroker(orders, broker) : brokerOfRoute(orders);
    const found = brokers.find(({ id }) => id === chosen);
    if (found) return found;
    if (broker) throw notServed(view(broker), 'margins');
    throw noBroker(
      'no broker of the trading route can compute margins now: GET /api/v1/brokers says why',
    );
  }

  return async (orders, options = {}): Promise<Answer<MarginEstimate>> => {
    const broker = brokerOf(orders, options);
    const { id, account } = broker;
    if (!account?.margins) throw notSupported(id, 'margins');
    const queries = [];
    for (const terms of orders) {
      const instrument = await parts.instrument(terms.instrument);
      queries.push({ terms: { ...terms, instrument: instrument.name }, instrument });
    }
    const read = { askedAt: clock.now(), asked: clock.elapsed() };
    return accountAnswer(view(id), { ...read, data: await account.margins(queries) }, clock);
  };
}
