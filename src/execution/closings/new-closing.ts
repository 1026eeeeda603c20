import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { type ElapsedMs, type OrderId, plus, type TradingDay } from '../../units/branded.ts';
import { type ExitParts, sharesOf } from '../exits/exit-parts.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { tradedOn } from '../order/order-day.ts';
import { fillOf, isOver, type OrderRecord } from '../order/order.ts';
import type { ClosingRecord } from './closing.ts';
import { type ClosingFilter, type OwnNet, planClosing, productsOf } from './plan-closing.ts';

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
    const accounts = await Promise.all(command.brokers.map(readAccount));
    const { caller, scope, instrument, product } = command;
    const byName = parts.instruments.byName;
    const positions = accounts.flatMap(({ portfolio, isBookWhole }) => {
      const ofKey = (name: InstrumentName, of: string): OwnNet =>
        netOf({ broker: portfolio.broker, caller, isBookWhole }, name, of);
      const netOfKey = scope === 'mine' ? ofKey : null;
      return planClosing(portfolio, command, { byName, netOfKey });
    });
    const products = instrument === null ? [] : productsOf(positions, instrument);
    if (product === null && products.length > 1)
      throw severalProducts(String(instrument), products);
    const at = clock.now();
    const id = `closing_${ids.uuid7(at)}`;
    return {
      ...{ id, caller, idempotencyKey: command.idempotencyKey ?? id, requestHash },
      ...{ day: tradingDay(at), positions, isCancelWanted: false, over: null },
      ...{ createdAt: at, updatedAt: at },
    };
  };

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

  function dayOf(order: OrderRecord): TradingDay {
    const fills = [...(state.fillsOf.get(order.id) ?? [])];
    return tradedOn(
      order,
      fills.flatMap((key) => state.fills.get(key) ?? []),
    );
  }

  /** What a key's orders of the last days have bought, less what they have sold. */
  function netOf(
    { broker, caller, isBookWhole: isWhole }: OfKey,
    name: InstrumentName,
    product: string,
  ): OwnNet {
    let [least, most] = [0, 0];
    const unknown: OrderId[] = [];
    for (const order of state.orders.values()) {
      const { terms } = order;
      if (order.caller !== caller || order.broker !== broker || order.state.kind === 'sliced')
        continue;
      if (terms.instrument !== name || terms.product !== product) continue;
      // What was bought for a day does not outlive it, whoever has closed it.
      if (product === 'INTRADAY' && dayOf(order) !== parts.accounts.today(broker)) continue;
      const { filledQuantity } = fillOf(order);
      const filled = filledQuantity ?? 0;
      // What is not known of a fill is never taken for none.
      const isKnown = filledQuantity !== null && (isWhole || isOver(order));
      const rest = isKnown ? 0 : Math.max(0, terms.quantity - filled);
      if (rest > 0) unknown.push(order.id);
      const isBuy = terms.side === 'BUY';
      least += isBuy ? filled : -filled - rest;
      most += isBuy ? filled + rest : -filled;
    }
    return { least, most, unknown };
  }
}

/** An account as it is now. */
interface ReadAccount {
  readonly portfolio: PortfolioRecord;
  readonly isBookWhole: boolean;
}

interface OfKey {
  readonly broker: BrokerId;
  readonly caller: string;
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
