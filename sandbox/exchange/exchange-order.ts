import type { Instrument, Side } from './instrument.ts';

/** Fires when the last price reaches `price`, paise: from below (`rises`) or from above. */
export interface Trigger {
  price: number;
  rises: boolean;
}

export interface ExchangeTicket {
  instrument: Instrument;
  side: Side;
  quantity: number;
  /** The worst price it may fill at, paise. */
  limit: number;
  trigger: Trigger | null;
  validity: 'DAY' | 'IOC';
}

/** A fill as the exchange reports it. */
export interface ExchangeFill {
  /** Unique within a day and a segment of the exchange. */
  fillId: number;
  exchangeOrderId: string;
  quantity: number;
  /** Paise. */
  price: number;
  /** Epoch ms. */
  at: number;
}

export type ExchangeEvent =
  | { kind: 'triggered' }
  | { kind: 'fill'; fill: ExchangeFill }
  | { kind: 'cancelled' }
  | { kind: 'expired' };

export interface ExchangeOrder {
  id: string;
  ticket: ExchangeTicket;
  filled: number;
  /** Waiting for its trigger. */
  dormant: boolean;
  /** It has rested in the book: later fills are at its own price. */
  rested: boolean;
  done: boolean;
  /** When it lapses if it is still working, epoch ms. */
  expiresAt: number;
  tell(event: ExchangeEvent): void;
}

export const remaining = (order: ExchangeOrder): number => order.ticket.quantity - order.filled;
