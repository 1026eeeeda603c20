import type { ClosingRecord } from '../../src/execution/closings/closing.ts';

/** When a way out was seen to begin and to be over, by the time of the world; epoch ms. */
export interface Seen {
  readonly begunAt: number;
  /** The last look at which it was not over yet. */
  runningAt: number;
  /** The first look at which it was; null while it is not. */
  overAt: number | null;
}

export interface SeenExit extends Seen {
  /** When each leg was first seen in the journal, by its number. */
  readonly legs: Map<number, SeenLeg>;
}

export interface SeenLeg {
  readonly at: number;
  /** The last look at which a gateway that was up did not have it yet. */
  readonly after: number;
}

export interface SeenClosing extends Seen {
  /** As it was last seen. */
  record: ClosingRecord;
}
