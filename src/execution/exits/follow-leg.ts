import { GatewayProblem, passesByItself } from '../../domain/problem.ts';
import { rupees } from '../../domain/rupees.ts';
import { sleep } from '../../platform/clock.ts';
import type { OrderId } from '../../units/branded.ts';
import { callerKey } from '../journal/records.ts';
import { required } from '../journal/state.ts';
import { fillOf, isOver, type OrderRecord, reasonOf, statusOf } from '../order/order.ts';
import { rejectionOf } from '../order/rejection.ts';
import {
  again,
  awaitFill,
  type ExitRun,
  PATIENCE_MS,
  pause,
  type Step,
  stopped,
} from './exit-run.ts';
import { type ExitLeg, type ExitRecord, legKey } from './exit.ts';
import { afterLeg, type AfterLeg, type LegEnd } from './next-leg.ts';
import { createStandingLeg } from './standing-leg.ts';
import { didNotLeave } from './unsent-cancel.ts';

const SOON_MS = 500;
const AGAIN_MS = 1_000;

/** What becomes of a leg that is written down: nothing further is sent before it is known how it ended. */
export interface FollowLeg {
  follow(leg: ExitLeg): Promise<Step>;
  /**
   * Waits until its order is placed, or a while longer than that takes. Null where the order was made; else why it
   * was not made at all.
   */
  sending(leg: ExitLeg, placed: Promise<GatewayProblem | null>): Promise<void>;
}

/** Places within the broker's limits come within a minute, and answers to requests within half of one. */
const OUTCOME_MS = 90_000;

export function createFollowLeg(
  run: ExitRun,
  /** The end, with what is still held as far as that can be read now. */
  lastLook: (over: ReturnType<typeof stopped>) => Promise<Step>,
): FollowLeg {
  const { parts } = run;
  const { state } = parts.writer;
  const standing = createStandingLeg(run);
  let cancelAsked: OrderId | null = null;
  let problem: GatewayProblem | null = null;
  /** A placing that has not come to its end; `failed` where it ended by a mistake of the gateway. */
  let placing: { failed: { readonly error: unknown } | null } | null = null;

  const waitedFor = ({ number }: ExitLeg): number => run.waitedFor(`outcome of leg ${number}`);

  async function sending(leg: ExitLeg, placed: Promise<GatewayProblem | null>): Promise<void> {
    waitedFor(leg);
    const own: NonNullable<typeof placing> = { failed: null };
    [placing, problem] = [own, null];
    const done = placed.then(
      (told) => void ([placing, problem] = [null, told]),
      (error: unknown) => void (own.failed = { error }),
    );
    const over = new AbortController();
    await Promise.race([done, sleep(parts.scheduler, OUTCOME_MS, over.signal)]);
    over.abort();
    parts.changed.notify();
  }

  async function follow(leg: ExitLeg): Promise<Step> {
    if (placing?.failed) throw placing.failed.error;
    const order = legOrder(run, leg);
    if (order === null) return placing === null ? withoutOrder(leg) : withoutOutcome(leg, null);
    const status = statusOf(order);
    if (status === 'uncertain' || status === 'disputed') {
      const detail = `whether the broker has order ${order.id}, leg ${leg.number}, is not known`;
      return stopped('leg_uncertain', detail);
    }
    if (!isOver(order)) return keepWatch(leg, order);
    const { filledQuantity: filled } = fillOf(order);
    if (filled === null) return awaitFill(run, order.id);
    return takeIn(leg, { filled, rejection: rejectionOf(state, order), reason: reasonOf(order) });
  }

  /** Nothing has left for it: the order was refused before that, or the process ended before. */
  async function withoutOrder(leg: ExitLeg): Promise<Step> {
    const reason = problem?.fields.detail ?? 'the gateway stopped before it was sent';
    if (problem?.code === 'market_closed') return lastLook(stopped('market_closed', reason));
    const isPassing = problem === null || passesByItself(problem.code);
    return takeIn(leg, { filled: 0, rejection: isPassing ? 'not_sent' : 'other', reason });
  }

  /** It is on its way, so that no other may leave: for as long as a request can take, and no longer. */
  function withoutOutcome(leg: ExitLeg, order: OrderRecord | null): Step {
    if (waitedFor(leg) <= OUTCOME_MS) return again(SOON_MS);
    const what = order === null ? 'its order' : `order ${order.id}, ${statusOf(order)}`;
    const detail =
      `leg ${leg.number} has had no outcome for ${OUTCOME_MS / 1_000} s: whether the broker has ${what}, ` +
      'is not known';
    return stopped('leg_uncertain', detail);
  }

  /** It rests for a while; then it is cancelled, and the next one has a new price. */
  async function keepWatch(leg: ExitLeg, order: OrderRecord): Promise<Step> {
    const { isCancelWanted } = run.exit();
    const moment = { elapsed: parts.clock.elapsed(), at: leg.at };
    const left = parts.settings.restMs - run.waitedFor(`end of ${order.id}`, moment);
    if (statusOf(order) !== 'working') return withoutOutcome(leg, order);
    if (!isCancelWanted && leg.atBand && cancelAsked !== order.id) {
      const waitMs = await standing.look(leg, order);
      if (waitMs !== null) return again(waitMs);
    }
    if (!isCancelWanted && !leg.atBand && left > 0) return again(Math.min(AGAIN_MS, left));
    if (!isCancelWanted && leg.withoutBid === true) return restingWithoutBid(leg, order);
    if (run.waitedFor(`cancel of ${order.id}`) > PATIENCE_MS) return notCancelled(leg, order);
    if (cancelAsked === order.id) return again(AGAIN_MS);
    cancelAsked = order.id;
    try {
      await parts.cancel(order.id, run.exit().id);
    } catch (error) {
      // A cancel that went wrong is repeated by itself; where it was refused, the row tells more.
      if (!(error instanceof GatewayProblem)) throw error;
      if (await didNotLeave(parts, error)) cancelAsked = null;
    }
    return again(SOON_MS);
  }

  async function takeIn(leg: ExitLeg, end: LegEnd): Promise<Step> {
    const exit = run.exit();
    const next = standing.isOvertaken(leg) ? overtaken(exit) : nextOf(run, leg, end);
    const legs = exit.legs.map((each) => (each === leg ? { ...each, isOver: true } : each));
    const plan = next.kind === 'again' ? next.plan : exit.plan;
    await run.note({ legs, plan, doing: `leg ${leg.number} is over: ${end.filled} filled` });
    if (next.kind === 'stop') return lastLook(stopped(next.why, next.detail));
    if (next.waitMs > 0) await pause(parts, next.waitMs);
    return again();
  }

  return { follow, sending };
}

