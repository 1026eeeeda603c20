import type { BrokerOrder } from '../../domain/broker-order.ts';
import { mayBeOfProduct, type OrderTerms } from '../../domain/order.ts';
import { hasTagMark } from '../../platform/ids.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { dayBefore } from '../order/order-day.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import type { BookObservation } from './book-observation.ts';

/** Whether a tag was made by this data directory, and its journal does not know it. */
const unknownTagIn =
  ({ attemptByTag, quarantine }: ExecutionState, tagMark: string) =>
  (tag: string): boolean =>
    tagMark !== '' && hasTagMark(tag, tagMark) && !attemptByTag.has(tag) && !quarantine.hasTag(tag);

/**
 * The row of an order that the journal has lost and that asked for the same: an order of these terms may
 * be sent under the key of that one, which the journal has lost as well. Null where there is none.
 */
export function lostTwin(
  state: ExecutionState,
  tagMark: string,
  rows: readonly BrokerOrder[],
  { instrument, side, product, quantity }: OrderTerms,
): BrokerOrderId | null {
  const isUnknown = unknownTagIn(state, tagMark);
  const twin = rows.find(
    (row) =>
      row.instrument === instrument &&
      row.side === side &&
      mayBeOfProduct(row.product, product) &&
      row.quantity === quantity &&
      row.tags.some(isUnknown),
  );
  return twin?.brokerOrderId ?? null;
}

/**
 * Looks for new rows with a tag that this data directory has made and that its journal does not know: the
 * journal is not all that was written. The directory was restored from a backup, or a second gateway works
 * on a copy of it. Its keys can place again, and its open orders are not all, so the kill switch engages:
 * cancels pass, and exits but those that a lost order may have been, until a person has looked (docs/orders.md, "The journal").
 */
export function lookForUnknownTags(
  unit: UnitOfWork,
  { broker, tagMark }: Pick<BookObservation, 'broker' | 'tagMark'>,
  rows: readonly BrokerOrder[],
  day: TradingDay,
): void {
  const isUnknown = unknownTagIn(unit.state, tagMark);
  const isNew = ({ brokerOrderId }: BrokerOrder): boolean =>
    [day, dayBefore(day)].every((each) => !unit.observed(broker, each, brokerOrderId));
  const unknown = rows.filter((row) => row.tags.some(isUnknown) && isNew(row));
  const [first] = unknown;
  if (first === undefined) return;
  const shown = unknown.slice(0, 5).map(({ brokerOrderId }) => brokerOrderId);
  const more = unknown.length > shown.length ? `, and ${unknown.length - shown.length} more` : '';
  const reason =
    `the order book of ${broker} shows orders with tags of this data directory that its journal does ` +
    `not know: ${shown.join(', ')}${more}. The directory was restored from a backup, or a second gateway ` +
    'works on a copy of it: keys may place twice. Stop the other gateway, compare the order books with ' +
    'the orders here, then release the kill switch';
  unit.alert('critical', null, reason);
  setKillSwitch(unit, { engaged: true, reason, changedBy: null });
}
