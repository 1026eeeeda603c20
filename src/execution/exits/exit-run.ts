import { ageOf, type Moment, momentOf } from '../../platform/clock.ts';
import { type ExitId, type OrderId, plus } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import { decideExit, type ExitChange } from './decide-exit.ts';
import type { ExitParts } from './exit-parts.ts';
import type { ExitEnd, ExitStop } from '../../domain/exit.ts';
import type { ExitRecord } from './exit.ts';

/** What a look at an exit leads to. */
export type Step =
  /** Look again, after so many ms or when an order has changed. */
  { readonly kind: 'again'; readonly waitMs: number } | StepOver;

export interface StepOver {
  readonly kind: 'over';
  readonly over: Over;
}

export interface Over {
  readonly end: ExitEnd;
  readonly why: ExitStop | null;
  readonly detail: string;
  /** Shares still held; null where that is not known. */
  readonly held: number | null;
}

export const again = (waitMs = 0): Step => ({ kind: 'again', waitMs });

export const stopped = (why: ExitStop, detail: string, held: number | null = null): StepOver => ({
  kind: 'over',
  over: { end: 'stopped', why, detail, held },
});

/** What cannot be read, or not be cancelled, for so long ends the exit. */
export const PATIENCE_MS = 20_000;

/** Waits, unless the gateway stops meanwhile: then the next process goes on, from what is written down. */
export async function pause(
  { clock, changed, closing }: Pick<ExitParts, 'clock' | 'changed' | 'closing'>,
  ms: number,
): Promise<void> {
  const until = plus(clock.elapsed(), ms);
  for (;;) {
    const left = until - clock.elapsed();
    if (left <= 0 || closing()) return;
    // The end of the gateway is a change as well.
    await changed.wait(left);
  }
}

/** One exit that this process carries out. */
export interface ExitRun {
  readonly parts: ExitParts;
  exit(): ExitRecord;
  /** Writes what has become of it; nothing where only `doing` is given, and is the same. */
  note(change: ExitChange): Promise<void>;
  /** How long something has been waited for without a break, ms; 0 the first time. `from` may be earlier. */
  waitedFor(what: string, from?: Moment): number;
  /** It has come: the next wait for it begins anew. */
  arrived(what: string): void;
}

export function createExitRun(parts: ExitParts, id: ExitId): ExitRun {
  const { writer, clock } = parts;
  const since = new Map<string, Moment>();
  const exit = (): ExitRecord => required(writer.state.exits, id, 'exit');
  return {
    parts,
    exit,
    async note(change) {
      if (change.doing === exit().doing && Object.keys(change).length === 1) return;
      await writer.submit((current) => decideExit(current, { id, at: clock.now(), change }));
    },
    waitedFor(what, from = momentOf(clock)) {
      const begun = since.get(what) ?? from;
      since.set(what, begun);
      return ageOf(clock, begun);
    },
    arrived: (what) => void since.delete(what),
  };
}

/** The trades may tell how much of an order has filled where its row does not: then the exit goes on, else it ends. */
export async function awaitFill(run: ExitRun, orderId: OrderId): Promise<Step> {
  const what = `how much of order ${orderId} has filled is not known`;
  if (run.waitedFor(`fill of ${orderId}`) > PATIENCE_MS) return stopped('fill_unknown', what);
  await run.note({ doing: `waiting: ${what}` });
  return again(1_000);
}
