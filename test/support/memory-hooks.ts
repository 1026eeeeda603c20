import { type KeyRecord, NO_KEY_LIMITS, NO_MARKS } from '../../src/callers/caller.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createHooks, type HookChange, type Hooks } from '../../src/signals/hooks.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

/** A key as the records have it: of scope trade, confined to nothing. */
export function keyRecord(clock: Clock, changes: Partial<KeyRecord> = {}): KeyRecord {
  return {
    ...{ id: 'key_trade', name: 'trade', scope: 'trade', broker: null, mode: null },
    ...{ limits: NO_KEY_LIMITS, marks: NO_MARKS, stopped: null },
    ...{ createdAt: clock.now(), createdBy: null },
    ...{ rotatedAt: null, rotatedBy: null, revokedAt: null, revokedBy: null },
    ...changes,
  };
}

/** Hooks without a disk, for keys of paper, of live and of neither. */
export function memoryHooks(
  clock: Clock,
  files = memoryFiles(),
  tell: (change: HookChange) => Promise<unknown> = () => Promise.resolve(),
): Hooks {
  let made = 0;
  const keys = [
    keyRecord(clock),
    keyRecord(clock, { id: 'key_live', name: 'live', mode: 'live' }),
    keyRecord(clock, { id: 'key_alt', name: 'alt', broker: 'alt' }),
    keyRecord(clock, { id: 'key_read', name: 'read', scope: 'read' }),
    keyRecord(clock, { id: 'admin', name: 'admin', scope: 'admin' }),
    keyRecord(clock, { id: 'key_old', name: 'old', revokedAt: clock.now() }),
  ];
  return createHooks({
    ...{ files, clock, path: 'data/hooks.json', keys: () => keys, tell, log: silentLog },
    ids: createIds((count) => new Uint8Array(count).fill((made += 1))),
    brokers: [
      { name: 'alt', mode: 'live' },
      { name: 'primary', mode: 'live' },
      { name: 'paper', mode: 'paper' },
    ],
  });
}
