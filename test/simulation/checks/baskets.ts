import type { WireReaction } from '../../../sandbox/kernel/wire.ts';
import type { OrderStatus } from '../../../src/domain/order.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { statusOf } from '../../../src/execution/order/order.ts';
import type { AskedBasket } from '../asked.ts';
import { violation, type Violation } from './violation.ts';

/** What matters here of a request that has left. */
export interface SentOne {
  readonly placing: boolean;
  readonly wanted: string | null;
  readonly answer: { readonly at: number; readonly reaction: WireReaction } | null;
}

interface Leaving {
  /** Epoch ms. */
  readonly at: number;
  readonly wanted: string;
  /** The request that it leaves for. */
  readonly inBasket: string;
}

/** Orders that their broker has, as far as the gateway knows. */
const TAKEN: ReadonlySet<OrderStatus> = new Set(['working', 'filled', 'partial', 'cancelled']);

/**
 * S31, when an order of a basket leaves: nothing is sent of a basket in which an order is wrong, and of an ordered
 * one nothing before each earlier order was acknowledged: by its broker's answer, or by a book since.
 */
export function leavesInTurn(
  { wanted, ordered, isWrong }: AskedBasket,
  leaving: Leaving,
  { sent, state }: { readonly sent: readonly SentOne[]; readonly state: ExecutionState },
): Violation[] {
  const what = `${leaving.inBasket}: ${leaving.wanted}`;
  if (isWrong) return [violation('S31', `${what} was sent, and an order of its basket is wrong`)];
  if (!ordered) return [];
  const before = wanted.slice(0, wanted.indexOf(leaving.wanted));
  return before
    .filter((each) => !isAcknowledged(each, leaving.at, sent) && !isTaken(each, state))
    .map((each) => violation('S31', `${what} was sent before ${each} was acknowledged`));
}

function isAcknowledged(wanted: string, by: number, sent: readonly SentOne[]): boolean {
  const placings = sent.filter((each) => each.placing && each.wanted === wanted);
  return (
    placings.length > 0 &&
    placings.every(
      ({ answer }) =>
        answer?.reaction.kind === 'answer' &&
        answer.at <= by &&
        answer.reaction.status === 200 &&
        answer.reaction.body.includes('"order_id"'),
    )
  );
}

function isTaken(wanted: string, state: ExecutionState): boolean {
  const [caller, key] = wanted.split('/');
  const id = state.orderByKey.get(`${caller}\n${key}`);
  if (id === undefined) return false;
  const all = [id, ...(state.slicesOf.get(id) ?? [])];
  return all.every((each) => {
    const order = state.orders.get(each);
    return order !== undefined && TAKEN.has(statusOf(order));
  });
}
