import type { Answer } from '../domain/answer.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import type { BrokerOrderId, EpochMs, TriggerId } from '../units/branded.ts';

/** One execution of the account, of an order of ours or of one placed elsewhere. */
export interface Trade {
  /** The exchange's id; unique only together with the order. */
  readonly id: string;
  /** Our order, or `<broker>:<brokerOrderId>`; null where no row of the book has the trade's order. */
  readonly orderId: string | null;
  readonly external: boolean;
  /** The trigger of the gateway that has placed the order; null for any other order. */
  readonly triggeredBy: TriggerId | null;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly brokerOrderId: BrokerOrderId | null;
  readonly exchangeOrderId: string | null;
  /** Null where neither the trade nor a row of its order tells it; likewise `side` and `product`. */
  readonly instrument: InstrumentName | null;
  readonly side: Side | null;
  readonly product: string | null;
  readonly quantity: number;
  /** Rupees. */
  readonly price: number;
  /** Epoch ms. */
  readonly at: EpochMs | null;
}

export interface TradeQuery {
  readonly broker?: BrokerId | undefined;
  readonly instrument?: string | undefined;
  readonly orderId?: string | undefined;
  /** Only the trades of this caller's orders; absent for those of the account. */
  readonly caller?: string | undefined;
  /** How old the list may be, ms; 0, the default, asks the broker now. */
  readonly maxAgeMs?: number | undefined;
  /** At most 1,000, which is the default. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface TradePage extends Answer<readonly Trade[]> {
  /** The cursor of the next page; null when this is the last one. */
  readonly nextCursor: string | null;
  /** Of a caller's list: its triggers that may have made trades which the list does not have; else absent. */
  readonly uncertainTriggers?: readonly TriggerId[];
}

export interface TradeReads {
  /** A page of the trades of the account's day, newest first. */
  getTrades(query?: TradeQuery): Promise<TradePage>;
}
