import type { AnyDirectedDay } from './directed-days.ts';
import { seedsOf } from './plan-directed.ts';

/** Where a planted bug is found. */
export interface Found {
  /** A run finds the bug when one of these is broken: what else is broken does not count. */
  readonly properties: readonly string[];
  /** The first seed that finds it, and more of the same kind: a change of behaviour makes each another day. */
  readonly seeds: readonly number[];
}

/** On the first three days of a kind. */
export const on = (properties: readonly string[], directed: AnyDirectedDay): Found => ({
  properties,
  seeds: seedsOf(directed, 3),
});
