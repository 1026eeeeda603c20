import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import { BrokerError } from '../../domain/outcome.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { CommitError } from '../../platform/single-writer.ts';
import type { TriggerId } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { isOwnedRow } from '../reconcile/matching.ts';
import { couldBePlacedBy, mayHaveUnnamedOrder, triggersOfRows } from './rows-of-triggers.ts';
import type { TriggerRecord } from './trigger.ts';
import type { TriggerWatches } from './trigger-watch.ts';

/** A row of a book that nobody is known to have placed, and a trigger that may have placed it. */
export interface UnexplainedRow {
  readonly trigger: TriggerRecord;
  readonly row: BrokerOrder;
}

/** A read of a broker's book. */
export type BookOfTriggers = Pick<BookRead, 'rows' | 'begunAt' | 'account'> & {
  readonly broker: BrokerId;
};

/**
 * Orders of a book that triggers may have placed without that being known: a trigger is uncertain, or it has
 * triggered and the list has not said so yet (docs/triggers.md, "The order that it places").
 */
export interface UnexplainedRows {
  /** As far as is known now; `isOf` chooses triggers. */
  find(book: BookOfTriggers, isOf?: (trigger: TriggerRecord) => boolean): readonly UnexplainedRow[];
  /**
   * Reads the list of triggers where that may tell more, and says what stays open. Never rejects: a list that cannot
   * be read, or that takes longer than three seconds, leaves open what was open.
   */
  explain(
    book: BookOfTriggers,
    isOf?: (trigger: TriggerRecord) => boolean,
  ): Promise<readonly UnexplainedRow[]>;
}

/** A list, and the turn that its read waits for, may take longer; the answer then says what is not known. */
const LIST_MS = 3_000;

export function createUnexplainedRows({
  state,
  watches,
  clock,
  scheduler,
}: {
  readonly state: ExecutionState;
  readonly watches: TriggerWatches;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}): UnexplainedRows {
  function find(
    { broker, rows, begunAt, account }: BookOfTriggers,
    isOf: (trigger: TriggerRecord) => boolean = () => true,
  ): readonly UnexplainedRow[] {
    const watch = watches.get(broker);
    const day = tradingDay(begunAt);
    const triggers = [...state.triggers.values()].filter(
      (trigger) =>
        trigger.broker === broker &&
        isOf(trigger) &&
        mayHaveUnnamedOrder(trigger, day) &&
        !isOfOtherAccount(trigger, account),
    );
    if (!watch || triggers.length === 0) return [];
    const ownerOf = triggersOfRows(state, broker, day);
    const mayBe = (trigger: TriggerRecord, row: BrokerOrder): boolean =>
      couldBePlacedBy(trigger, row) &&
      // A list that was read since has shown the trigger waiting: somebody else has placed the order.
      (!isSeenWaiting(trigger) || watch.isUnlisted(row.brokerOrderId));
    return rows.flatMap((row) => {
      const suspects = triggers.filter((trigger) => mayBe(trigger, row));
      if (suspects.length === 0 || isOwnedRow(state, broker, day, row)) return [];
      return ownerOf(row) === null ? suspects.map((trigger) => ({ trigger, row })) : [];
    });
  }

  return {
    find,
    async explain(book, isOf) {
      const before = find(book, isOf);
      const watch = watches.get(book.broker);
      if (before.length === 0 || !watch) return before;
      const over = new AbortController();
      try {
        const late = sleep(scheduler, LIST_MS, over.signal);
        await Promise.race([watch.read(clock.elapsed()), late]);
      } catch (error) {
        if (!(error instanceof BrokerError || error instanceof CommitError)) throw error;
        return before;
      } finally {
        over.abort();
      }
      return find(book, isOf);
    },
  };
}

/** The triggers of these rows, each once. */
export const triggersIn = (rows: readonly UnexplainedRow[]): readonly TriggerId[] => [
  ...new Set(rows.map(({ trigger }) => trigger.id)),
];

const isSeenWaiting = ({ state }: TriggerRecord): boolean =>
  state.kind === 'waiting' && state.row !== null && state.missingSince === null;
