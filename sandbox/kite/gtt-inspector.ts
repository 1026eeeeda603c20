import type { Instrument } from '../exchange/instrument.ts';

export type GttStatus = 'active' | 'triggered' | 'expired' | 'deleted';

/** One order of a trigger as the request has it. Rupees. */
export interface GttOrder {
  transaction_type: string;
  product: string;
  order_type: string;
  quantity: number;
  price: number;
}

export interface GttWish {
  instrument: Instrument;
  type: 'single' | 'two-leg';
  /** Rupees; of two, the first is the lower one. */
  triggers: readonly number[];
  lastPrice: number;
  orders: readonly GttOrder[];
}

/** A trigger in the broker's own books, for a checker: no fault hides anything here. Rupees, epoch ms. */
export interface SandboxTrigger {
  id: string;
  /** `NSE:INFY`. */
  instrument: string;
  triggers: readonly number[];
  orders: readonly GttOrder[];
  status: GttStatus;
  placedBy: 'api' | 'hand';
  createdAt: number;
  /** When it last changed: of one that is over, when it ended. */
  updatedAt: number;
  hiddenUntil: number;
  /** The orders that it has placed. */
  orderIds: readonly string[];
}

/** What a checker sees of triggers, and what a person does with them in the broker's own app. */
export interface TriggerInspector {
  triggers(): SandboxTrigger[];
  trigger(id: string): SandboxTrigger | undefined;
  /** Called for each trigger when it is accepted. */
  onTrigger(listener: (trigger: SandboxTrigger) => void): void;
  /** Throws what the broker refuses. */
  placeTriggerByHand(wish: Omit<GttWish, 'instrument'> & { instrument: string }): SandboxTrigger;
  /** Nothing happens to one that is over. */
  deleteTriggerByHand(id: string): void;
  /** The same; each of its legs gets the quantity, and a price so many rupees further down. */
  changeTriggerByHand(id: string, change: { quantity: number; lowerBy: number }): void;
  /** One of its prices is reached now; nothing happens to one that is over. */
  fireTrigger(id: string, place: number): void;
  /** No list shows it for so long, ms. */
  hideTrigger(id: string, forMs: number): void;
}
