import type { Clock } from '../../platform/clock.ts';
import { CommitError, type SingleWriter } from '../../platform/single-writer.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Change, KillSwitchRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import {
  decideKillSwitch,
  type KillSwitchCommand,
  killSwitchOf,
  unwrittenSwitch,
} from './brakes.ts';

/** The kill switch, and whether a restart would find it as it is. */
export interface KillSwitch extends KillSwitchRecord {
  readonly onDisk: boolean;
}

export interface KillSwitchControl {
  /** Null when it was never engaged. */
  read(): KillSwitch | null;
  /**
   * Engaging holds at once, also where it cannot be written, for example on a full disk: it is then
   * written as soon as it can be. A release that cannot be written is none.
   */
  set(command: KillSwitchCommand): Promise<KillSwitch>;
}

export function createKillSwitch(parts: {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
}): KillSwitchControl {
  const { writer, commitRetry, clock } = parts;
  const { state } = writer;
  const { switchNotOnDisk } = state;

  function withDisk(record: KillSwitchRecord): KillSwitch {
    const written = [...state.killSwitch.values()][0]?.engaged ?? false;
    return { ...record, onDisk: written === record.engaged };
  }

  return {
    read() {
      const record = killSwitchOf(state);
      return record && withDisk(record);
    },
    async set(command) {
      const at = clock.now();
      try {
        const record = await writer.submit((current) =>
          decideKillSwitch(current, { ...command, at }),
        );
        switchNotOnDisk.record = null;
        return withDisk(record);
      } catch (error) {
        if (!(error instanceof CommitError) || !command.engaged) throw error;
        // It was engaged before: who did that is written once it can be.
        const before = unwrittenSwitch(state);
        if (before !== null) return withDisk(before);
        const record = { ...command, changedAt: at };
        switchNotOnDisk.record = record;
        switchNotOnDisk.since = [...state.killSwitch.values()][0]?.changedAt ?? null;
        void commitRetry.commit((current) =>
          // Written meanwhile, with a release or by somebody else's request.
          switchNotOnDisk.record === record && unwrittenSwitch(current) !== null
            ? decideKillSwitch(current, { ...command, at })
            : { changes: [], reply: null },
        );
        return withDisk(record);
      }
    },
  };
}
