import type { Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { plus } from '../../units/branded.ts';
import { brakeProblem, stoppedByBrake } from '../submit/brakes.ts';
import { type CheckedOrder, checkOrder } from '../submit/check-order.ts';
import { checkAccount, type Checked, knowledgeNow } from '../submit/guards.ts';
import { limitSets, limitsFor } from '../submit/order-limits.ts';
import {
  closingProblem,
  notSentProblem,
  type SubmitParts,
  timesAt,
} from '../submit/place-command.ts';
import type { OrdersAhead } from '../submit/reduce-only.ts';
import { NO_BROKER, PREPARING_MS } from '../submit/send-order.ts';
import type { KeyedCommand, Submit } from '../submit/submit.ts';
import { type BasketOrder, type CheckedItem, outcomeOf } from './basket.ts';

/** An order that needs no more than that no brake stops it. */
interface Ready {
  readonly kind: 'ready';
  readonly command: KeyedCommand;
  readonly order: CheckedOrder;
  /** The broker that it goes to first. */
  readonly trading: Trading;
}

/**
 * Checks all orders of a basket before the first one leaves: each as it would be checked alone, and by the
 * brakes as if those before it were on disk. Sends and writes nothing.
 */
export function createCheckBasket(
  parts: SubmitParts,
  before: Submit['before'],
): (orders: readonly BasketOrder[]) => Promise<readonly CheckedItem[]> {
  const { writer, clock, accounts } = parts;
  const { state } = writer;

  function begin(order: BasketOrder): CheckedItem | Ready {
    switch (order.kind) {
      case 'refused':
        return order;
      case 'known':
        return { kind: 'before', outcome: outcomeOf(Promise.resolve(order.result)) };
      case 'asked': {
        const { command } = order;
        const earlier = before(command);
        if (earlier) return { kind: 'before', outcome: outcomeOf(earlier) };
        if (parts.closing()) throw closingProblem();
        const checked = checkOrder(parts, command);
        const [trading] = command.candidates;
        if (!trading) throw notSentProblem(command.blocked ?? NO_BROKER);
        return { kind: 'ready', command, order: checked, trading };
      }
    }
  }

  function begunOrRefused(order: BasketOrder): CheckedItem | Ready {
    try {
      return begin(order);
    } catch (error) {
      return refusedBy(error, order.kind === 'asked' ? order.command : undefined);
    }
  }

  /** Throws the problem of a brake that stops an order now. */
  async function mustPass(ready: Ready, ahead: OrdersAhead): Promise<void> {
    const { command, order, trading } = ready;
    const { terms, instrument, orderId } = order;
    const { broker, mode } = trading;
    const deadline = plus(clock.elapsed(), PREPARING_MS);
    const { forcedBy, caller } = command;
    const sets = limitSets(state, parts.limits, caller);
    const limits = await limitsFor(parts, sets, terms, { named: instrument, instrument });
    const checked: Checked = { broker, mode, terms, orderId, caller, forcedBy, limits, ahead };
    const check = await checkAccount({ ...parts, state }, checked, deadline);
    const known = knowledgeNow(accounts, checked, check);
    const outgoing = { ...checked, ...timesAt(parts, trading) };
    const brake = known && stoppedByBrake(state, outgoing, known);
    if (brake !== null) throw brakeProblem(brake);
  }

  return async function checkBasket(orders) {
    parts.lookAtDisk();
    const begun = orders.map((order) => begunOrRefused(order));
    return Promise.all(
      begun.map(async (item, index): Promise<CheckedItem> => {
        if (!isReady(item)) return item;
        const ahead = begun.slice(0, index).filter(isReady);
        try {
          await mustPass(item, countAhead(item, ahead));
          return { kind: 'ready', command: item.command, order: item.order };
        } catch (error) {
          return refusedBy(error, item.command);
        }
      }),
    );
  };
}

const isReady = (item: CheckedItem | Ready): item is Ready =>
  item.kind === 'ready' && 'trading' in item;

function countAhead({ trading, order }: Ready, ahead: readonly Ready[]): OrdersAhead {
  const isOpenBeside = (other: Ready): boolean =>
    other.trading.broker === trading.broker &&
    other.order.terms.instrument === order.terms.instrument;
  return {
    ofMinute: ahead.filter((other) => other.trading.mode === trading.mode).length,
    open: ahead.filter(isOpenBeside).length,
  };
}

function refusedBy(
  error: unknown,
  command: KeyedCommand | undefined,
): CheckedItem & { kind: 'refused' } {
  if (!(error instanceof GatewayProblem)) throw error;
  return { kind: 'refused', problem: error, ...(command ? { command } : {}) };
}
