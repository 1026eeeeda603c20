import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { type OrderId, plus } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import { isOver, type OrderRecord, statusOf } from '../order/order.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { reducible } from '../submit/reduce-only.ts';
import { accountNow, otherAccountNow, unreadCode } from './exit-account.ts';
import { type ExitCommand, type ExitParts, sharesOf } from './exit-parts.ts';
import { type ExitRecord, FIRST_PLAN } from './exit.ts';
import { createRefuseOpening } from './opens-position.ts';

/** How long the account may take to be read before an exit begins, where it was not read lately. */
const ACCOUNT_MS = 3_000;

/** The record of an exit as it begins. Throws where nothing is left to exit with, or nothing is known. */
export function createNewExit(
  parts: ExitParts,
  isinOf: IsinOf,
): (command: ExitCommand, requestHash: string) => Promise<ExitRecord> {
  const { clock, ids, accounts } = parts;
  const { state } = parts.writer;
  const refuseOpening = createRefuseOpening(parts, isinOf);
  return newExit;

  async function newExit(command: ExitCommand, requestHash: string): Promise<ExitRecord> {
    const { caller, trading, instrument, product, quantity, orderId } = command;
    const { broker, mode } = trading;
    const replaced = orderId === null ? null : restingOrder(orderId);
    const account = command.account ?? (await accountNow(trading));
    await refuseOther(broker, account);
    if (replaced !== null) await refuseOpening(replaced);
    const side = replaced?.terms.side ?? (await sideOf(command));
    // Somebody may have logged in while the account was read.
    await refuseOther(broker, account);
    const at = clock.now();
    const id = `exit_${ids.uuid7(at)}`;
    return {
      ...{ id, caller, idempotencyKey: command.idempotencyKey ?? id },
      requestHash,
      ...{ broker, mode, ...(account === null ? {} : { account }) },
      ...{ instrument, product, side, quantity, orderId },
      ...(command.cancelExternal === true ? { cancelExternal: true } : {}),
      ...(command.filledBefore === undefined ? {} : { filledBefore: command.filledBefore }),
      day: tradingDay(parts.poller(broker)?.now() ?? at),
      ...{ plan: FIRST_PLAN, legs: [], isCancelWanted: false, over: null },
      doing: 'begun',
      ...{ createdAt: at, updatedAt: at },
    };
  }

  async function refuseOther(broker: BrokerId, account: string | null): Promise<void> {
    const why = await otherAccountNow(parts, { broker, account });
    if (why === null) return;
    throw new GatewayProblem({
      code: 'broker_unavailable',
      detail: `${why}. Nothing was begun`,
      broker,
      mayHaveExecuted: false,
    });
  }

  function restingOrder(orderId: OrderId): OrderRecord {
    const order = required(state.orders, orderId, 'order');
    if (!isOver(order)) return order;
    throw new GatewayProblem({
      code: 'order_state',
      detail: `order ${orderId} is ${statusOf(order)}: there is nothing left of it to exit with`,
      broker: order.broker,
      mayHaveExecuted: false,
    });
  }

  /** The side that ends the position, as the account was read lately. */
  async function sideOf({ trading, instrument, product }: ExitCommand): Promise<'BUY' | 'SELL'> {
    const { broker } = trading;
    const terms = sharesOf({ instrument, product, side: 'SELL' });
    const until = plus(clock.elapsed(), ACCOUNT_MS);
    const unread = await accounts.refresh({ broker, terms, until });
    if (unread !== null && !state.portfolios.has(broker)) {
      throw new GatewayProblem({
        code: unreadCode(trading),
        detail: `what ${broker} holds could not be read (${unread}), so nothing was begun`,
        broker,
        mayHaveExecuted: false,
      });
    }
    // Delivery shares are never short: buying them would open a position.
    if (product === 'CNC') return 'SELL';
    return reducible(state, { broker, terms }, isinOf) < 0 ? 'BUY' : 'SELL';
  }
}
