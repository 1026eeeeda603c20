import type { OrderModification } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import type { OrderRecord } from '../order/order.ts';

/** Why a change cannot be made; `order_state` where it is the state of the order. */
export type ImpossibleCode = 'order_state' | 'change_under_way' | 'modified_too_often';

/** A change that cannot be made to the order as it stands. */
export function impossible(
  { broker }: Pick<OrderRecord, 'broker'>,
  detail: string,
  code: ImpossibleCode = 'order_state',
): GatewayProblem {
  return new GatewayProblem({ code, detail, broker });
}

/** Brokers refuse more (docs/spec/kite-limits.md, docs/spec/primary-brokerage.md). */
const MOST_MODIFICATIONS = 25;

interface Impossible {
  readonly reason: string;
  readonly code: ImpossibleCode;
}

export const MODIFIED_TOO_OFTEN: Impossible = {
  reason: `an order can be modified ${MOST_MODIFICATIONS} times: cancel it, and place another one`,
  code: 'modified_too_often',
};
export const CHANGE_UNDER_WAY: Impossible = {
  reason: 'another modification of it is under way: send this one again once that is answered',
  code: 'change_under_way',
};

export function isModifiedOften(state: ExecutionState, { id }: OrderRecord): boolean {
  const made = attemptsOfOrder(state, id).filter(
    // One that was refused has not modified the order; the broker may count it, and refuses then.
    ({ kind, state: { kind: is } }) => kind === 'modify' && is !== 'not_sent' && is !== 'refused',
  );
  return made.length >= MOST_MODIFICATIONS;
}

/** Whether an attempt asks for the same; two cancels always do. */
export const isSameChange = (attempt: AttemptRecord, changes: OrderModification | null): boolean =>
  attempt.kind !== 'modify' ||
  (changes !== null &&
    attempt.changes.quantity === changes.quantity &&
    attempt.changes.price === changes.price &&
    attempt.changes.triggerPrice === changes.triggerPrice &&
    attempt.changes.orderType === changes.orderType &&
    attempt.changes.validity === changes.validity);
