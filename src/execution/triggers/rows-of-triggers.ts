import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import { type EpochMs, plus, type TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import { CLOCKS_AGREE_MS } from '../order/attempt.ts';
import { isRowOf } from './trigger-order.ts';
import { ordersOfTrigger, type TriggerRecord } from './trigger.ts';

type Row = Pick<
  BrokerOrder,
  'brokerOrderId' | 'instrument' | 'side' | 'product' | 'createdAt' | 'childOf'
>;

/** Tells of a row of a book which trigger of the gateway has placed it; null for any other row. */
export type TriggerOfRow = (
  row: Pick<Row, 'brokerOrderId' | 'instrument' | 'side'>,
) => TriggerRecord | null;

/**
 * Whose order a row of a broker's book of `day` is: the trigger's, whose row in the list of triggers names it
 * (docs/triggers.md, "The order that it places"). A row of an order of the gateway is not to be asked about.
 */
export function triggersOfRows(
  state: ExecutionState,
  broker: BrokerId,
  day: TradingDay,
): TriggerOfRow {
  const named = [...state.triggers.values()]
    .filter((trigger) => trigger.broker === broker)
    .flatMap((trigger) =>
      ordersOfTrigger(trigger)
        // Until a book has shown the order, its day is that of the trigger's row.
        .filter((order) => order.filledQuantity === null || order.day === day)
        .map((order) => ({ broker, instrument: trigger.terms.instrument, order, trigger })),
    );
  if (named.length === 0) return () => null;
  return (row) => named.find((each) => isRowOf(each, row))?.trigger ?? null;
}

/**
 * Whether an order that is not known may be in the book of `day` because of the trigger: it may have triggered, or
 * has, and no list names the order. What it has placed on an earlier day rests no more.
 */
export function mayHaveUnnamedOrder(trigger: TriggerRecord, day: TradingDay): boolean {
  const { state, updatedAt } = trigger;
  const isUnnamed = ordersOfTrigger(trigger).length === 0;
  switch (state.kind) {
    case 'sending':
    case 'uncertain':
    case 'waiting':
      return true;
    case 'triggered':
      // Of one that had triggered before the journal kept its orders, nothing is looked for.
      return (
        isUnnamed &&
        trigger.orders !== undefined &&
        state.row.legs.every(({ reason }) => reason === null) &&
        tradingDay(updatedAt) >= day
      );
    case 'ended':
      return isUnnamed && state.isUntold === true && tradingDay(updatedAt) >= day;
    default:
      return false;
  }
}

/** Whether a row of a book, which nobody is known to have placed, may be an order that a trigger has placed. */
export function couldBePlacedBy({ terms, brokerAt }: TriggerRecord, row: Row): boolean {
  if (row.instrument !== terms.instrument || row.childOf !== undefined) return false;
  if (row.createdAt !== null && row.createdAt < madeFrom(brokerAt)) return false;
  return terms.legs.some(({ side, product }) => side === row.side && product === row.product);
}

/** A broker writes whole seconds, and its clock may differ from ours. */
const madeFrom = (sentAt: EpochMs): EpochMs => plus(sentAt, -CLOCKS_AGREE_MS);
