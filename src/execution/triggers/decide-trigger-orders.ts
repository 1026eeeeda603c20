import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { BookObservation } from '../reconcile/book-observation.ts';
import { rowsById } from '../reconcile/rows-by-id.ts';
import type { EpochMs, TradingDay } from '../../units/branded.ts';
import { largestTerms } from './terms-at-broker.ts';
import { ordersOfTrigger, type TriggerRecord } from './trigger.ts';
import {
  isRowOf,
  isTradeOf,
  mostOf,
  orderAfterDay,
  orderAfterRead,
  type OrderOfTrigger,
  orderWithoutRow,
  quantityOf,
  quantityOfOrder,
  type TriggerOrder,
} from './trigger-order.ts';
import { createTriggerUnit, type TriggerUnit } from './trigger-unit.ts';

type Read = Pick<BookObservation, 'broker' | 'account' | 'rows' | 'fills' | 'isOther'>;

/**
 * The orders that triggers have placed at a broker, and of which its book has more to tell: those that are open, and
 * those whose last figure is of the last five minutes, since fills have come after an order's end.
 */
export const openOrdersOfTriggers = (
  state: ExecutionState,
  broker: BrokerId,
  now: EpochMs,
): readonly OrderOfTrigger[] =>
  [...state.triggers.values()].flatMap((trigger) => {
    if (trigger.broker !== broker) return [];
    const isLate = Math.abs(now - trigger.updatedAt) < LATE_MS;
    return ordersOfTrigger(trigger).flatMap((order) =>
      order.state === 'open' || (order.state === 'over' && isLate) ? [nameOf(trigger, order)] : [],
    );
  });

/** Whether triggers have placed an order at a broker since a day, as far as is known. */
export const haveTriggersTraded = (
  state: ExecutionState,
  broker: BrokerId,
  since: TradingDay,
): boolean =>
  [...state.triggers.values()].some(
    (trigger) =>
      trigger.broker === broker && ordersOfTrigger(trigger).some(({ day }) => day >= since),
  );

/**
 * The trigger of the gateway whose order a row of a book is, once that book has told how much the order has filled;
 * null for any other row.
 */
export function triggerOfRow(
  state: ExecutionState,
  broker: BrokerId,
  row: Pick<BrokerOrder, 'brokerOrderId' | 'instrument' | 'side'>,
): TriggerRecord | null {
  for (const trigger of state.triggers.values()) {
    if (trigger.broker !== broker) continue;
    const order = ordersOfTrigger(trigger).find(
      (each) => each.filledQuantity !== null && isRowOf(nameOf(trigger, each), row),
    );
    if (order) return trigger;
  }
  return null;
}

/**
 * What a read of a book says of the orders that triggers have placed. The row tells how much has filled, until it has
 * ended and all trades were seen; where the book lacks the row, the trades tell the least. Once a later day's book is read, what is not known by then is not known for good.
 */
export function observeTriggerOrders(unit: UnitOfWork, read: Read, day: TradingDay): void {
  const triggers = createTriggerUnit(unit);
  for (const trigger of unit.state.triggers.values()) {
    if (trigger.broker !== read.broker || isOfOtherAccount(trigger, read.account)) continue;
    const before = ordersOfTrigger(trigger);
    if (!before.some((order) => isToldBy(order, day))) continue;
    const after = before.map((order) => afterRead(unit, trigger, { order, read, day }));
    triggers.move(trigger.id, { type: 'note_orders', orders: after });
    after.forEach((order, place) => {
      const was = before[place];
      if (order.state === 'lost' && was?.state === 'open') tell(triggers, trigger, order);
      if (was?.state === 'over') tellOfMore(triggers, trigger, was, order);
    });
  }
}

/** Whether the book of a day has more to tell of an order: also of one that is over, since it may fill after its end. */
const isToldBy = ({ state, day: own }: TriggerOrder, day: TradingDay): boolean =>
  state === 'open' || state === 'lost' || (state === 'over' && own === day);

function afterRead(
  unit: UnitOfWork,
  trigger: TriggerRecord,
  {
    order,
    read,
    day,
  }: { readonly order: TriggerOrder; readonly read: Read; readonly day: TradingDay },
): TriggerOrder {
  if (!isToldBy(order, day)) return order;
  const of = nameOf(trigger, order);
  const rows = rowsById(read.rows).of(order.brokerOrderId);
  const row = rows.find((each) => isRowOf(of, each));
  // A row that was taken for that of an order of the gateway counts there: it must not count twice.
  const isOurs = unit.observed(read.broker, day, order.brokerOrderId)?.orderId ?? null;
  const trades = read.fills?.filter((fill) => isTradeOf(of, fill, read.isOther)) ?? null;
  if (isOurs === null) {
    // Once it was known how much an order has filled, a row without a figure takes nothing back.
    const isTold = row !== undefined && !(order.state === 'over' && row.filledQuantity === null);
    if (isTold) {
      const now = orderAfterRead(of, row, trades, day);
      tellExcess(unit, trigger, { of, row, now });
      return now;
    }
    if (order.state !== 'lost' && order.day === day) return orderWithoutRow(of, trades);
  }
  return order.state === 'open' && order.day < day ? orderAfterDay(order) : order;
}

/** For so long after its end the book is read for what an order has filled all the same, as for any order. */
const LATE_MS = 5 * 60_000;

const nameOf = (trigger: TriggerRecord, order: TriggerOrder): OrderOfTrigger => ({
  ...{ broker: trigger.broker, instrument: trigger.terms.instrument, order },
  asked: quantityOfOrder(largestTerms(trigger), order),
});

/** Trades beyond what the order was for: told once (decisions/0086). */
function tellExcess(
  unit: UnitOfWork,
  { id }: TriggerRecord,
  {
    of,
    row,
    now,
  }: { readonly of: OrderOfTrigger; readonly row: BrokerOrder; readonly now: TriggerOrder },
): void {
  const most = mostOf(of, row);
  const [before, traded] = [quantityOf(of.order.fills), quantityOf(now.fills)];
  if (traded <= most || before > most) return;
  const message =
    `the trades of order ${now.brokerOrderId} of trigger ${id} at ${of.broker} add up to ${traded}, and it was for ` +
    `${most} at most: ${most} count as its fills. Compare the position with the broker's app`;
  unit.alert('critical', null, message);
}

function tellOfMore(
  { unit }: TriggerUnit,
  { id }: TriggerRecord,
  was: TriggerOrder,
  { brokerOrderId, filledQuantity }: TriggerOrder,
): void {
  if (filledQuantity === was.filledQuantity) return;
  const message =
    `order ${brokerOrderId} of trigger ${id} had ended with ${was.filledQuantity ?? 'nothing known'} filled; its ` +
    `broker now shows ${filledQuantity ?? 'an unknown quantity'}`;
  unit.alert('warning', null, message);
}

function tell({ unit }: TriggerUnit, { id, broker }: TriggerRecord, order: TriggerOrder): void {
  const { brokerOrderId, day, filledQuantity } = order;
  const least = filledQuantity === null ? '' : `, at least ${filledQuantity}`;
  const message =
    `trigger ${id} has placed order ${brokerOrderId} at ${broker}, and the book of ${day}, which would tell how much ` +
    `that has filled in all${least}, is gone: the positions of its key may lack it. Look in the broker's app, and ` +
    `say how much with POST /api/v1/triggers/${id}/resolve`;
  unit.alert('critical', null, message);
}
