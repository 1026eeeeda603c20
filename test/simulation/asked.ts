import type { CloseAllRequest } from '../../src/router/closings.ts';
import type { CancelAllRequest, ExitRequest } from '../../src/router/gateway.ts';
import type { PlayedHook, PostedSignal } from './signal-hooks.ts';
import type { ToldCancelAll } from './http-callers.ts';
import type { AskedOwnList } from './asked-own-lists.ts';
import { noTriggersAsked, type AskedTriggers } from './asked-triggers.ts';
import type { OrderModification, OrderRequest, OrderStatus } from '../../src/domain/order.ts';

/** An order as a caller put it. */
export interface AskedOrder {
  readonly request: OrderRequest;
  /** `NSE:INFY`, however the request spells it. */
  readonly instrument: string;
}

/** A cancel that the gateway has answered with the order. */
export interface AskedCancel {
  /** When it was answered, epoch ms. */
  readonly at: number;
  readonly wanted: string;
  /** The order's status in the answer. */
  readonly status: OrderStatus;
  /** False where the answer said that a restart forgets it. */
  readonly isOnDisk: boolean;
  /** Of one of many: the request, `caller/key`. */
  readonly ofRun?: string;
}

/** A cancel that a caller has asked for, whatever became of it. Epoch ms. */
export interface TriedCancel {
  readonly at: number;
  readonly wanted: string;
}

/** A modification that a caller has asked for, whatever became of it. */
export interface AskedChange {
  /** Epoch ms. */
  readonly at: number;
  readonly wanted: string;
  readonly changes: OrderModification;
}

/** A closing of many positions. */
export interface AskedClosing {
  readonly request: CloseAllRequest;
  /** When it was asked for first; epoch ms. */
  readonly at: number;
}

/** A cancel of many orders, as it was answered. Epoch ms. */
export interface AskedCancelAll {
  readonly wanted: string;
  readonly request: CancelAllRequest;
  readonly at: number;
  readonly answeredAt: number;
  /** Nothing was asked under its key before. */
  readonly isFirst: boolean;
  readonly answer: ToldCancelAll;
  /** Orders that rested in the broker's own app when it was answered, `broker:id`. */
  readonly restingThen: readonly string[];
  /** Triggers of the broker's own app that waited when it was asked for and when it was answered. */
  readonly waitingThen: readonly string[];
}

/** One request to place a basket. */
export interface AskedBasket {
  /** Its orders, as `caller/key`, in the order of the request. */
  readonly wanted: readonly string[];
  readonly ordered: boolean;
  /** One of its orders is wrong, or two have the same key: nothing of it is sent. */
  readonly isWrong: boolean;
}

/** One post of an alert to a hook. Epoch ms. */
export interface AskedAlert {
  readonly at: number;
  readonly answeredAt: number;
  readonly hook: PlayedHook;
  readonly alert: PostedSignal;
  /** Its orders, as `caller/key`. */
  readonly wanted: readonly string[];
  /** Another alert under the id of an earlier one. */
  readonly isOther: boolean;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Of the signal with which it was answered 202; null otherwise. */
  readonly signalId: string | null;
}

/** A brake that was set or taken off, as the answer told it. */
export interface Turned {
  /** Epoch ms: from when it holds for certain. */
  readonly at: number;
  readonly engaged: boolean;
  /** False where the answer said that a restart forgets it. */
  readonly isOnDisk: boolean;
}

/** The orders of a key were stopped, or released. */
export interface KeyStopTurned extends Turned {
  readonly caller: string;
}

/** One call of a program, whatever it asks for. */
export interface Asking {
  /** Calls are counted in the order in which they are made. */
  readonly number: number;
  readonly wanted: string;
  /** See `call`. */
  readonly under: string | null;
}

/** What callers asked for, in their own words: the checker holds it against what brokers received. */
export interface Asked {
  /** By `caller/key`: what was first asked for under a key. */
  readonly orders: Map<string, AskedOrder>;
  readonly cancels: AskedCancel[];
  readonly tried: TriedCancel[];
  readonly changes: AskedChange[];
  /** Ways out, by `caller/key`. */
  readonly exits: Map<string, ExitRequest>;
  /** Closings of many positions, by `caller/key`. */
  readonly closings: Map<string, AskedClosing>;
  readonly cancelAlls: AskedCancelAll[];
  readonly ownLists: AskedOwnList[];
  /** Requests to place a basket, by a name that each has for itself. */
  readonly baskets: Map<string, AskedBasket>;
  readonly triggers: AskedTriggers;
  readonly keyStops: KeyStopTurned[];
  /** Every post of an alert, repeats too. */
  readonly alerts: AskedAlert[];
  readonly calls: Asking[];
}

export const nothingAsked = (): Asked => ({
  orders: new Map(),
  cancels: [],
  tried: [],
  changes: [],
  exits: new Map(),
  closings: new Map(),
  cancelAlls: [],
  ownLists: [],
  baskets: new Map(),
  triggers: noTriggersAsked(),
  keyStops: [],
  alerts: [],
  calls: [],
});
