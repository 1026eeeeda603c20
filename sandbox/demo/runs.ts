import { runBuy } from './run-buy.ts';
import { runHangAfter } from './run-hang-after.ts';
import { runKill } from './run-kill.ts';
import { RunFailed, type RunParts } from './run-parts.ts';
import {
  type Offer,
  type Outcome,
  RUN_NAMES,
  type RunName,
  type RunRecord,
  type Tell,
  timeOf,
} from './run-record.ts';

interface Kind extends Omit<Offer, 'name'> {
  readonly run: (parts: RunParts, tell: Tell) => Promise<Outcome>;
}

const KINDS: Readonly<Record<RunName, Kind>> = {
  buy: {
    title: 'Buy INFY',
    does: 'Places one order for 10 INFY through the gateway.',
    needsLogin: false,
    run: runBuy,
  },
  hang_after: {
    title: 'Kite hangs after accepting',
    does:
      'Kite accepts an order and never answers: a naive script and the gateway meet that side by side, ' +
      'and Kite’s orders are counted.',
    needsLogin: true,
    run: runHangAfter,
  },
  kill: {
    title: 'Kill the gateway',
    does: 'Kills the gateway (SIGKILL) while its order is at Kite, and starts it again under this page.',
    needsLogin: true,
    run: runKill,
  },
};

export type Started =
  | { readonly kind: 'started'; readonly record: RunRecord }
  /** Another one has not ended. */
  | { readonly kind: 'busy'; readonly with: RunRecord };

export interface Runs {
  /** What can be asked for. */
  readonly offered: readonly Offer[];
  /** Begins a run; one at a time, since they count what is at Kite. */
  start(name: RunName): Started;
  /** The newest run; null before the first. */
  newest(): RunRecord | null;
}

export function createRuns(parts: RunParts): Runs {
  let newest: RunRecord | null = null;
  let count = 0;

  function start(name: RunName): Started {
    if (newest?.state === 'running') return { kind: 'busy', with: newest };
    count += 1;
    const id = count;
    const { title, run } = KINDS[name];
    const begun: RunRecord = {
      ...{ id, name, title, state: 'running', lines: [], result: null },
      counts: { script: null, gateway: null },
    };
    newest = begun;
    const change = (of: (record: RunRecord) => RunRecord): void => {
      // A line that comes after the next run has begun belongs to no run.
      if (newest?.id === id) newest = of(newest);
    };
    const tell: Tell = (side, kind, text) =>
      change((record) => ({
        ...record,
        lines: [...record.lines, { at: timeOf(parts.clock.now()), side, kind, text }],
      }));
    run(parts, tell).then(
      ({ isTrue, counts, text }) =>
        change((record) => ({
          ...{ ...record, counts, state: isTrue ? 'true' : 'false' },
          result: text,
        })),
      (error: unknown) =>
        change((record) => ({ ...record, state: 'failed', result: sentenceOf(error) })),
    );
    return { kind: 'started', record: begun };
  }

  return {
    offered: RUN_NAMES.map((name) => {
      const { title, does, needsLogin } = KINDS[name];
      return { name, title, does, needsLogin };
    }),
    start,
    newest: () => newest,
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof RunFailed) return error.message;
  return `The run did not come to a count: ${error instanceof Error ? error.message : String(error)}.`;
}
