import type { BrokerOrder, IdentifiedRow, UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import { isUnreadOfOurs } from '../reconcile/unread-shares.ts';

/**
 * An order placed elsewhere that the book does not show whole. A cancel names it by its id alone, so that one
 * can go out (docs/decisions/0090-cancels-of-hidden-orders.md).
 */
export interface HiddenOrder {
  /** What can be read of its row; the id alone where the book has no row that is certainly its own. */
  readonly unread: IdentifiedRow;
  /** Whether it is an order of the gateway after all. */
  readonly isOurs: boolean;
}

interface Book {
  readonly unread: readonly UnreadRow[];
}

/**
 * The order behind an id of which a book has no whole row; null where nothing says that there is such an order. A row
 * of its id that cannot be read whole says so. So does an earlier book of the day that has shown the id: then its row is
 * missing, or is one whose id cannot be read.
 */
export function hiddenOrder(
  state: ExecutionState,
  {
    broker,
    day,
    brokerOrderId,
  }: { broker: BrokerId; day: TradingDay; brokerOrderId: BrokerOrderId },
  { unread }: Book,
): HiddenOrder | null {
  const row = unread.find((each): each is IdentifiedRow => each.brokerOrderId === brokerOrderId);
  if (row) return { unread: row, isOurs: isUnreadOfOurs(state, broker, day, row) };
  if (state.observedIn.get(broker, day, brokerOrderId) === undefined) return null;
  const nameless = unread.find(({ brokerOrderId: id }) => id === null);
  const bare: IdentifiedRow = {
    ...{ brokerOrderId, exchangeOrderId: null, instrument: null, side: null, quantity: null },
    tags: [],
    reason: nameless
      ? `a row whose id cannot be read may be its own (${nameless.reason})`
      : 'the book lacks its row, which an earlier one has shown',
  };
  return { unread: bare, isOurs: isUnreadOfOurs(state, broker, day, bare) };
}

/** Why nothing can be said of an id that no book has shown: a row whose own id cannot be read may be its. */
export const mayHide = ({ unread }: Book): UnreadRow | undefined =>
  unread.find(({ brokerOrderId }) => brokerOrderId === null);

/** A row that cannot be read whole, with what a cancel of it needs. What is unknown says nothing of the order. */
export function asRow(
  { brokerOrderId, exchangeOrderId, instrument, side, ...row }: IdentifiedRow,
  unknown: Partial<Pick<BrokerOrder, 'product' | 'status'>> = {},
): BrokerOrder {
  const { quantity, tags, reason } = row;
  return {
    ...{ brokerOrderId, exchangeOrderId, tags, reason },
    ...{ instrument: instrument ?? '', side: side ?? 'BUY', quantity: quantity ?? 0 },
    product: row.product ?? unknown.product ?? '',
    status: row.status ?? unknown.status ?? 'unrecognised',
    ...{ filledQuantity: null, averagePrice: null, price: null, triggerPrice: null },
    ...{ orderType: '', validity: '', rawStatus: '', createdAt: null, updatedAt: null },
  };
}
