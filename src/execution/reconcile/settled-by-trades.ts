import {
  type BrokerFill,
  type BrokerOrder,
  realId,
  type UnreadRow,
} from '../../domain/broker-order.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { exchangeGroup, namesExchange } from '../order/fills.ts';
import { bindingOf, fillOf, isIn, type OrderRecord } from '../order/order.ts';
import type { BookObservation } from './book-observation.ts';

/** Trades that were read so long after the end of an order was known have all of its fills. */
const TRADES_COMPLETE_MS = 5_000;
/** An end so far in the future was dated by a wrong clock. */
const CLOCK_AHEAD_MS = 60_000;

/**
 * The row of an order that has ended and does not say how much has filled, with what the trades say: unknown at first,
 * and known once the whole list of trades was read a while after the end (docs/orders.md, "A cancelled order without a
 * filled quantity"): all but those of other orders. What was settled so stays, because the row goes on saying nothing.
 * `unjoined` gives the trades that no order has, and one of which may be this one's.
 */
export function settledByTrades(
  unit: UnitOfWork,
  order: OrderRecord,
  row: BrokerOrder | null,
  read: Pick<BookObservation, 'fills' | 'unreadTrades' | 'localAt' | 'isOther'>,
  unjoined: () => readonly BrokerFill[],
): BrokerOrder | null {
  const { fills, unreadTrades, localAt } = read;
  if (row === null || !isEnd(row) || row.filledQuantity !== null) return row;
  if (!isIn(order, ['cancelled', 'partial', 'rejected'])) return row;
  const traded = unit.fillsOf(order.id).reduce((sum, { quantity }) => sum + quantity, 0);
  const known = bindingOf(order)?.row?.filledQuantity ?? null;
  if (known !== null) return { ...row, filledQuantity: Math.max(known, traded) };
  if (fills === null || unreadTrades.some((trade) => mayBeOf(trade, row))) return row;
  // Trades that lack what was told already are not the whole list.
  const { filledQuantity, atLeast = 0 } = fillOf(order);
  if (traded < (filledQuantity ?? atLeast)) return row;
  // The row says that some of it has filled.
  if (row.status === 'partial' && traded === 0) return row;
  const since = localAt - order.updatedAt;
  // A clock that was ahead at the end, and has been set right, says nothing about how long ago that was.
  const isFresh = since < TRADES_COMPLETE_MS && since > -CLOCK_AHEAD_MS;
  if (isFresh || unjoined().some((trade) => mayFill(order, row, trade, read))) return row;
  return { ...row, filledQuantity: traded };
}

/** Whether a row says that its order has ended without all of it having filled. */
const isEnd = ({ status }: BrokerOrder): boolean => isFinalRow(status) && status !== 'filled';

/** Whether a trade that names no order may be of this one: nothing that it tells is of another. */
function mayFill(
  order: OrderRecord,
  row: BrokerOrder,
  { exchangeOrderId, exchange, instrument, side }: BrokerFill,
  { isOther }: Pick<BookObservation, 'isOther'>,
): boolean {
  const own = realId(row.exchangeOrderId) ?? realId(bindingOf(order)?.exchangeOrderId);
  const told = realId(exchangeOrderId);
  if (own !== null && told !== null && own !== told) return false;
  const { terms } = order;
  const isAtOwn =
    exchange === null ||
    !namesExchange(exchange) ||
    exchangeGroup(exchange) === exchangeGroup(exchangeOf(terms.instrument));
  return (
    isAtOwn &&
    (side ?? terms.side) === terms.side &&
    (instrument === undefined || !isOther(order, { instrument }))
  );
}

/** Whether a trade that cannot be read whole may be of the order of a row. */
function mayBeOf({ brokerOrderId, exchangeOrderId }: UnreadRow, row: BrokerOrder): boolean {
  if (brokerOrderId !== null) return brokerOrderId === row.brokerOrderId;
  const own = realId(row.exchangeOrderId);
  return exchangeOrderId === null || own === null || exchangeOrderId === own;
}
