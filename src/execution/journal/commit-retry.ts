import type { Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type Decision, type SingleWriter } from '../../platform/single-writer.ts';
import type { Change } from './records.ts';
import type { ExecutionState } from './state.ts';

const RETRY_MS = 500;

/**
 * Commits the outcomes of requests, and retries: a disk that is full for a while must not lose
 * them.
 */
export interface CommitRetry {
  /**
   * Resolves with the reply, or with null when the first try did not reach the disk; then it is
   * tried again, in the background, until it does. `isLate` tells the decision that it is made again:
   * whoever waited for it has gone on without it.
   */
  commit<Reply>(decide: Decide<Reply>): Promise<Reply | null>;
  stop(): void;
}

type Decide<Reply> = (state: ExecutionState, isLate: boolean) => Decision<Change, Reply>;

export function createCommitRetry(parts: {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Called when a retry has succeeded: the order has to be watched from then on. */
  readonly onLate: () => void;
}): CommitRetry {
  const { writer, scheduler, log, onLate } = parts;
  let stopped = false;

  async function retry(decide: Decide<unknown>): Promise<void> {
    try {
      await writer.submit((state) => decide(state, true));
      onLate();
    } catch (error) {
      if (stopped || !(error instanceof CommitError)) {
        log.error('an outcome could not be written; after a restart it counts as uncertain');
        return;
      }
      scheduler.after(RETRY_MS, () => void retry(decide));
    }
  }

  return {
    async commit(decide) {
      try {
        return await writer.submit((state) => decide(state, false));
      } catch (error) {
        if (!(error instanceof CommitError)) throw error;
        log.error('an outcome could not be written; trying again', { reason: String(error.cause) });
        scheduler.after(RETRY_MS, () => void retry(decide));
        return null;
      }
    },
    stop() {
      stopped = true;
    },
  };
}
