import { z } from 'zod';
import { istIso } from '../kernel/ist.ts';

/** What the demo can be asked for, by the names that the command line and the page use. */
export const RUN_NAMES = ['buy', 'hang_after', 'kill'] as const;
export type RunName = (typeof RUN_NAMES)[number];

const timelineLine = z.object({
  /** IST, ISO 8601 with milliseconds. */
  at: z.string(),
  /** Whose line it is: of the naive script, of the caller of the gateway, or of the demo itself. */
  side: z.enum(['script', 'gateway', 'demo']),
  /** A request, its answer, what Kite's order book has, or what the demo did. */
  kind: z.enum(['sends', 'is told', 'order book', 'note']),
  text: z.string(),
});
export type TimelineLine = Readonly<z.output<typeof timelineLine>>;
export type Side = TimelineLine['side'];
export type LineKind = TimelineLine['kind'];

const orderCount = z.int().nullable();
/** Orders at the broker, by who sent them. Null where that side had no part in the run. */
const counts = z.object({ script: orderCount, gateway: orderCount });
export type Counts = Readonly<z.output<typeof counts>>;

export interface Outcome {
  /** Whether what the demo says of the gateway was true in this run. */
  readonly isTrue: boolean;
  readonly counts: Counts;
  readonly text: string;
}

/** A run, from its beginning until now, as the page and the commands read it. */
export const runRecord = z.object({
  /** Runs are numbered from 1. */
  id: z.int(),
  name: z.enum(RUN_NAMES),
  title: z.string(),
  /** `failed`: it did not come to a count, so nothing is shown either way. */
  state: z.enum(['running', 'true', 'false', 'failed']),
  lines: z.array(timelineLine).readonly(),
  counts,
  /** How it ended, in a sentence; null while it runs. */
  result: z.string().nullable(),
});
export type RunRecord = Readonly<z.output<typeof runRecord>>;

/** How the demo stands, as its page and its commands read it. */
export interface DemoState {
  readonly gateway: { readonly isListening: boolean; readonly restarts: number };
  readonly login: { readonly isLoggedIn: boolean; readonly url: string };
  /** What can be asked for. */
  readonly offered: readonly Offer[];
  /** The newest; null before the first. */
  readonly run: RunRecord | null;
}

export interface Offer {
  readonly name: RunName;
  readonly title: string;
  /** What it will do, in a sentence. */
  readonly does: string;
  readonly needsLogin: boolean;
}

/** Adds a line to the timeline of the run, now. */
export type Tell = (side: Side, kind: LineKind, text: string) => void;

export const timeOf = (at: number): string => istIso(at).replace('000+05:30', '+05:30');
