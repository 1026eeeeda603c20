import type { ExecutionState } from '../../../src/execution/state.ts';
import type { Statement } from '../statements.ts';
import type { World } from '../world.ts';

export interface Violation {
  /** S1 … S11, L1 … L3: see docs/simulation.md. */
  readonly property: string;
  readonly text: string;
}

/** All that the checker looks at when a day is over. */
export interface Day {
  readonly world: World;
  /** The journal as the last life has it in memory. */
  readonly state: ExecutionState;
  readonly statements: readonly Statement[];
  /** What was noticed while it happened. */
  readonly noticed: readonly Violation[];
  /** Ids of orders that a person called absent. */
  readonly worded: ReadonlySet<string>;
  readonly killSwitch: readonly { readonly at: number; readonly thrown: boolean }[];
}

export const violation = (property: string, text: string): Violation => ({ property, text });
