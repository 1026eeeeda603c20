import type { Decision } from '../../platform/single-writer.ts';
import { apply, type Change } from './changes.ts';
import type { LedgerState } from './state.ts';

/** One decision of several steps: each step sees the changes of the steps before it. */
export interface UnitOfWork {
  readonly state: LedgerState;
  put(change: Change): void;
  mark(): number;
  /** Undoes the changes since the mark. */
  rollback(mark: number): void;
}

/**
 * Runs a decision of several steps on the live state, and then restores the state: from outside, it
 * is a pure function from state to changes.
 */
export function unitOfWork<Reply>(
  state: LedgerState,
  decide: (unit: UnitOfWork) => Reply,
): Decision<Change, Reply> {
  const changes: Change[] = [];
  const undo: (readonly Change[])[] = [];

  function rollback(mark: number): void {
    for (const changes of undo.splice(mark).reverse()) {
      for (const change of changes) apply(state, change);
    }
  }

  try {
    const reply = decide({
      state,
      put(change) {
        undo.push(apply(state, change));
        changes.push(change);
      },
      mark: () => changes.length,
      rollback(mark) {
        rollback(mark);
        changes.length = mark;
      },
    });
    return { changes, reply };
  } finally {
    rollback(0);
  }
}
