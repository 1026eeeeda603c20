import type { BrokerOrder } from '../domain/broker-order.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Execution } from '../execution/execution.ts';
import { changesOfExternal } from '../execution/external/external-change.ts';
import { attemptsOfOrder } from '../execution/journal/state.ts';
import { asShown, rowAsShown, sentMarks } from '../execution/order/accepted-terms.ts';
import type { OrderRecord } from '../execution/order/order.ts';
import { orderResponse } from '../execution/order/order-response.ts';
import type { EpochMs } from '../units/branded.ts';

export type ShownParts = Pick<Execution, 'state' | 'poller'>;

/** When the broker was asked for the book that was read last; null before one. */
const readAt = ({ poller }: ShownParts, broker: BrokerId): EpochMs | null =>
  poller(broker)?.lastRead()?.begunAt ?? null;

/** An order of ours as every answer has it (docs/orders.md, "Changes that the book does not show yet"). */
export function shownOrder(parts: ShownParts, order: OrderRecord): OrderResponse {
  const { state } = parts;
  const attempts = attemptsOfOrder(state, order.id);
  const [slice] = state.slicesOf.get(order.id) ?? [];
  const sent = slice === undefined ? attempts : attemptsOfOrder(state, slice);
  const shown = orderResponse(asShown(order, attempts, readAt(parts, order.broker)));
  return { ...shown, ...sentMarks(sent) };
}

/** The same of the row of an order placed elsewhere; `id` is its name here. */
export function shownRow(
  parts: ShownParts,
  {
    id,
    broker,
    row,
  }: { readonly id: string; readonly broker: BrokerId; readonly row: BrokerOrder },
): BrokerOrder {
  const changes = parts.state.externalChanges.size === 0 ? [] : changesOfExternal(parts.state, id);
  return changes.length === 0 ? row : rowAsShown(row, changes, readAt(parts, broker));
}
