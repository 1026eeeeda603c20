import type { Clock } from '../../platform/clock.ts';
import { earlier, type ElapsedMs, LONG_AGO, NEVER } from '../../units/branded.ts';
import { afterRead, notBefore, type ReadNeeds, toldDue } from './read-schedule.ts';

/** What asks for a read of a book before its time: callers, and what the broker tells. */
export interface ReadHints {
  /** A read is wanted that begins then or later. */
  want(from: ElapsedMs): void;
  /** The broker has told that something happened. */
  tell(): void;
  /** A read has begun. */
  begun(at: ElapsedMs): void;
  /** What no read has been begun for. */
  open(): Pick<ReadNeeds, 'wantedFrom' | 'told'>;
  /** Whether a read that nobody waits for may begin now. */
  mayBegin(reads: Pick<ReadNeeds, 'failures' | 'lastBegun'>): boolean;
}

export function createReadHints(clock: Pick<Clock, 'elapsed'>): ReadHints {
  let wantedFrom: ElapsedMs | null = null;
  let told: ReadNeeds['told'] = { from: null, countsUntil: LONG_AGO };

  function want(from: ElapsedMs): void {
    wantedFrom = earlier(wantedFrom ?? NEVER, from);
  }

  return {
    want,
    tell() {
      told = { ...told, from: told.from ?? clock.elapsed() };
      want(clock.elapsed());
    },
    begun(at) {
      if (wantedFrom !== null && wantedFrom <= at) wantedFrom = null;
      told = afterRead(told, at);
    },
    open: () => ({ wantedFrom, told }),
    mayBegin({ failures, lastBegun }) {
      const due = toldDue({ told, failures, lastBegun }) ?? NEVER;
      return clock.elapsed() >= earlier(due, notBefore(lastBegun, failures));
    },
  };
}