/** Another price would fill sooner: the leg has not failed. */
const overtaken = ({ plan }: ExitRecord): AfterLeg => ({ kind: 'again', plan, waitMs: 0 });

function nextOf({ parts, exit }: ExitRun, leg: ExitLeg, end: LegEnd): AfterLeg {
  const { instrument, side, plan } = exit();
  const lotSize = parts.instruments.byName(instrument)?.lotSize ?? 1;
  return afterLeg(plan, leg, end, { attempts: parts.settings.attempts, lotSize, side });
}

const notCancelled = ({ number }: ExitLeg, { id }: OrderRecord): Step =>
  stopped(
    'leg_not_cancelled',
    `order ${id}, leg ${number}, works, and its cancel was not confirmed`,
  );

/** Nobody knows when somebody bids for it: a person has to hear of it now, and the order keeps its place. */
const restingWithoutBid = ({ price }: ExitLeg, { id, terms }: OrderRecord): Step =>
  stopped(
    'no_bid',
    `nobody bids for ${terms.instrument}: order ${id} rests at ${price === null ? 'no price' : rupees(price)}, and sells what somebody bids for by the close; cancel it, or exit again, for another price`,
  );

/** The order that a leg has made; null where it has made none. */
function legOrder({ parts, exit }: ExitRun, { number }: ExitLeg): OrderRecord | null {
  const { state } = parts.writer;
  const { caller, id }: ExitRecord = exit();
  const orderId = state.orderByKey.get(callerKey(caller, legKey(id, number)));
  return orderId === undefined ? null : required(state.orders, orderId, 'order');
}
