/** What happens to triggers other than by the gateway. `at` in epoch ms. */
export type TriggerAct =
  /** One of the gateway's is reached; its order is in no read for so long. */
  | { readonly kind: 'fire'; readonly at: number; readonly lateMs: number }
  /** A person places one in the broker's own app; a twin has the terms of the gateway's latest. */
  | { readonly kind: 'hand_place'; readonly at: number; readonly twin: boolean }
  /** A person deletes one of the gateway's there. */
  | { readonly kind: 'hand_delete'; readonly at: number }
  /** A person changes the gateway's latest there: fewer shares, or another price. */
  | { readonly kind: 'hand_change'; readonly at: number }
  /** A person says what is true of each trigger whose outcome is open. */
  | { readonly kind: 'settle'; readonly at: number }
  /** The list leaves out one of the gateway's for so long. */
  | { readonly kind: 'hide'; readonly at: number; readonly forMs: number };

/** The triggers of a day (docs/triggers.md). */
export interface PlannedTriggers {
  /** How many each of two programs places. */
  readonly each: number;
  /** How often one is reached just before a request to change or delete it arrives, 0 to 1. */
  readonly races: number;
  /** How often one lies so near the market that it is reached soon, 0 to 1. */
  readonly near: number;
  /**
   * Programs place anew what was called absent, and a person takes what the broker has taken for the one that was
   * called absent, within seconds, and does not insist.
   */
  readonly misnames?: true;
  /** How many of those that wait in the end their programs delete then, 0 to 1. */
  readonly cleared: number;
  /** The list has what was deleted no more. */
  readonly forgets: boolean;
  readonly acts: readonly TriggerAct[];
}
