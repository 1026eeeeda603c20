/** Alerts of other programs that come in at hooks (docs/signals.md). */
export interface PlannedSignals {
  /** How many alerts there are in each stretch in which callers place orders. */
  readonly each: number;
  /** How often an alert comes again although it was answered, 0 to 1. */
  readonly repeats: number;
  /** Alerts that are older than this when they come are refused, seconds; null for any age. */
  readonly maxAgeSeconds: number | null;
}
