import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import type { BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { fillKey, type FillRecord } from '../order/fills.ts';
import type { BookObservation } from './book-observation.ts';
import { orderOfRow } from './matching.ts';

/** Adds the fills that are new; returns the orders that they belong to. */
export function takeFills(
  unit: UnitOfWork,
  { broker, rows }: BookObservation,
  fills: readonly BrokerFill[],
  day: TradingDay,
): Set<OrderId> {
  const touched = new Set<OrderId>();
  const orderOfTrade = orderNamed(rows);
  for (const fill of fills) {
    const brokerOrderId = fill.brokerOrderId ?? orderOfTrade(fill);
    if (brokerOrderId === null) continue;
    const orderId = orderOfRow(unit, broker, day, brokerOrderId);
    if (orderId === null || !unit.state.orders.has(orderId)) continue;
    const exchange = fill.exchange ?? exchangeOf(unit.order(orderId).terms.instrument);
    const key = fillKey({ broker, day, exchange, brokerOrderId, fillId: fill.fillId });
    // Checked first, because nearly all trades of a read are known already.
    if (unit.fill(key)) continue;
    const record: FillRecord = {
      key,
      orderId,
      broker,
      day,
      exchange,
      brokerOrderId,
      fillId: fill.fillId,
      quantity: fill.quantity,
      price: fill.price,
      at: fill.at ?? unit.at,
      ...(fill.brokerOrderId === null ? { joined: true } : {}),
    };
    if (isKnownFromEarlier(unit, record)) continue;
    unit.putFill(record);
    touched.add(orderId);
  }
  return touched;
}

/** Finds the order of a trade that names none, by the exchange's id; null where no row has that. */
function orderNamed(rows: readonly BrokerOrder[]): (fill: BrokerFill) => BrokerOrderId | null {
  let byExchangeId: Map<string, BrokerOrderId> | null = null;
  return ({ exchangeOrderId }) => {
    if (exchangeOrderId === null) return null;
    byExchangeId ??= new Map(
      rows.flatMap((row) =>
        row.exchangeOrderId === null ? [] : [[row.exchangeOrderId, row.brokerOrderId]],
      ),
    );
    return byExchangeId.get(exchangeOrderId) ?? null;
  };
}

/** Trades of an order in a book of another day than its own are the same trades. */
function isKnownFromEarlier(unit: UnitOfWork, fill: FillRecord): boolean {
  const { terms, day } = unit.order(fill.orderId);
  if (!terms.amo && day === fill.day) return false;
  return unit
    .fillsOf(fill.orderId)
    .some((known) => known.fillId === fill.fillId && known.exchange === fill.exchange);
}
