import type { Turned } from '../asked.ts';
import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import { brokerDayEnd } from '../../../sandbox/kernel/ist.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import type { Statement } from '../statements.ts';
import type { World } from '../world.ts';
import type { Violation } from './violation.ts';

export { violation, type Violation } from './violation.ts';

/** All that the checker looks at when a day is over. */
export interface Day {
  readonly world: World;
  /** The journal as the last life has it in memory. */
  readonly state: ExecutionState;
  readonly statements: readonly Statement[];
  /** What was noticed while it happened. */
  readonly noticed: readonly Violation[];
  /** Ids of orders that a person called absent, and of the orders that those are slices of. */
  readonly worded: ReadonlySet<string>;
  /** When a person told which row a disputed or an uncertain order is, by order id; epoch ms. */
  readonly undisputed: ReadonlyMap<string, number>;
  readonly killSwitch: readonly Turned[];
}

/** Whether an order had ended in a book that is gone at a moment (epoch ms): later ones do not show it. */
export const isOfGoneBook = ({ final, updatedAt }: BrokerOrder, at: number): boolean =>
  final && brokerDayEnd(updatedAt) <= at;

/** Whose key an order came under, `caller/key`: of a slice, that of the order it is a slice of. */
export function wantedOf(state: ExecutionState, order: OrderRecord): string {
  const asked = order.parentId === null ? order : state.orders.get(order.parentId)!;
  return `${asked.caller}/${asked.idempotencyKey}`;
}

/** The orders that may go to a broker under a key: one, or its slices. */
export function sentUnder(state: ExecutionState, wanted: string): readonly OrderRecord[] {
  return [...state.orders.values()].filter(
    (order) => wantedOf(state, order) === wanted && order.state.kind !== 'sliced',
  );
}
