import type { BrokerId } from '../../domain/broker.ts';
import type { ClosingPosition, ClosingUnread } from '../../domain/closing.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { sleep } from '../../platform/clock.ts';
import { type ElapsedMs, plus } from '../../units/branded.ts';
import { accountNow, otherAccountNow, unreadCode } from '../exits/exit-account.ts';
import { type ExitParts, sharesOf } from '../exits/exit-parts.ts';
import type { FilledBefore } from '../exits/exit.ts';
import { filledBy } from '../exits/filled-by-caller.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { ClosingRecord } from './closing.ts';
import { mayLackRow, withLagging } from './lagging-rows.ts';
import { createNetOfKey } from './net-of-key.ts';
import type { ClosingFilter } from './closing-filter.ts';
import { mayBeMore, planClosing, productsOf } from './plan-closing.ts';
import { unreadIn, unreadShorts } from './unread-positions.ts';

export interface ClosingCommand extends ClosingFilter {
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** The accounts whose positions are closed. */
  readonly brokers: readonly BrokerId[];
  /** The broker that a caller has named, null where none was; absent where no caller has asked. */
  readonly askedBroker?: BrokerId | null;
  /** `mine`: what the caller's own orders have bought and sold, and no more than the account has. */
  readonly scope: 'mine' | 'account';
}

/** For so long an account is read before a closing begins, and the pause before a row is looked at again. */
const ACCOUNT_MS = 5_000;
const AGAIN_MS = 1_000;

/** The record of a closing as it begins. Rejects where an account cannot be read. */
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
    const accounts = await Promise.all(
      command.brokers.map((broker) => readAccount(broker, command)),
    );
    const { caller, scope, instrument, product } = command;
    const byName = parts.instruments.byName;
    const positions: ClosingPosition[] = [];
    const filledBefore: (FilledBefore | null)[] = [];
    const unread: ClosingUnread[] = [];
    for (const { portfolio, isBookWhole } of accounts) {
      const { broker } = portfolio;
      const netOfKey =
        scope === 'mine' ? await createNetOfKey(parts, { broker, caller, isBookWhole }) : null;
      const planned = planClosing(portfolio, command, { byName, netOfKey });
      positions.push(...planned);
      filledBefore.push(...planned.map((each) => filledBeforeOf(state, each, command)));
      unread.push(...unreadIn(portfolio, command));
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
      ...{ day: tradingDay(at), positions, filledBefore },
      ...(unread.length === 0 ? {} : { unread }),
      ...(known.length === 0 ? {} : { accounts: known }),
      ...{ isCancelWanted: false, over: null },
      ...{ createdAt: at, updatedAt: at },
    };
  };

  async function nameAccount(broker: BrokerId) {
    return { broker, account: await accountNow(parts.poller(broker)?.trading) };
  }

  /**
   * As it is now: an account that cannot be read is never one without positions. Where a row cannot be read, or may be
   * behind, the account is read again for a while: what may be that row is not closed, nor what may cover it.
   */
  async function readAccount(broker: BrokerId, filter: ClosingCommand): Promise<ReadAccount> {
    const until = plus(clock.elapsed(), ACCOUNT_MS);
    for (;;) {
      const account = await readOnce(broker, until);
      const { portfolio } = account;
      // Whoever names an instrument means it, whatever it covers.
      const shorts = filter.instrument === null ? unreadShorts(portfolio) : [];
      const isClear =
        unreadIn(portfolio, filter).length + shorts.length === 0 &&
        !mayBeMore(portfolio, filter, filter.scope) &&
        !mayLackRow(parts, portfolio);
      if (isClear || plus(clock.elapsed(), AGAIN_MS) >= until) return account;
      await sleep(parts.scheduler, AGAIN_MS);
    }
  }

  async function readOnce(broker: BrokerId, until: ElapsedMs): Promise<ReadAccount> {
    const now = clock.elapsed();
    const terms = sharesOf({ instrument: '', product: 'INTRADAY', side: 'SELL' });
    const need = { broker, terms, since: now, until, passes: () => true };
    const why = await parts.accounts.refreshForExit(need);
    const portfolio = state.portfolios.get(broker);
    if (why !== null || !portfolio) {
      throw unreadable(broker, why ?? 'it was not read', parts.poller(broker)?.trading);
    }
    return { portfolio: withLagging(parts, portfolio), isBookWhole: isBookWhole(broker, now) };
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

function unreadable(broker: BrokerId, why: string, trading?: Trading): GatewayProblem {
  return new GatewayProblem({
    code: unreadCode(trading),
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

/** A quantity is that of the plan: what fills after it on the same side is a part of it. */
function filledBeforeOf(
  state: ExecutionState,
  { broker, instrument, product, net, quantity }: ClosingPosition,
  { scope, caller }: ClosingCommand,
): FilledBefore | null {
  if (quantity === null || quantity === 0) return null;
  const side = net > 0 ? 'SELL' : 'BUY';
  const isMine = scope === 'mine';
  const of = { broker, instrument, product, side, caller: isMine ? caller : null } as const;
  return { quantity: filledBy(state, of), ...(isMine ? {} : { byAll: true }) };
}
