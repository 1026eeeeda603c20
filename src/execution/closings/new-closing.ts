import type { BrokerId } from '../../domain/broker.ts';
import type { ClosingPosition } from '../../domain/closing.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { type ElapsedMs, plus } from '../../units/branded.ts';
import { accountNow, otherAccountNow } from '../exits/exit-account.ts';
import { type ExitParts, sharesOf } from '../exits/exit-parts.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import type { ClosingRecord } from './closing.ts';
import { createNetOfKey } from './net-of-key.ts';
import { type ClosingFilter, planClosing, productsOf } from './plan-closing.ts';

export interface ClosingCommand extends ClosingFilter {
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** The accounts whose positions are closed. */
  readonly brokers: readonly BrokerId[];
  /** `mine`: what the caller's own orders have bought and sold, and no more than the account has. */
  readonly scope: 'mine' | 'account';
}

const ACCOUNT_MS = 5_000;

/** The record of a closing as it begins. Rejects where an account cannot be read whole. */
export function createNewClosing(
  parts: ExitParts,
): (command: ClosingCommand, requestHash: string) => Promise<ClosingRecord> {
  const { clock, ids } = parts;
  const { state } = parts.writer;

  return async function newClosing(
    command: ClosingCommand,
    requestHash: string,
  ): Promise<ClosingRecord> {
    const named = await Promise.all(command.brokers.map(nameAccount));
    const accounts = await Promise.all(command.brokers.map(readAccount));
    const { caller, scope, instrument, product } = command;
    const byName = parts.instruments.byName;
    const positions: ClosingPosition[] = [];
    for (const { portfolio, isBookWhole } of accounts) {
      const { broker } = portfolio;
      const netOfKey =
        scope === 'mine' ? await createNetOfKey(parts, { broker, caller, isBookWhole }) : null;
      positions.push(...planClosing(portfolio, command, { byName, netOfKey }));
    }
    const products = instrument === null ? [] : productsOf(positions, instrument);
    if (product === null && products.length > 1)
      throw severalProducts(String(instrument), products);
    for (const { broker, account } of named) {
      const other = await otherAccountNow(parts, { broker, account });
      if (other !== null) throw unreadable(broker, other);
    }
    const known = named.flatMap(({ broker, account }) =>
      account === null ? [] : { broker, account },
    );
    const at = clock.now();
    const id = `closing_${ids.uuid7(at)}`;
    return {
      ...{ id, caller, idempotencyKey: command.idempotencyKey ?? id, requestHash },
      ...{ day: tradingDay(at), positions, ...(known.length === 0 ? {} : { accounts: known }) },
      ...{ isCancelWanted: false, over: null },
      ...{ createdAt: at, updatedAt: at },
    };
  };

  async function nameAccount(broker: BrokerId) {
    return { broker, account: await accountNow(parts.poller(broker)?.trading) };
  }

  /** As it is now: an account that cannot be read is never one without positions. */
  async function readAccount(broker: BrokerId): Promise<ReadAccount> {
    const now = clock.elapsed();
    const terms = sharesOf({ instrument: '', product: 'INTRADAY', side: 'SELL' });
    const need = { broker, terms, since: now, until: plus(now, ACCOUNT_MS), passes: () => true };
    const why = await parts.accounts.refreshForExit(need);
    const portfolio = state.portfolios.get(broker);
    if (why !== null || !portfolio) throw unreadable(broker, why ?? 'it was not read');
    const [unread] = portfolio.unread ?? [];
    if (unread === undefined) return { portfolio, isBookWhole: isBookWhole(broker, now) };
    const named = unread.instrument ?? 'one without a readable instrument';
    throw unreadable(
      broker,
      `a row of its ${unread.list} cannot be read: ${named}, ${unread.reason}`,
    );
  }

  /** Whether the book that was read with the account is whole: then it says what each order has filled. */
  function isBookWhole(broker: BrokerId, since: ElapsedMs): boolean {
    const poller = parts.poller(broker);
    const read = poller?.lastRead() ?? null;
    return read !== null && read.begun >= since && read.complete && poller?.recovering() === false;
  }
}

/** An account as it is now. */
interface ReadAccount {
  readonly portfolio: PortfolioRecord;
  readonly isBookWhole: boolean;
}

function unreadable(broker: BrokerId, why: string): GatewayProblem {
  return new GatewayProblem({
    code: 'broker_unavailable',
    detail: `what ${broker} holds cannot be read (${why}), so nothing was begun`,
    broker,
    mayHaveExecuted: false,
  });
}

function severalProducts(instrument: InstrumentName, products: readonly string[]): GatewayProblem {
  return new GatewayProblem({
    code: 'several_products',
    field: 'product',
    detail: `${instrument} is held as ${products.join(' and as ')}: name the product`,
    mayHaveExecuted: false,
  });
}
