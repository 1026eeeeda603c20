import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { BookObservation } from '../reconcile/book-observation.ts';
import type { TradingDay } from '../../units/branded.ts';
import { ordersOfTrigger, type TriggerRecord } from './trigger.ts';
import {
  isRowOf,
  orderAfterDay,
  orderAfterRead,
  type OrderOfTrigger,
  type TriggerOrder,
} from './trigger-order.ts';
import { createTriggerUnit, type TriggerUnit } from './trigger-unit.ts';

type Read = Pick<BookObservation, 'broker' | 'account' | 'rows' | 'fills'>;

/** The orders that triggers have placed at a broker, and of which its book has more to tell. */
export const openOrdersOfTriggers = (
  state: ExecutionState,
  broker: BrokerId,
): readonly OrderOfTrigger[] =>
  [...state.triggers.values()].flatMap((trigger) =>
    trigger.broker !== broker
      ? []
      : ordersOfTrigger(trigger).flatMap((order) =>
          order.state === 'open' ? [nameOf(trigger, order)] : [],
        ),
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
 * ended and all trades were seen. Once a later day's book is read, what is not known by then is not known for good.
 */
export function observeTriggerOrders(unit: UnitOfWork, read: Read, day: TradingDay): void {
  const triggers = createTriggerUnit(unit);
  for (const trigger of unit.state.triggers.values()) {
    if (trigger.broker !== read.broker || isOfOtherAccount(trigger, read.account)) continue;
    const before = ordersOfTrigger(trigger);
    if (!before.some(({ state }) => state === 'open' || state === 'lost')) continue;
    const after = before.map((order) => afterRead(unit, trigger, { order, read, day }));
    triggers.move(trigger.id, { type: 'note_orders', orders: after });
    after.forEach((order, place) => {
      if (order.state === 'lost' && before[place]?.state === 'open') tell(triggers, trigger, order);
    });
  }
}

function afterRead(
  unit: UnitOfWork,
  trigger: TriggerRecord,
  {
    order,
    read,
    day,
  }: { readonly order: TriggerOrder; readonly read: Read; readonly day: TradingDay },
): TriggerOrder {
  if (order.state !== 'open' && order.state !== 'lost') return order;
  const of = nameOf(trigger, order);
  const row = read.rows.find((each) => isRowOf(of, each));
  // A row that was taken for that of an order of the gateway counts there: it must not count twice.
  const isOurs = unit.observed(read.broker, day, order.brokerOrderId)?.orderId ?? null;
  if (row !== undefined && isOurs === null) return orderAfterRead(of, row, read.fills, day);
  return order.state === 'open' && order.day < day ? orderAfterDay(order) : order;
}

const nameOf = ({ broker, terms }: TriggerRecord, order: TriggerOrder): OrderOfTrigger => ({
  ...{ broker, instrument: terms.instrument, order },
});

function tell({ unit }: TriggerUnit, { id, broker }: TriggerRecord, order: TriggerOrder): void {
  const { brokerOrderId, day, filledQuantity } = order;
  const least = filledQuantity === null ? '' : `, at least ${filledQuantity}`;
  const message =
    `trigger ${id} has placed order ${brokerOrderId} at ${broker}, and the book of ${day}, which would tell how much ` +
    `that has filled in all${least}, is gone: the positions of its key may lack it. Look in the broker's app, and ` +
    `say how much with POST /api/v1/triggers/${id}/resolve`;
  unit.alert('critical', null, message);
}
