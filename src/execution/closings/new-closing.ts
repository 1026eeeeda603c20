import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { plus } from '../../units/branded.ts';
import { type ExitParts, sharesOf } from '../exits/exit-parts.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { fillOf } from '../order/order.ts';
import type { ClosingRecord } from './closing.ts';
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
    const portfolios = await Promise.all(command.brokers.map(readAccount));
    const { caller, scope, instrument, product } = command;
    const byName = parts.instruments.byName;
    const positions = portfolios.flatMap((portfolio) => {
      const ofKey = (name: InstrumentName, of: string): number =>
        netOf(portfolio.broker, caller, name, of);
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
  async function readAccount(broker: BrokerId): Promise<PortfolioRecord> {
    const now = clock.elapsed();
    const terms = sharesOf({ instrument: '', product: 'INTRADAY', side: 'SELL' });
    const need = { broker, terms, since: now, until: plus(now, ACCOUNT_MS), passes: () => true };
    const why = await parts.accounts.refreshForExit(need);
    const portfolio = state.portfolios.get(broker);
    if (why !== null || !portfolio) throw unreadable(broker, why ?? 'it was not read');
    const [unread] = portfolio.unread ?? [];
    if (unread === undefined) return portfolio;
    const named = unread.instrument ?? 'one without a readable instrument';
    throw unreadable(
      broker,
      `a row of its ${unread.list} cannot be read: ${named}, ${unread.reason}`,
    );
  }

  /** What a key's orders of the last days have bought, less what they have sold. */
  function netOf(broker: BrokerId, caller: string, name: InstrumentName, product: string): number {
    let net = 0;
    for (const order of state.orders.values()) {
      const { terms } = order;
      if (order.caller !== caller || order.broker !== broker || order.state.kind === 'sliced')
        continue;
      if (terms.instrument !== name || terms.product !== product) continue;
      net += (fillOf(order).filledQuantity ?? 0) * (terms.side === 'BUY' ? 1 : -1);
    }
    return net;
  }
}

function unreadable(broker: BrokerId, why: string): GatewayProblem {
  return new GatewayProblem({
    code: 'broker_unavailable',
    detail: `what ${broker} holds cannot be read (${why}), so nothing was begun`,
    broker,
    mayHaveExecuted: false,
    retrySafe: true,
  });
}

function severalProducts(instrument: InstrumentName, products: readonly string[]): GatewayProblem {
  return new GatewayProblem({
    code: 'invalid_request',
    detail: `${instrument} is held as ${products.join(' and as ')}: name the product`,
    mayHaveExecuted: false,
  });
}
