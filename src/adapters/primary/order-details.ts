import type { BrokerOrderDetails } from '../../domain/broker-order-details.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { OrderRow } from './schemas.ts';

/** What a row of the order book tells besides (docs/spec/primary-brokerage.md, "Order rows"). */
export function toOrderDetails(
  row: OrderRow,
  instrument: InstrumentName | null,
): BrokerOrderDetails {
  const { stopLoss, target } = row;
  const prices = (given: typeof stopLoss) =>
    given.trigger === null && given.limit === null ? null : { ...given };
  return {
    instrument,
    isin: row.isin,
    variety: row.marketType,
    amo: row.offMarket,
    ...{ disclosedQuantity: null, iceberg: null, validityMinutes: null, marketProtection: null },
    ...{ pendingQuantity: null, cancelledQuantity: null, rawReason: null },
    placedBy: row.userId,
    parentBrokerOrderId: null,
    modified: null,
    registeredAt: row.createdAt,
    exchangeAt: null,
    exchangeUpdatedAt: null,
    stopLoss: prices(stopLoss),
    target: prices(target),
  };
}
