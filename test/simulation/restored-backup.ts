import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { VirtualTime } from '../support/virtual-time.ts';
import type { Lives } from './lives.ts';
import type { Mishap } from './mishaps.ts';
import type { Timeline } from './timeline.ts';

interface RestoreParts {
  readonly directory: string;
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly lives: Lives;
}

/** A data directory that is put back as it was; somebody does that while the gateway is down. */
export interface Backup {
  /** Starts the gateway again on the copy; everything written since is gone. */
  restore(): void;
  /** When the gateway was started again on the copy, epoch ms; null before that. */
  restoredAt(): number | null;
}

/** Copies the whole data directory while the gateway runs, at the times that mishaps of the day ask for. */
export function createBackup(
  { directory, time, timeline, lives }: RestoreParts,
  mishaps: readonly Mishap[],
): Backup {
  const data = join(directory, 'data');
  const kept = join(directory, 'backup');
  let at: number | null = null;
  const isLock = (path: string): boolean => basename(path) === 'gateway.lock';
  function make(): void {
    cpSync(data, kept, { recursive: true, filter: (path) => !isLock(path) });
    timeline.note('world', 'the data directory is copied');
  }

  for (const mishap of mishaps) {
    if (mishap.kind === 'restored') time.after(mishap.at - mishap.ofMs - time.now(), make);
  }
  return {
    restore() {
      lives.restart({
        between() {
          rmSync(data, { recursive: true });
          cpSync(kept, data, { recursive: true });
          at = time.now();
          timeline.note('world', 'the data directory is the copy');
        },
      });
    },
    restoredAt: () => at,
  };
}
