import type { Side } from '../../domain/order.ts';
import { CommitError } from '../../platform/single-writer.ts';
import type { ExitId } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import type { IsinOf } from '../reconcile/delivered-shares.ts';
import { decideExit } from './decide-exit.ts';
import { isMissing, whenNothingIsFree } from './exit-end.ts';
import type { ExitParts } from './exit-parts.ts';
import {
  again,
  awaitFill,
  createExitRun,
  type ExitRun,
  type Over,
  PATIENCE_MS,
  pause,
  type Step,
  stopped,
  type StepOver,
} from './exit-run.ts';
import { createFollowLeg } from './follow-leg.ts';
import { stoppedByQuarantine } from './quarantined-leg.ts';
import { sendLeg } from './send-leg.ts';
import { createRestingTriggers } from './resting-triggers.ts';
import type { ExitRecord } from './exit.ts';
import { createHeldAtEnd } from './held-at-end.ts';
import { createWhatIsHeld, type Found, type Held } from './what-is-held.ts';

/** An exit whose legs do not stand at the band is over by then, whatever it waits for. */
const LONGEST_MS = 180_000;
/** A book that lacks rows of others may be used after three agreeing reads over a minute. */
const BOOK_PATIENCE_MS = 75_000;
const AGAIN_MS = 1_000;
/** The positions of a broker show a fill within five seconds. */
const UNSURE_MS = 8_000;

const STOPS = {
  book: 'book_unreadable',
  resting: 'resting_not_cancelled',
  account: 'account_unreadable',
} as const;

/**
 * Carries an exit out, from wherever the journal says that it is, until it has one of its ends. Every round
 * begins with what is known of its last leg, and nothing is remembered from the round before on which it
 * depends whether something is sold: so a crash between two rounds changes nothing.
 */
export function createRunExit(parts: ExitParts): (id: ExitId) => Promise<void> {
  const { writer, clock, log } = parts;
  const withHeld = createHeldAtEnd(parts);

  return async function runExit(id: ExitId): Promise<void> {
    const round = createRound(parts, id);
    const exit = (): ExitRecord => required(writer.state.exits, id, 'exit');
    while (!parts.closing() && exit().over === null) {
      try {
        const step = stoppedByQuarantine(writer.state, exit()) ?? (await round());
        if (step.kind === 'over') await end(id, await withHeld(exit(), step.over));
        else if (step.waitMs > 0) await parts.changed.wait(step.waitMs);
      } catch (error) {
        // The disk takes nothing now: what was to be written did not happen either.
        if (error instanceof CommitError) await pause(parts, AGAIN_MS);
        else return mistake(id, error);
      }
    }
  };

  async function mistake(id: ExitId, error: unknown): Promise<void> {
    log.error('an exit ended by a mistake of the gateway', { reason: String(error) });
    const { over } = stopped('mistake', `the gateway made a mistake (${String(error)})`);
    const at = clock.now();
    const change = { over: { ...over, at }, doing: 'over' };
    await parts.commitRetry.commit((current) => decideExit(current, { id, at, change }));
    parts.changed.notify();
  }

  async function end(id: ExitId, over: Over): Promise<void> {
    const at = clock.now();
    const change = { over: { ...over, at }, doing: 'over' };
    await writer.submit((current) => decideExit(current, { id, at, change }));
    parts.changed.notify();
  }
}

