import type { KeyLimits } from '../../src/callers/caller.ts';
import type { BrokerId, Mode } from '../../src/domain/broker.ts';

/** What is different about the keys of a day (docs/keys.md). */
export interface PlannedKeys {
  /** How often an admin compares what all keys hold with the accounts, ms; at random from half of it on. */
  readonly compareMs: number;
  /** A key that may use one broker or one mode alone; null where none is confined. */
  readonly confined: {
    readonly caller: string;
    readonly broker: BrokerId | null;
    readonly mode: Mode | null;
  } | null;
  /** A key with limits of its own; null where none has any. */
  readonly limited: { readonly caller: string; readonly limits: KeyLimits } | null;
  readonly stops: readonly PlannedStop[];
}

/** The orders of one key are stopped for a while. */
export interface PlannedStop {
  /** Epoch ms. */
  readonly at: number;
  readonly forMs: number;
  readonly caller: string;
  /** The key stops itself; otherwise an admin stops it. An admin releases it in any case. */
  readonly byItself: boolean;
}
