import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VirtualTime } from '../support/virtual-time.ts';
import { type Violation, violation } from './checks/violation.ts';
import type { Stretch } from './hours.ts';
import type { Lives } from './lives.ts';
import type { Timeline } from './timeline.ts';

interface JournalLossParts {
  readonly directory: string;
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly lives: Lives;
  readonly impaired: Stretch[];
  readonly notice: (violation: Violation) => void;
}

const LOG_FILES = ['journal.db-wal', 'journal.db-shm'];
const FILES = ['journal.db', ...LOG_FILES];
/** Somebody finds out, and puts back what was deleted. */
const FOUND_AFTER_MS = 20_000;

/**
 * The journal is deleted while the gateway is down, or its write-ahead log alone. S18: a start without it
 * is refused. Then the files are put back.
 */
export function loseJournal(parts: JournalLossParts, logOnly: boolean): void {
  const { time, timeline, lives, impaired, notice } = parts;
  const data = join(parts.directory, 'data');
  const kept = join(parts.directory, 'kept');
  const names = logOnly ? LOG_FILES : FILES;
  const move = (from: string, to: string): void => {
    for (const name of names) {
      if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
    }
  };

  // Where a process ends by itself, it leaves no log: the power fails.
  lives.restart({
    power: logOnly,
    between() {
      mkdirSync(kept, { recursive: true });
      move(data, kept);
      timeline.note('world', `deleted: ${names.join(', ')}`);
    },
  });
  impaired.push({ from: time.now(), until: time.now() + FOUND_AFTER_MS + 10_000 });
  time.after(FOUND_AFTER_MS, () => {
    if (lives.current()?.composed) {
      notice(violation('S18', `the gateway started without ${names.join(', ')}`));
    }
    lives.restart({
      between() {
        for (const name of names) rmSync(join(data, name), { force: true });
        move(kept, data);
        timeline.note('world', 'put back');
      },
    });
  });
}
