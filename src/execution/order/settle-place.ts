import type { Outcome } from '../../domain/outcome.ts';
import type { OrderTimes } from '../../domain/order-times.ts';
import type { EpochMs } from '../../units/branded.ts';
import { type PlaceAttemptRecord, settledState } from './attempt.ts';

/** When the answer to a request arrived, and the time that the broker told in it. */
export interface Answered {
  readonly at: EpochMs;
  readonly toldAt: EpochMs | null;
  readonly times?: OrderTimes;
}

/**
 * The attempt with its outcome. A baseline is as long as the book, and kept while a row may be its: after an
 * acknowledgement, until a book has shown the row of the id that it named.
 */
export function settlePlace(
  attempt: PlaceAttemptRecord,
  outcome: Outcome,
  { at, toldAt, times }: Answered,
): PlaceAttemptRecord {
  const baseline = outcome.kind === 'not_sent' ? null : attempt.baseline;
  const state = settledState(outcome, at);
  const told = state.kind === 'refused' && toldAt !== null ? { toldAt } : {};
  return {
    ...{ ...attempt, baseline, state: { ...state, ...told } },
    ...(times === undefined ? {} : { times }),
  };
}
