import type { ExchangeFill, ExchangeOrder, Trigger } from './exchange-order.ts';
import type { OddRow } from '../kernel/book-view.ts';
import type { Instrument, Side } from './instrument.ts';

/** The products of both brokers, reduced to what the sandbox distinguishes. */
export type Product = 'delivery' | 'intraday' | 'carry';

/** The state of an order inside a broker; each broker has its own words for it. */
export type Phase =
  | 'received'
  | 'validating'
  | 'after_market'
  | 'trigger_pending'
  | 'open'
  | 'modify_pending'
  | 'cancel_pending'
  | 'complete'
  | 'cancelled'
  | 'rejected'
  | 'expired';

export const isFinal = (phase: Phase): boolean =>
  phase === 'complete' || phase === 'cancelled' || phase === 'rejected' || phase === 'expired';

/**
 * The request that placed the order, as it arrived: a checker compares it with the sender's log.
 */
export interface Receipt {
  at: number;
  authorization: string | null;
  headers: Record<string, string>;
  body: string;
}

export interface OrderTicket {
  instrument: Instrument;
  side: Side;
  quantity: number;
  product: Product;
  /** As sent, with the broker's word. */
  orderType: string;
  validity: 'DAY' | 'IOC';
  /** The limit at the exchange, paise. */
  limit: number;
  trigger: Trigger | null;
  placedBy: 'api' | 'hand';
  tag: string | null;
  remarks: string | null;
  receipt: Receipt | null;
  afterMarket: boolean;
  /** Set when risk management will reject the order after the acknowledgement. */
  refusal: { message: string; raw: string } | null;
  /** How long no read shows the row, ms. */
  lateMs: number;
  /** The same of an order that has filled, whose trades are shown; 0 when absent. */
  rowLateMs?: number;
  /** What of its row cannot be read; everything can when absent. */
  odd?: OddRow;
  /** Fields that the broker repeats and that order management does not use. */
  extras: Record<string, unknown>;
}

/** A broker's record of one order. Prices in paise, times in epoch ms. */
export interface ManagedOrder extends OrderTicket {
  orderId: string;
  sequence: number;
  phase: Phase;
  exchangeOrderId: string | null;
  filled: number;
  /** Sum of quantity times price of its fills, paise. */
  filledValue: number;
  modifications: number;
  createdAt: number;
  /** The last action of the user or the broker; fills do not count. */
  actedAt: number;
  exchangeAt: number | null;
  exchangeUpdatedAt: number | null;
  updatedAt: number;
  /** Until when its row and fills are hidden from reads. */
  hiddenUntil: number;
  /** Until when its row is hidden once it has filled; also before that where `isRowGone`. */
  rowHiddenUntil: number;
  isRowGone: boolean;
  /** The quantity that it was placed with. */
  placedQuantity: number;
  /** How much of `filled` its row does not show: trades that came after its end. */
  filledLate: number;
}

/** A fill with the broker's names on it. */
export interface ManagedFill extends ExchangeFill {
  orderId: string;
  instrument: Instrument;
  side: Side;
  product: Product;
  placedBy: 'api' | 'hand';
  remarks: string | null;
}

/** Why a listener is called. */
export type ChangeCause = 'placed' | 'phase' | 'fill' | 'modified';

/** The live part of an order, which no snapshot contains. */
export interface LiveOrder {
  order: ManagedOrder;
  atExchange: ExchangeOrder | null;
  versions: { at: number; order: ManagedOrder }[];
}
