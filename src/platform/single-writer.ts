import { must } from './values.ts';
import type { Scheduler } from './clock.ts';

/** Makes changes durable. */
export interface ChangeStore<Change> {
  /**
   * Writes units in order, each all or nothing. Resolves once the first `committed` units are
   * durable; `error` says why the next one is not, and no later one was tried. Never rejects.
   */
  commit(
    units: readonly (readonly Change[])[],
  ): Promise<{ readonly committed: number; readonly error: unknown }>;
}

/** The result of a pure decision: the changes to make, and the reply to the caller. */
export interface Decision<Change, Reply> {
  readonly changes: readonly Change[];
  readonly reply: Reply;
}

/** The changes of a decision could not be made durable; none of them has been applied. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}

/**
 * The only way to change a piece of state: decide, commit, apply.
 *
 * Decisions requested in one turn of the event loop are made in order, each on the result of those
 * before it, and become durable together, so that one fsync serves many callers. A decision that
 * throws changes nothing, and only its own caller gets the error.
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
  /** Applies a change to the state in place, and returns the changes that undo it, in order. */
  readonly apply: (state: State, change: Change) => readonly Change[];
}

interface Waiting<State, Change> {
  /** `answer` gives the caller the reply. */
  readonly decide: (state: State) => {
    readonly changes: readonly Change[];
    readonly answer: () => void;
  };
  readonly reject: (error: unknown) => void;
}

interface Decided<State, Change> extends Waiting<State, Change> {
  readonly changes: readonly Change[];
  readonly answer: () => void;
  /** The changes that undo each change, in order. The last change is undone first. */
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
      for (const unit of decided) unit.answer();
      return;
    }
    // The decisions after the failed one saw a state that does not exist: they are made again.
    const refused = must(units[committed], 'the store says how many of the given units it wrote');
    const failed = decided.indexOf(refused);
    for (const unit of decided.slice(failed).reverse()) {
      for (const changes of [...unit.undo].reverse()) changes.forEach(apply);
    }
    for (const unit of decided.slice(0, failed)) unit.answer();
    refused.reject(new CommitError('the journal did not take the change', { cause: error }));
    waiting = [...decided.slice(failed + 1), ...waiting];
  }

  /** Makes decisions in order, each on the state that the earlier ones lead to. */
  function decideAll(batch: readonly Waiting<State, Change>[]): Decided<State, Change>[] {
    const decided: Decided<State, Change>[] = [];
    for (const unit of batch) {
      try {
        const { changes, answer } = unit.decide(state);
        decided.push({ ...unit, changes, answer, undo: changes.map(apply) });
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
        waiting.push({
          decide(current) {
            const { changes, reply } = decide(current);
            return { changes, answer: () => resolve(reply) };
          },
          reject,
        });
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
