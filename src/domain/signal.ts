import type { EpochMs, OrderId } from '../units/branded.ts';
import type { Mode } from './broker.ts';
import type { OrderRequest, OrderStatus } from './order.ts';

/** Why a signal, or one of its orders, was refused, in the words of a problem (docs/problems.md). */
export interface SignalProblem {
  readonly code: string;
  readonly detail: string;
  /** That the order may have been placed in spite of it; absent where it was not. */
  readonly mayHaveExecuted?: true;
}

/** One order that a signal asks for. */
export interface SignalOrder {
  /** Under which it is placed: it follows from the hook and the alert, so that a repeat has the same. */
  readonly idempotencyKey: string;
  readonly request: OrderRequest;
  /** Null while it is not known to be placed. */
  readonly orderId: OrderId | null;
  /** Why it was not placed, or may not have been; null while that is not known. */
  readonly problem: SignalProblem | null;
}

/** An alert of another program that came in at a hook (docs/signals.md). */
export interface Signal {
  /** `sig_…` */
  readonly id: string;
  readonly hookId: string;
  /** The name of the hook at that time. */
  readonly hookName: string;
  /** The key whose orders they are. */
  readonly caller: string;
  /** Whether they may be of real money. */
  readonly mode: Mode;
  /** The alert's own id, as the template has it; null where none could be made. */
  readonly alertId: string | null;
  /** When the alert was raised, by its own word; null where the template does not ask. */
  readonly alertAt: EpochMs | null;
  readonly receivedAt: EpochMs;
  /** Empty where the signal was refused as a whole. */
  readonly orders: readonly SignalOrder[];
  /** Why it was refused as a whole, before anything was placed. */
  readonly problem: SignalProblem | null;
}

export const SIGNAL_STATES = ['accepted', 'placed', 'refused'] as const;
/** `placed`: each of its orders was; `refused`: one of them was not, or none. */
export type SignalState = (typeof SIGNAL_STATES)[number];

export function signalState({ problem, orders }: Signal): SignalState {
  if (problem !== null) return 'refused';
  if (orders.some(isOpenOrder)) return 'accepted';
  return orders.some((each) => each.problem !== null) ? 'refused' : 'placed';
}

/** Which signals are asked for, newest first; null for all. */
export interface SignalQuery {
  /** The key that the signals belong to. */
  readonly caller: string | null;
  readonly state: SignalState | null;
  /** Those with an id below this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** An order that a key has made for a signal, as it now stands. */
export interface OrderOfSignal {
  readonly id: OrderId;
  readonly status: OrderStatus;
  readonly reason: string | null;
}

/** Orders that a broker has not, or that never left. */
const CLOSED: Partial<Record<OrderStatus, string>> = {
  rejected: 'order_refused',
  not_sent: 'order_not_sent',
};

/** An order of a signal with the order that was made for it: where that is not at a broker, with the reason. */
export function withOrder(
  order: SignalOrder,
  { id, status, reason }: Readonly<OrderOfSignal>,
): SignalOrder {
  const code = CLOSED[status];
  const detail = reason ?? 'the order was not placed';
  return { ...order, orderId: id, problem: code === undefined ? null : { code, detail } };
}

/** Whether it is not known yet what has become of an order of a signal. */
export const isOpenOrder = ({ orderId, problem }: SignalOrder): boolean =>
  orderId === null && problem === null;

/** The signals of the journal, for who takes them in. */
export interface SignalJournal {
  /**
   * Writes a signal with its event, and an alert where there is one to give. Resolves once it is on disk.
   * Rejects where that fails; nothing has changed then.
   */
  write(signal: Signal, told: SignalTold): Promise<void>;
  /** The signal that was accepted of an alert, however long ago. */
  ofAlert(hookId: string, alertId: string): Promise<Signal | null>;
  newest(query: SignalQuery): Promise<readonly Signal[]>;
  /** Accepted signals of which an order is neither placed nor refused. */
  open(): Promise<OpenSignals>;
  /** The order that a key has made under an idempotency key. */
  orderUnder(caller: string, idempotencyKey: string): Promise<OrderOfSignal | null>;
  /** Whether the disk is so full that only ways out are written. */
  isDiskLow(): boolean;
  /** Tells people at once of something that they have to look at. Resolves once it is on disk. */
  alert(message: string): Promise<unknown>;
}

export interface OpenSignals {
  /** Oldest first. */
  readonly signals: readonly Signal[];
  /** Those whose rows do not fit, so that what they ask for is not known. */
  readonly unread: readonly UnreadSignal[];
}

/** A signal whose row does not fit, and what is wrong with it, without its values. */
export interface UnreadSignal {
  readonly id: string;
  readonly reason: string;
}

export interface SignalTold {
  readonly event: 'signal.accepted' | 'signal.refused' | null;
  /** A text for people. */
  readonly alert: string | null;
}