/** The rounds of one exit: each looks, and does one thing. */
function createRound(parts: ExitParts, id: ExitId): () => Promise<Step> {
  const run = createExitRun(parts, id);
  const begun = parts.clock.elapsed();
  const whatIsHeld = createWhatIsHeld(parts);
  const legs = createFollowLeg(run, lastLook);
  const isinOf: IsinOf = (name) => parts.instruments.byName(name)?.isin ?? null;
  const triggers = createRestingTriggers(parts, isinOf);
  let clearedFor: Side | null = null;

  return async function round(): Promise<Step> {
    const exit = run.exit();
    const leg = exit.legs.at(-1);
    if (leg && !leg.isOver) return legs.follow(leg);
    if (exit.isCancelWanted) return lastLook(stopped('cancelled', 'a caller has ended it'));
    if (parts.clock.elapsed() - begun > LONGEST_MS && !hasStood(exit)) {
      return lastLook(stopped('took_too_long', `it was not over after ${LONGEST_MS / 1_000} s`));
    }
    const [found] = await Promise.all([
      whatIsHeld(exit, () => !run.exit().isCancelWanted),
      clearOnce(exit),
    ]);
    // A caller may have ended it meanwhile.
    if (run.exit().isCancelWanted) return again();
    if (found.kind === 'not_yet') return notYet(found);
    if (found.kind === 'leg_alive') return legAlive(run, found);
    if (found.kind === 'fill_unknown') return awaitFill(run, found.orderId);
    const { held } = found;
    for (const what of ['book', 'resting', 'account']) run.arrived(what);
    if (!isMissing(held)) run.arrived('missing');
    // What was last known of the account, when the exit began, was the other side.
    if (isOtherSide(exit, held) && exit.legs.length === 0 && exit.orderId === null) {
      await run.note({ side: exit.side === 'SELL' ? 'BUY' : 'SELL' });
      return again();
    }
    if (isUnsure(run, held)) return awaitShown(run);
    return held.free > 0 ? sendLeg(run, held, legs.sending) : nothingFree(held);
  };

  async function notYet({ what, why }: Extract<Found, { kind: 'not_yet' }>): Promise<Step> {
    if (run.waitedFor(what) > (what === 'book' ? BOOK_PATIENCE_MS : PATIENCE_MS))
      return stopped(STOPS[what], why);
    await run.note({ doing: why });
    return again(AGAIN_MS);
  }

  /** The positions may lack the last fills for a while: `flat` is said once they show them. */
  async function nothingFree(held: Held): Promise<Step> {
    const awaited = awaitedOf(held);
    if (awaited !== null && run.waitedFor(awaited.what) <= PATIENCE_MS) {
      await run.note({ doing: `waiting until ${awaited.until}` });
      return again(AGAIN_MS);
    }
    const over = whenNothingIsFree(run.exit(), held);
    if (over.why === 'reserved_elsewhere' && held.newer !== null) {
      // It rests since the last cancels: the next round looks whether it may be cancelled.
      if (!run.exit().isCancelWanted && run.waitedFor('newer') <= PATIENCE_MS) {
        await run.note({ doing: `${held.newer} has begun to rest` });
        return again();
      }
    }
    return over.end === 'flat' ? whenFlat(over) : { kind: 'over', over };
  }

  /** Before the first leg, and again where the other side is held; what comes of it is looked at once nothing is held. */
  async function clearOnce(exit: ExitRecord): Promise<void> {
    if (clearedFor === exit.side) return;
    clearedFor = exit.side;
    await triggers.clear(exit);
  }

  /** `flat` is said once no trigger of the gateway can trade it again, and the broker's list says so. */
  async function whenFlat(over: Over): Promise<Step> {
    const exit = run.exit();
    if (exit.orderId !== null || parts.triggers.watch(exit.broker) === null) {
      return { kind: 'over', over };
    }
    const before = triggers.live(exit);
    const unseen = await triggers.clear(exit);
    const [left] = triggers.live(exit);
    if (!left) {
      const detail = unseen === null ? over.detail : `${over.detail}; ${unseen}`;
      return { kind: 'over', over: { ...over, detail } };
    }
    if (run.waitedFor('triggers') <= PATIENCE_MS) {
      await run.note({ doing: `waiting until trigger ${left.id} is deleted` });
      return again(before.length > 0 ? AGAIN_MS : 0);
    }
    const why = `nothing is held any more, but trigger ${left.id} is not deleted: it could trade it again`;
    return stopped('trigger_not_deleted', why, 0);
  }

  /** How much is still held is told with the end, as far as it can be read. */
  async function lastLook({ over }: StepOver): Promise<Step> {
    const found = await whatIsHeld(run.exit(), () => false);
    if (found.kind !== 'held') return { kind: 'over', over };
    if (found.held.quantity <= 0) return nothingFree(found.held);
    return { kind: 'over', over: { ...over, held: found.held.quantity } };
  }
}

/** A leg at the circuit may have stood there for hours: it is not the exit that took long. */
const hasStood = ({ legs }: ExitRecord): boolean => legs.some(({ atBand }) => atBand);

/** What counts as held before the first leg bounds all of them. */
const isUnsure = (run: ExitRun, held: Held): boolean =>
  held.isUnsure && run.exit().legs.length === 0 && run.waitedFor('unsure') <= UNSURE_MS;

async function awaitShown(run: ExitRun): Promise<Step> {
  await run.note({ doing: 'waiting until the positions are sure to show the last fills' });
  return again(AGAIN_MS);
}

type LegAlive = Extract<Found, { kind: 'leg_alive' }>;

/** Nothing more is sold before it is known what came of it: what it may have sold would be sold twice. */
async function legAlive(run: ExitRun, { orderId, status }: LegAlive): Promise<Step> {
  const what = `order ${orderId}, which had ended, is ${status}`;
  if (status === 'disputed' || status === 'uncertain') return stopped('leg_uncertain', what);
  await run.note({ doing: `waiting: ${what}` });
  return again(AGAIN_MS);
}

/** Delivery shares are never short: buying them would open a position. */
const isOtherSide = ({ product }: ExitRecord, { quantity }: Held): boolean =>
  quantity < 0 && product !== 'CNC';

/** What an exit waits for, for a while, that has nothing to send; null where there is nothing. */
function awaitedOf(held: Held): Record<'what' | 'until', string> | null {
  const { quantity, unseen, moved, opened, crossed, askedLeft, knownLeft, countedLeft } = held;
  // What was filled a moment ago is not "nothing held".
  if (quantity === 0 && opened > 0) {
    return { what: 'opened', until: 'the positions show what was filled before the exit' };
  }
  if (quantity === 0 && crossed > 0) {
    return { what: 'opened', until: 'the positions show what was filled last' };
  }
  if (isMissing(held))
    return { what: 'missing', until: 'the account shows a row again that it had' };
  if (quantity <= 0) return null;
  if (unseen > 0) return { what: 'unseen', until: 'the book shows the order of a trigger' };
  const isAllSold = Math.min(knownLeft ?? Infinity, countedLeft) <= 0 && (askedLeft ?? 1) > 0;
  return moved > 0 || isAllSold
    ? { what: 'fills', until: 'the positions show what was filled' }
    : null;
}
