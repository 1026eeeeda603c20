import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Clock } from '../platform/clock.ts';
import type { Portfolio, Read } from '../portfolio/portfolio.ts';
import type { Gateway, ReadOptions } from './gateway.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { accountAnswer, noBroker, notServed, notSupported } from './reads.ts';

export type AccountReads = Pick<
  Gateway,
  'getPositions' | 'getDayPositions' | 'getHoldings' | 'getFunds' | 'getProfile'
>;

export interface AccountReadsParts {
  readonly portfolios: ReadonlyMap<BrokerId, Portfolio>;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly clock: Clock;
}

/** How old an answer may be when the caller does not say. */
const ACCOUNT_AGE_MS = 1_000;

/** What an account holds: the named broker's account, or that of the trading route. */
export function createAccountReads(parts: AccountReadsParts): AccountReads {
  const { portfolios, route, view, clock } = parts;

  function accountOf({ broker: named }: ReadOptions): Portfolio {
    const broker = named ?? accountBroker(route.map(view));
    const portfolio = broker === null ? undefined : portfolios.get(broker);
    if (portfolio) return portfolio;
    if (broker !== null) throw notServed(view(broker), 'an account');
    throw noBroker('no broker of the trading route can be asked now: GET /api/v1/brokers says why');
  }

  const read =
    <T>(ask: (portfolio: Portfolio, maxAgeMs: number) => Promise<Read<T>>) =>
    (options: ReadOptions = {}): Promise<Answer<T>> =>
      asProblems(async () => {
        const portfolio = accountOf(options);
        const answer = await ask(portfolio, options.maxAgeMs ?? ACCOUNT_AGE_MS);
        return accountAnswer(view(portfolio.broker), answer, clock);
      });

  return {
    getPositions: read((portfolio, age) => portfolio.positions(age)),
    getDayPositions: read((portfolio, age) => {
      const { broker, dayPositions } = portfolio;
      if (dayPositions === null) throw notSupported(broker, 'a list of what was traded today');
      return dayPositions(age);
    }),
    getHoldings: read((portfolio, age) => portfolio.holdings(age)),
    getFunds: read((portfolio, age) => portfolio.funds(age)),
    getProfile: read((portfolio, age) => portfolio.profile(age)),
  };
}
