import type { BrokerId } from '../domain/broker.ts';
import { needsQuote } from '../domain/day-profit.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import { tradingDay } from '../domain/ist.ts';
import { isTradingDay } from '../domain/market-hours.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Position } from '../domain/portfolio.ts';
import type { Broker } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Quote } from '../domain/quote.ts';
import type { Execution } from '../execution/execution.ts';
import type { Clock } from '../platform/clock.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import type { ContractNoteReads } from './contract-note.ts';
import type { Gateway } from './gateway.ts';
import type { BrokerView } from './policy.ts';
import { toProblem } from './problems.ts';
import { type AccountCharges, chargesOfPastDay } from './report-charges.ts';
import type { AccountGroup, NamedAccount } from './report-groups.ts';

export type Quotes = ReadonlyMap<InstrumentName, Quote>;

/** What was read of an account for a report; what cannot be read says why. */
export interface ReadAccount {
  readonly group: AccountGroup;
  /** Those of the account, where it is a live one and the day is today; otherwise null. */
  readonly positions: readonly Position[] | { readonly reason: string } | null;
  readonly charges: AccountCharges;
}

export interface ReportReadsParts {
  readonly brokers: readonly Broker[];
  readonly execution: Execution;
  readonly portfolios: ReadonlyMap<BrokerId, Portfolio>;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly noteOf: ContractNoteReads['noteOf'];
  readonly getQuotes: Gateway['getQuotes'];
  readonly clock: Clock;
}

export interface ReportReads {
  /** Every account that is set up, with its user where that is known. */
  accounts(): Promise<readonly NamedAccount[]>;
  /** Never rejects for what a broker does not answer. */
  read(group: AccountGroup, isToday: boolean): Promise<ReadAccount>;
  /** Prices of the instruments of positions, as far as there are any. */
  quotes(positions: readonly Position[]): Promise<Quotes>;
}

/** Positions may be so old: a report is no order. */
const AGE_MS = 5_000;

export function createReportReads(parts: ReportReadsParts): ReportReads {
  const { execution, clock, view } = parts;

  const userOf = async (broker: BrokerId): Promise<string | null> =>
    (await execution.poller(broker)?.trading.account?.()) ?? null;

  /** Why the account of a group cannot be read, for people: another user is logged in. */
  async function isOfAnother({ broker, account }: AccountGroup): Promise<string | null> {
    const user = await userOf(broker);
    if (user === null || account === null || user.trim().toUpperCase() === account) return null;
    return `${broker} is logged in as another user: log in as ${account} to read this account`;
  }

  async function positionsOf({ broker, orders }: AccountGroup): Promise<ReadAccount['positions']> {
    const portfolio = parts.portfolios.get(broker);
    if (!portfolio) return { reason: `${broker} does not offer the positions of its account` };
    const isIdle = orders.length === 0 && !isTradingDay(tradingDay(clock.now()));
    if (isIdle) return { reason: NO_SESSION };
    return orReason<ReadAccount['positions']>(
      async () => (await portfolio.positions(AGE_MS)).data,
      (reason) => ({ reason }),
    );
  }

  async function chargesOf(
    { broker, trades }: AccountGroup,
    isToday: boolean,
  ): Promise<AccountCharges> {
    const account = parts.brokers.find(({ id }) => id === broker)?.account;
    const computes = account?.charges !== undefined;
    return orReason<AccountCharges>(
      async () => ({
        ...{ kind: 'read', computes },
        entries: isToday ? await parts.noteOf(broker) : await chargesOfPastDay(account, trades),
      }),
      (reason) => ({ kind: 'unread', reason }),
    );
  }

  return {
    accounts: () => {
      const trading = parts.brokers.filter((each) => each.trading !== undefined);
      return Promise.all(
        trading.map(async ({ id }) => {
          return { broker: id, mode: view(id).mode, account: await userOf(id) };
        }),
      );
    },
    async read(group, isToday) {
      if (!isToday) return { group, positions: null, charges: await chargesOf(group, false) };
      const reason = await isOfAnother(group);
      if (reason !== null) {
        return { group, positions: { reason }, charges: { kind: 'unread', reason } };
      }
      const [positions, charges] = await Promise.all([
        group.mode === 'live' ? positionsOf(group) : null,
        chargesOf(group, true),
      ]);
      return { group, positions, charges };
    },
    async quotes(positions) {
      const named = positions.filter(needsQuote).map(({ instrument }) => instrument);
      if (named.length === 0) return new Map();
      return orReason(
        async (): Promise<Quotes> => (await parts.getQuotes([...new Set(named)])).data.found,
        () => new Map(),
      );
    },
  };
}

const NO_SESSION =
  "the markets do not trade today, and a broker's positions may still be those of the last session";

/** What a broker or the gateway refuses becomes a reason, for people; any other error is one of the program. */
async function orReason<T>(read: () => Promise<T>, otherwise: (reason: string) => T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GatewayProblem || error instanceof BrokerError)) throw error;
    const problem = toProblem(error);
    if (problem instanceof GatewayProblem) return otherwise(problem.fields.detail);
    throw error;
  }
}
