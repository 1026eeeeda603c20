import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createSingleWriter, type SingleWriter } from '../../platform/single-writer.ts';
import type { TradingDay } from '../../units/branded.ts';
import { KeyBooks } from '../books/key-books.ts';
import { decideRecovery } from '../reconcile/recovery.ts';
import { decideTriggerRecovery } from '../triggers/decide-trigger.ts';
import { decideQuarantine } from './decide-notes.ts';
import { announcing, type Journal } from './journal.ts';
import type { Change } from './records.ts';
import type { Stalls } from './stalls.ts';
import { applyChange, createState, type ExecutionState, type OnImpossible } from './state.ts';

export interface OpenJournalParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly onImpossible: OnImpossible;
}

/** The journal in memory, with what the last process left open made `uncertain` or `not_sent`. */
export async function openJournal(
  { journal, scheduler, log, clock, onImpossible }: OpenJournalParts,
  loadedSince: TradingDay,
  stalls: Stalls,
): Promise<SingleWriter<ExecutionState, Change>> {
  const { changes, quarantine, totals } = await journal.load(loadedSince);
  if (totals.notWritten !== null) {
    log.warn(
      'the totals of earlier days of the keys could not be written: they are computed again',
      {
        reason: totals.notWritten,
      },
    );
  }
  const state = createState(onImpossible, quarantine, new KeyBooks(totals));
  for (const change of changes) applyChange(state, change);
  const store = stalls.watch(announcing(journal, log));
  const writer = createSingleWriter({ state, store, scheduler, apply: applyChange });
  const at = clock.now();
  await writer.submit((current) => decideRecovery(current, { at }));
  await writer.submit((current) => decideTriggerRecovery(current, { at }));
  if (quarantine.rows.length > 0) {
    await writer.submit((current) => decideQuarantine(current, { at }));
  }
  return writer;
}
