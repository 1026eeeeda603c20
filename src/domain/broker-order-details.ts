import type { InstrumentName } from './instrument.ts';
import type { BrokerOrderId, EpochMs } from '../units/branded.ts';

/** A trigger price, and the price of the order that it sends; rupees. */
export interface TriggerPrices {
  readonly trigger: number | null;
  readonly limit: number | null;
}

/** An iceberg order, as the broker tells of it; quantities in shares or units. */
export interface IcebergDetails {
  readonly leg: number | null;
  readonly legs: number | null;
  readonly legQuantity: number | null;
  readonly totalQuantity: number | null;
  /** Of the legs after this one. */
  readonly remainingQuantity: number | null;
}

/**
 * What a row of the last book tells besides. It is only shown: no rule reads it, and it is not kept.
 * Null where the broker does not tell it.
 */
export interface BrokerOrderDetails {
  /** Of the row, to tell that it is the order's; null where it does not name one. */
  readonly instrument: InstrumentName | null;
  readonly isin: string | null;
  /** How the broker takes the order: `regular`, `amo`, `iceberg` and the like. */
  readonly variety: string | null;
  readonly amo: boolean | null;
  readonly disclosedQuantity: number | null;
  /** Null also for an order that is no iceberg. */
  readonly iceberg: IcebergDetails | null;
  /** After how many minutes the broker ends an order with the validity TTL; 0 for others. */
  readonly validityMinutes: number | null;
  /** Percent; -1 is the broker's own choice, and 0 none. */
  readonly marketProtection: number | null;
  readonly pendingQuantity: number | null;
  readonly cancelledQuantity: number | null;
  /** The reason in the words of the broker's systems. */
  readonly rawReason: string | null;
  readonly placedBy: string | null;
  readonly parentBrokerOrderId: BrokerOrderId | null;
  readonly modified: boolean | null;
  /** When the broker, and when the exchange had it first; and when the exchange changed it last. */
  readonly registeredAt: EpochMs | null;
  readonly exchangeAt: EpochMs | null;
  readonly exchangeUpdatedAt: EpochMs | null;
  readonly stopLoss: TriggerPrices | null;
  readonly target: TriggerPrices | null;
}
