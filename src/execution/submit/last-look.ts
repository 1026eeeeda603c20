import type { MayLeave, OrderTerms, Purpose } from '../../domain/order.ts';
import { notSent, type NotSent, type Outcome, uncertain } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { OrderId } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import { isCancelWanted, statusOf } from '../order/order.ts';
import { stoppedByBrake, UNREAD } from './brakes.ts';
import { type AccountCheck, type Checked, knowledgeNow } from './guards.ts';
import { lateNow } from './late-orders.ts';
import type { OrderTiming } from './order-timing.ts';
import { type PlaceCommand, type SubmitParts, type TimeLimit, timesAt } from './place-command.ts';
import { freeToReduce, type OutgoingOrder, reducesPosition } from './reduce-only.ts';

/** The last look at a request, in the turn in which it is written. */
export interface LastLook {
  readonly mayLeave: MayLeave;
  /** What became of the request: where it was kept back, why. */
  outcome(of: Outcome): Outcome;
}

/**
 * `whyKept` says why a request may not leave any more; null where it may. Without a session it does not
 * leave either. The breaker is not asked again: it may be waiting for this very request.
 */
export function askedAtLast(
  trading: Pick<Trading, 'blocked'>,
  whyKept: () => NotSent | null,
): LastLook {
  let kept: NotSent | null = null;
  return {
    mayLeave() {
      kept = whyKept() ?? trading.blocked('way_out');
      return kept === null;
    },
    outcome: (of) => (of.kind === 'not_sent' ? (kept ?? of) : of),
  };
}

/** An order that is about to be sent. */
interface Placing {
  readonly command: PlaceCommand;
  readonly orderId: OrderId;
  readonly terms: OrderTerms;
}

/**
 * Sends a request once. Whether it may leave is asked again in the turn in which it is written: what it
 * waits for before, such as a connection, can take seconds.
 */
export async function requestOnce(
  parts: SubmitParts,
  trading: Trading,
  attempt: PlaceAttemptRecord,
  {
    outgoing,
    prepared,
    limits,
    timing,
  }: {
    readonly outgoing: Placing;
    readonly prepared: AccountCheck;
    readonly limits: readonly TimeLimit[];
    readonly timing: OrderTiming;
  },
): Promise<Outcome> {
  const { orderId, terms } = outgoing;
  const { instrument, forcedBy, isLeg = false } = outgoing.command;
  const { id: attemptId, tag } = attempt;
  const checked = { broker: trading.broker, terms, orderId, forcedBy, isLeg };
  const whyKeptNow = (): NotSent | null => whyKept(parts, trading, checked, { prepared, limits });
  const purpose = purposeOf(parts, { ...checked, ...timesAt(parts, trading) });
  const stopped = whyKeptNow() ?? trading.blocked(purpose);
  if (stopped !== null) return stopped;
  const leaving = askedAtLast(trading, whyKeptNow);
  const mayLeave = (): boolean => {
    const may = leaving.mayLeave();
    if (may) timing.left();
    return may;
  };
  const wayOut = purpose === 'way_out';
  const marked = { ...terms, ...attempt.marks };
  timing.handedOver();
  try {
    return leaving.outcome(
      await trading.place({ attemptId, terms: marked, instrument, tag, wayOut, mayLeave }),
    );
  } catch (error) {
    // A broker's port answers an outcome. If it throws all the same, nothing is known.
    return uncertain({ kind: 'transport', message: String(error) });
  }
}

/** Why an order that is on disk does not leave now; null where it does. */
function whyKept(
  parts: SubmitParts,
  trading: Trading,
  checked: Checked & { readonly isLeg: boolean },
  { prepared, limits }: { readonly prepared: AccountCheck; readonly limits: readonly TimeLimit[] },
): NotSent | null {
  const { writer, accounts, clock } = parts;
  const { state } = writer;
  const order = { ...checked, ...timesAt(parts, trading) };
  const record = required(state.orders, checked.orderId, 'order');
  if (isCancelWanted(record) || state.cancelsNotOnDisk.has(record.id)) {
    return notSent('not_open', 'it was cancelled before it was sent');
  }
  if (record.state.kind !== 'sending') {
    return notSent('not_open', `the order is ${statusOf(record)}`);
  }
  if (parts.closing()) return notSent('closing', 'the gateway is stopping');
  const known = knowledgeNow(accounts, order, prepared) ?? UNREAD;
  const brake = stoppedByBrake(state, order, known);
  if (brake !== null) return notSent(brake.code, brake.reason);
  // Orders that have come since the exit looked at the account may take what the leg was to reduce.
  if (checked.isLeg && freeToReduce(state, order, accounts.beside(order)) < order.terms.quantity) {
    return notSent('held_back', 'other orders would take what it was to reduce');
  }
  return lateNow(clock, limits, () => isWayOut(parts, order));
}

/** An order that does nothing but reduce a position is a way out. */
const isWayOut = ({ writer, accounts }: SubmitParts, order: OutgoingOrder): boolean =>
  reducesPosition(writer.state, order, accounts.beside(order));

export const purposeOf = (parts: SubmitParts, order: OutgoingOrder): Purpose =>
  isWayOut(parts, order) ? 'way_out' : 'place';
