import type { BrokerOrder } from '../../domain/broker-order.ts';
import { hasTagMark } from '../../platform/ids.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { dayBefore } from '../order/order-day.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import type { BookObservation } from './book-observation.ts';

/**
 * Looks for new rows with a tag that this data directory has made and that its journal does not know: the
 * journal is not all that was written. The directory was restored from a backup, or a second gateway works
 * on a copy of it. Its keys can place again, and its open orders are not all, so the kill switch engages:
 * cancels and exits pass, until a person has looked (docs/orders.md, "The journal").
 */
export function lookForUnknownTags(
  unit: UnitOfWork,
  { broker, tagMark }: Pick<BookObservation, 'broker' | 'tagMark'>,
  rows: readonly BrokerOrder[],
  day: TradingDay,
): void {
  if (tagMark === '') return;
  const { attemptByTag, quarantine } = unit.state;
  const isUnknown = (tag: string): boolean =>
    hasTagMark(tag, tagMark) && !attemptByTag.has(tag) && !quarantine.hasTag(tag);
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
