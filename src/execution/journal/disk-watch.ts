import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { DiskSpace } from '../../platform/disk-reserve.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { decideAlert } from './decide-notes.ts';
import type { CommitRetry } from './commit-retry.ts';
import type { Change } from './records.ts';
import type { ExecutionState } from './state.ts';

const LOOK_EVERY_MS = 10_000;

const LOW =
  'the disk of the data directory is nearly full. From now on only cancels are taken, and orders that ' +
  'only reduce a position: the room left is kept for them. Free some disk space';
const AMPLE = 'the disk of the data directory has space again: all orders are taken';

export interface DiskWatch {
  /** Notes how much space there is now. */
  look(): void;
  stop(): void;
}

/** Looks at the disk every ten seconds and when asked, and raises an alert when it becomes nearly full. */
export function watchDisk(parts: {
  readonly look: () => DiskSpace;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
}): DiskWatch {
  const { writer, commitRetry, scheduler, clock } = parts;
  const { disk } = writer.state;
  let cancel: Cancel;

  function look(): void {
    const isLow = parts.look() === 'reserve';
    if (isLow === disk.isLow) return;
    disk.isLow = isLow;
    const [level, message] = isLow ? (['critical', LOW] as const) : (['warning', AMPLE] as const);
    void commitRetry.commit((state) => decideAlert(state, { level, message, at: clock.now() }));
  }

  function lookLater(): void {
    cancel = scheduler.after(LOOK_EVERY_MS, () => {
      look();
      lookLater();
    });
  }

  look();
  lookLater();
  return { look, stop: () => cancel() };
}
