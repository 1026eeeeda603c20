import type { BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import type { OwnTriggerStatus, TriggerLegChange } from '../../src/domain/trigger.ts';
import type { ProblemCode } from '../../src/domain/problem.ts';
import type { TriggerPlacing } from '../../src/router/triggers.ts';

/** What a program is told of a trigger. Times are epoch ms. */
export type TriggerStatement =
  | {
      readonly kind: 'trigger';
      readonly at: number;
      readonly wanted: string;
      readonly id: string;
      readonly status: OwnTriggerStatus;
      /** The broker's id. */
      readonly triggerId: string | null;
    }
  /** A placing that made none, as far as the answer says. */
  | {
      readonly kind: 'problem';
      readonly at: number;
      /** The number of the call that it answers. */
      readonly call: number;
      readonly wanted: string;
      readonly code: ProblemCode;
      readonly mayHaveExecuted: boolean;
    };

/** A change that a program has asked for, whatever became of it. */
export interface AskedTriggerChange {
  readonly at: number;
  readonly wanted: string;
  readonly legs: readonly TriggerLegChange[];
}

/** What an answer says of a change: that it is made, that it is not known yet or wanted, or that it is not. */
export type ChangeWord = 'done' | 'open' | 'not_done';

/** A deletion that was answered with the trigger. */
export interface AskedTriggerDelete {
  readonly at: number;
  readonly wanted: string;
  readonly id: string;
  readonly says: ChangeWord | null;
  /** The answer says that the disk did not take it: a process that ends meanwhile has forgotten it. */
  readonly isUnwritten: boolean;
  /** Of one of many: the request, `caller/key`. */
  readonly ofRun?: string;
}

/**
 * What a program is told of a trigger of the primary brokerage, which is a stop order there, with what that order truly
 * is at the same moment.
 */
export interface ToldStop {
  readonly at: number;
  readonly wanted: string;
  readonly status: OwnTriggerStatus;
  /** The broker's id. */
  readonly triggerId: string | null;
  /** Of a deletion; null of anything else. */
  readonly deleted: ChangeWord | null;
  /** The broker's own order of that id; null where it has none. */
  readonly truth: Pick<BrokerOrder, 'phase' | 'final' | 'updatedAt' | 'filledQuantity'> | null;
}

/** A list of the primary brokerage's triggers. Epoch ms. */
export interface ToldStops {
  readonly askedAt: number;
  readonly at: number;
  /** Ours, by the broker's id; null of what the list has as placed elsewhere. */
  readonly listed: ReadonlyMap<string, string | null>;
  /** The broker's ids of the orders that wait, at the moment of the answer. */
  readonly waiting: readonly string[];
}

/** What callers asked for about triggers of the alternative broker, and what they were told of those of the primary one. */
export interface AskedTriggers {
  /** By `caller/key`. */
  readonly placed: Map<string, TriggerPlacing>;
  readonly told: TriggerStatement[];
  readonly changes: AskedTriggerChange[];
  readonly deletes: AskedTriggerDelete[];
  /** Our ids of those on which a person has given a word. */
  readonly worded: Set<string>;
  readonly stops: ToldStop[];
  readonly stopLists: ToldStops[];
}

export const noTriggersAsked = (): AskedTriggers => ({
  ...{ placed: new Map(), told: [], changes: [], deletes: [], worded: new Set() },
  ...{ stops: [], stopLists: [] },
});
