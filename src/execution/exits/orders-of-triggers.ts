import { externalId } from '../../domain/broker-order.ts';
import { orderOfLeg } from '../../domain/trigger.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { largestTerms } from '../triggers/terms-at-broker.ts';
import { quantityOfOrder, type TriggerOrder } from '../triggers/trigger-order.ts';
import { ordersOfTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import { sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';

type Triggers = Pick<ExecutionState, 'triggers'>;
/** The position that an exit is about. */
type Position = Pick<ExitRecord, 'broker' | 'instrument' | 'product' | 'side'>;

/** An order that a trigger of the gateway has placed, and that moves the shares of an exit the same way. */
interface OfTrigger {
  readonly trigger: TriggerRecord;
  readonly order: TriggerOrder;
}

function ofShares(state: Triggers, exit: Position, isinOf: IsinOf): readonly OfTrigger[] {
  const shares = sharesOf(exit);
  return [...state.triggers.values()].flatMap((trigger) => {
    const { broker, terms } = trigger;
    const [leg] = terms.legs;
    if (broker !== exit.broker) return [];
    if (!isSameShares(shares, orderOfLeg(terms.instrument, leg), isinOf)) return [];
    return ordersOfTrigger(trigger).map((order) => ({ trigger, order }));
  });
}

/**
 * Shares that orders of triggers may still take of which no book has told: the list has named them just now, and the
 * next book shows them. Until then they are kept free.
 */
export const unseenOfTriggers = (state: Triggers, exit: Position, isinOf: IsinOf): number =>
  ofShares(state, exit, isinOf)
    .filter(({ order }) => order.state === 'open' && !order.isFinal)
    .filter(({ order }) => order.filledQuantity === null && order.fills.length === 0)
    .reduce((sum, { trigger, order }) => sum + quantityOfOrder(largestTerms(trigger), order), 0);

/** An order of today that has ended, and of which nobody knows how much has filled; null without one. */
export function unknownOfTriggers(
  state: Triggers,
  exit: Position,
  { isinOf, today }: { readonly isinOf: IsinOf; readonly today: TradingDay },
): string | null {
  const found = ofShares(state, exit, isinOf).find(
    ({ order }) => order.isFinal && order.filledQuantity === null && order.day === today,
  );
  return found ? externalId(exit.broker, found.order.brokerOrderId) : null;
}
