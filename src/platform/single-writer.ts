import { must } from './must.ts';
import type { Scheduler } from './scheduler.ts';

/** Where changes become durable. */
export interface ChangeStore<Change> {
  /**
   * Writes units in order, each all or nothing. Resolves once the first `committed` units are
   * durable; `error` says why the next one is not, and nothing after it was tried. Never rejects.
   */
  commit(
    units: readonly (readonly Change[])[],
  ): Promise<{ readonly committed: number; readonly error: unknown }>;
}

/** What a pure decision gives: the changes to make, and what to tell the one who asked. */
export interface Decision<Change, Reply> {
  readonly changes: readonly Change[];
  readonly reply: Reply;
}

/** The changes of a decision could not be made durable; nothing of it has been applied. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}

/**
 * The one way in which a piece of state changes: decide, commit, apply.
 *
 * Decisions asked for in one turn of the event loop are taken in order, each seeing those before
 * it, and made durable together, so that one fsync serves many callers. A decision that throws
 * changes nothing and rejects its own caller only.
 */
export interface SingleWriter<State, Change> {
  readonly state: State;
  /** Resolves with the reply once the changes are durable and applied. */
  submit<Reply>(decide: (state: State) => Decision<Change, Reply>): Promise<Reply>;
  /**
   * From now on, calls `listener` with each change that is applied or taken back, and with the changes
   * that would take that back: with every row as it is, and as it was.
   */
  onChange(listener: (change: Change) => void): void;
  /** Resolves when nothing is waiting to be written. */
  idle(): Promise<void>;
}

export interface WriterParts<State, Change> {
  readonly state: State;
  readonly store: ChangeStore<Change>;
  readonly scheduler: Scheduler;
  /** Applies a change to the state in place, and returns the changes that take it back, in order. */
  readonly apply: (state: State, change: Change) => readonly Change[];
}

interface Waiting<State, Change> {
  readonly decide: (state: State) => Decision<Change, unknown>;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Decided<State, Change> extends Waiting<State, Change> {
  readonly changes: readonly Change[];
  readonly reply: unknown;
  /** What takes each of the changes back. They are taken back last first. */
  readonly undo: readonly (readonly Change[])[];
}

export function createSingleWriter<State, Change>(
  parts: WriterParts<State, Change>,
): SingleWriter<State, Change> {
  const { state, store, scheduler } = parts;
  const listeners: ((change: Change) => void)[] = [];
  let waiting: Waiting<State, Change>[] = [];
  let running = false;
  const idlers: (() => void)[] = [];

  function apply(change: Change): readonly Change[] {
    const undo = parts.apply(state, change);
    for (const listener of listeners) {
      listener(change);
      for (const before of undo) listener(before);
    }
    return undo;
  }

  function start(): void {
    if (running) return;
    running = true;
    scheduler.endOfTurn(() => void drain());
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await settle(batch);
    }
    running = false;
    for (const wake of idlers.splice(0)) wake();
  }

  async function settle(batch: readonly Waiting<State, Change>[]): Promise<void> {
    const decided = decideAll(batch);
    const units = decided.filter((unit) => unit.changes.length > 0);
    const { committed, error } =
      units.length === 0
        ? { committed: 0, error: null }
        : await store.commit(units.map((unit) => unit.changes));
    if (committed === units.length) {
      for (const unit of decided) unit.resolve(unit.reply);
      return;
    }
    // What follows the failed unit was decided on a state that did not come to be.
    const refused = must(units[committed], 'the store says how many units it took of those given');
    const failed = decided.indexOf(refused);
    for (const unit of decided.slice(failed).reverse()) {
      for (const changes of [...unit.undo].reverse()) changes.forEach(apply);
    }
    for (const unit of decided.slice(0, failed)) unit.resolve(unit.reply);
    refused.reject(new CommitError('the journal did not take the change', { cause: error }));
    waiting = [...decided.slice(failed + 1), ...waiting];
  }

  /** Decides in order, each on the state that the ones before it will have made. */
  function decideAll(batch: readonly Waiting<State, Change>[]): Decided<State, Change>[] {
    const decided: Decided<State, Change>[] = [];
    for (const unit of batch) {
      try {
        const { changes, reply } = unit.decide(state);
        decided.push({ ...unit, changes, reply, undo: changes.map(apply) });
      } catch (error) {
        unit.reject(error);
      }
    }
    return decided;
  }

  return {
    state,
    submit<Reply>(decide: (state: State) => Decision<Change, Reply>): Promise<Reply> {
      return new Promise<Reply>((resolve, reject) => {
        waiting.push({ decide, resolve: resolve as (reply: unknown) => void, reject });
        start();
      });
    },
    onChange: (listener) => void listeners.push(listener),
    idle() {
      if (!running && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => idlers.push(resolve));
    },
  };
}
