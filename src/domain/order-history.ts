import type { OrderModification, OrderStatus } from './order.ts';
import type { EpochMs } from '../units/branded.ts';

/** What became of an order, and who has asked for what. */
export interface OrderHistory {
  /** Every state that the broker tells of it, oldest first; null where that is not known. */
  readonly states: readonly OrderStateSeen[] | null;
  /** Why there are no states; null where there are. */
  readonly statesReason: string | null;
  /** The requests that the gateway has sent for it, or was about to, oldest first. */
  readonly requests: readonly OrderRequestMade[];
}

/** The order as the broker had it for a while. */
export interface OrderStateSeen {
  readonly status: OrderStatus;
  /** As the broker wrote it. */
  readonly brokerStatus: string;
  /** Epoch ms; null where the broker does not tell it. */
  readonly at: EpochMs | null;
  readonly exchangeOrderId: string | null;
  readonly quantity: number;
  readonly filledQuantity: number | null;
  /** Rupees; likewise the other prices. */
  readonly averagePrice: number | null;
  readonly orderType: string;
  readonly validity: string;
  readonly price: number | null;
  readonly triggerPrice: number | null;
  readonly reason: string | null;
}

/** One request to a broker. */
export interface OrderRequestMade {
  readonly id: string;
  /** The order that it is about: of an order in slices, one of them. */
  readonly orderId: string;
  readonly kind: 'place' | 'cancel' | 'modify';
  /** Who asked for it: a key, or an exit; null for the gateway itself. */
  readonly by: string | null;
  /** Epoch ms. */
  readonly sentAt: EpochMs;
  readonly outcome: RequestOutcome;
  /** When its outcome was known; null while it is not. */
  readonly settledAt: EpochMs | null;
  readonly reason: string | null;
  /** Of a modification: what was to change. */
  readonly changes: OrderModification | null;
}

/** `sending`: not answered yet. `absent`: was uncertain, and is called not placed. */
export const REQUEST_OUTCOMES = [
  'sending',
  'acknowledged',
  'refused',
  'not_sent',
  'uncertain',
  'absent',
] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];
