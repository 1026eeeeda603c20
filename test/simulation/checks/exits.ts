import type { BrokerFill, BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import type { LiveBroker, Sent, Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, sentUnder, violation, type Violation } from './context.ts';
import {
  before,
  inspectorOf,
  isBeyond,
  isOver,
  isSameDay,
  leftBy,
  namesOf,
  PRODUCTS,
  READ_WITHIN_MS,
  signed,
  timeLost,
  wantedOf,
} from './exit-books.ts';

type LiveExit = ExitRecord & { readonly broker: LiveBroker };

const isLive = (exit: ExitRecord): exit is LiveExit => exit.mode === 'live';

/** The orders of an exit's legs that its broker has taken, in the order of the legs. */
function legsTaken({ taken }: World, exit: ExitRecord): Taken[] {
  return exit.legs.flatMap(({ number }) =>
    taken.filter(({ wanted }) => wanted === wantedOf(exit, number)),
  );
}

/** S23 to S26, S48, L15, L16 and L22: what docs/exits.md promises of each exit. */
export function exitsKeepTheirPromises(day: Day): Violation[] {
  return [...day.state.exits.values()].flatMap((exit) => [
    ...(isLive(exit) ? neverReversed(day, exit) : []),
    ...(isLive(exit) ? asksForWhatIsThere(day, exit) : []),
    ...(isLive(exit) ? flatIsTrue(day, exit) : []),
    ...(isLive(exit) ? staysInItsAccount(day, exit) : []),
    ...oneLegAtATime(day, exit),
    ...(isLive(exit) ? noMoreThanAsked(day, exit) : []),
    ...endsInTime(day, exit),
    ...notHeldBack(exit),
    ...goesAgain(exit),
  ]);
}

/** L22: an exit that may cancel orders placed elsewhere is not held up by one before it has tried for a while. */
function goesAgain({ id, cancelExternal, createdAt, over }: ExitRecord): Violation[] {
  if (cancelExternal !== true || over?.why !== 'reserved_elsewhere') return [];
  if (over.at - createdAt >= 15_000) return [];
  return [violation('L22', `${id} may cancel what rests, and ended at once: ${over.detail}`)];
}

const isOfOtherUser = ({ sandbox }: World, orderId: string): boolean =>
  sandbox.otherUser?.order(orderId) !== undefined;

/** S17: all legs of an exit go to the account of the same user. */
function staysInItsAccount({ world }: Day, exit: LiveExit): Violation[] {
  const [first, ...more] = legsTaken(world, exit).map(({ brokerOrderId }) =>
    isOfOtherUser(world, brokerOrderId),
  );
  if (more.every((isOther) => isOther === first)) return [];
  return [violation('S17', `the legs of ${exit.id} went to the accounts of two users`)];
}

/** The fills of the shares and the product of an exit in the account of one user. */
function fillsBeside(world: World, exit: LiveExit, isOther: boolean): BrokerFill[] {
  const names = namesOf(world, exit);
  return inspectorOf(world, exit.broker)
    .fills()
    .filter(
      ({ instrument, product, ...fill }) =>
        names.includes(instrument) &&
        product === PRODUCTS[exit.product] &&
        isOfOtherUser(world, fill.orderId) === isOther,
    );
}

/**
 * S23: an exit never takes a position to the other side: each fill of its legs finds at least as much to
 * reduce. What others have traded counts. What they have taken of it while the leg was on its way, in orders
 * that nobody could have read of before, is added: no gateway can know of that, but for its own orders that left before.
 */
function neverReversed({ world }: Day, exit: LiveExit): Violation[] {
  const legs = legsTaken(world, exit);
  const own = new Set(legs.map(({ brokerOrderId }) => brokerOrderId));
  const sign = exit.side === 'SELL' ? 1 : -1;
  return legs.flatMap(({ brokerOrderId, wanted }) => {
    const sent = world.sent.find((each) => each.placing && each.wanted === wanted);
    const fills = fillsBeside(world, exit, isOfOtherUser(world, brokerOrderId));
    const known = (sent?.at ?? 0) - READ_WITHIN_MS;
    return fills.flatMap((fill, index) => {
      if (fill.orderId !== brokerOrderId || fill.side !== exit.side) return [];
      if (isBeyond(world, fill)) return [];
      const earlier = fills
        .slice(0, index)
        .filter(({ at }) => exit.product !== 'INTRADAY' || isSameDay(at, fill.at));
      const net = (leftBy(earlier, exit.instrument) + before(world, exit)) * sign;
      const overtaken = earlier
        .filter((each) => each.side === exit.side && !own.has(each.orderId) && each.at >= known)
        .filter((each) => isNewTo(world, exit.broker, each, known))
        .filter((each) => !wasSentBefore(world, exit.broker, each, sent?.at ?? 0))
        .reduce((sum, { quantity }) => sum + quantity, 0);
      // A person may have made the leg larger.
      const row = inspectorOf(world, exit.broker).order(brokerOrderId);
      const added = Math.max(0, (row?.quantity ?? 0) - (row?.placedQuantity ?? 0));
      if (net + overtaken + added >= fill.quantity) return [];
      const text = `${wanted} filled ${fill.quantity}, and ${net} were there (${overtaken} just gone)`;
      return [violation('S23', text)];
    });
  });
}

/**
 * S48: a leg of an exit of delivery shares asks for no more of them than the account has, under whatever name. The broker
 * refuses such a leg, so that S23 does not see it, and the exit is over.
 */
function asksForWhatIsThere({ world }: Day, exit: LiveExit): Violation[] {
  if (exit.product !== 'CNC') return [];
  return exit.legs.flatMap(({ number, quantity }) => {
    const wanted = wantedOf(exit, number);
    const sent = world.sent.find((each) => each.placing && each.wanted === wanted);
    if (sent === undefined) return [];
    const known = sent.at - READ_WITHIN_MS;
    const fills = fillsBeside(world, exit, sent.ofOtherUser).filter(({ at }) => at <= sent.at);
    // What others have traded just before, nobody can know of.
    const foreseen = fills.filter(
      (fill) => fill.placedBy === 'api' || !isNewTo(world, exit.broker, fill, known),
    );
    const there = Math.max(
      leftBy(fills, exit.instrument) + before(world, exit),
      leftBy(foreseen, exit.instrument) + before(world, exit),
    );
    if (quantity <= there) return [];
    return [
      violation(
        'S48',
        `${wanted} asks for ${quantity} of ${exit.instrument}, and ${there} are there`,
      ),
    ];
  });
}

/** Whether a fill is of an order that the gateway had sent before a moment, and nobody has changed. */
function wasSentBefore(world: World, broker: LiveBroker, fill: BrokerFill, at: number): boolean {
  const isIts = (each: Taken): boolean =>
    each.broker === broker && each.brokerOrderId === fill.orderId;
  const wanted = world.taken.find(isIts)?.wanted;
  if (wanted === undefined || isBeyond(world, fill)) return false;
  if ((inspectorOf(world, broker).order(fill.orderId)?.modifications ?? 0) > 0) return false;
  return world.sent.some((each) => each.placing && each.wanted === wanted && each.at < at);
}

/** Whether reads before a moment could not tell of the order that has filled. */
function isNewTo(world: World, broker: LiveBroker, fill: BrokerFill, known: number): boolean {
  const order = inspectorOf(world, broker).order(fill.orderId);
  if (order === undefined || isBeyond(world, fill)) return true;
  return (
    order.createdAt >= known ||
    Math.max(order.hiddenUntil, order.rowHiddenUntil) >= known ||
    order.modifications > 0
  );
}

/**
 * S24: `flat` is true: at some moment from the last read to the end, the account had nothing of the
 * instrument and product.
 */
function flatIsTrue({ world }: Day, exit: LiveExit): Violation[] {
  const seen = world.exits.get(exit.id);
  if (exit.over?.end !== 'flat' || !isOver(seen)) return [];
  const until = seen.overAt;
  const from = earliestRead(world, seen.runningAt, until);
  const own = legsTaken(world, exit).at(-1)?.brokerOrderId;
  // An exit without a leg is about the account of the user who was logged in.
  const lastSent = world.sent.findLast(({ broker, at }) => broker === exit.broker && at <= until);
  const isOther = own === undefined ? lastSent?.ofOtherUser : isOfOtherUser(world, own);
  const fills = fillsBeside(world, exit, isOther === true).filter(({ at }) => at <= until);
  const times = [from, ...fills.map(({ at }) => at).filter((at) => at >= from)];
  const netAt = (time: number, of: readonly BrokerFill[] = fills): number =>
    of
      .filter(({ at }) => at <= time)
      .filter(({ at }) => exit.product !== 'INTRADAY' || isSameDay(at, time))
      .reduce((sum, fill) => sum + signed(fill), before(world, exit));
  // Trades after the end of an order may be known by then, or not.
  const foreseen = fills.filter((fill) => !isBeyond(world, fill));
  if (times.some((time) => netAt(time) === 0 || netAt(time, foreseen) === 0)) return [];
  const text = `${exit.id} ended flat, and the account had ${netAt(until)} of ${exit.instrument}`;
  return [violation('S24', text)];
}

/** When the last read of an exit can have begun that was over at a moment: earlier where the machine slept. */
function earliestRead({ impaired }: World, runningAt: number, until: number): number {
  const from = Math.min(runningAt, until) - READ_WITHIN_MS;
  const during = impaired.filter((each) => each.from <= until && each.until >= from);
  return Math.min(from, ...during.map((each) => each.from - READ_WITHIN_MS));
}

/**
 * S25: one leg at a time. When a leg leaves, those before it have an end at the broker, or never came to it:
 * their requests were answered with a refusal, or did not leave.
 */
function oneLegAtATime({ world }: Day, exit: ExitRecord): Violation[] {
  const sent = exit.legs.flatMap(({ number }) =>
    world.sent.filter((each) => each.placing && each.wanted === wantedOf(exit, number)),
  );
  return sent.flatMap((leg, index) =>
    sent.slice(0, index).flatMap((earlier) => {
      const why = whyOpen(world, earlier, leg.at);
      if (why === null) return [];
      return [violation('S25', `${leg.wanted} was sent while ${earlier.wanted} ${why}`)];
    }),
  );
}

/** Why an order may still fill after a moment, for all that had come back of it by then; null where it cannot. */
function whyOpen(world: World, { wanted, broker, answer }: Sent, at: number): string | null {
  const taken = world.taken.find((each) => each.wanted === wanted);
  if (taken === undefined) {
    if (answer === null || answer.at > at) return 'was not answered';
    if (answer.reaction.kind === 'refuse') return null;
    const isAnswered = answer.reaction.kind === 'answer' && answer.reaction.status < 500;
    return isAnswered ? null : 'was not answered';
  }
  const { brokerOrderId } = taken;
  const order = inspectorOf(world, broker).order(brokerOrderId);
  if (order === undefined || world.worksAgain.has(brokerOrderId)) return null;
  if (world.lateTrades.some((each) => each.brokerOrderId === brokerOrderId)) return null;
  return order.final && order.updatedAt <= at ? null : 'was open';
}

/** S26: what the legs of an exit fill is no more than was asked for, or than was left of the order. */
function noMoreThanAsked({ world, state }: Day, exit: LiveExit): Violation[] {
  const inspector = inspectorOf(world, exit.broker);
  const filledOf = (ids: ReadonlySet<string>): number =>
    inspector
      .fills()
      .filter((fill) => ids.has(fill.orderId) && !isBeyond(world, fill))
      .reduce((sum, { quantity }) => sum + quantity, 0);
  const legs = legsTaken(world, exit);
  if (legs.some(({ brokerOrderId }) => isChangedByHand(inspector, brokerOrderId))) return [];
  const filled = filledOf(new Set(legs.map(({ brokerOrderId }) => brokerOrderId)));
  const most = Math.min(exit.quantity ?? Infinity, leftOfOrder());
  if (filled <= most) return [];
  return [violation('S26', `${exit.id} filled ${filled}, and ${most} were asked for`)];

  function leftOfOrder(): number {
    const replaced = exit.orderId === null ? undefined : state.orders.get(exit.orderId);
    if (replaced === undefined) return Infinity;
    const wanted = `${replaced.caller}/${replaced.idempotencyKey}`;
    const orders = world.taken.filter((each) => each.wanted === wanted);
    const isOpen = sentUnder(state, wanted).some(({ state: { kind } }) => kind === 'disputed');
    if (isOpen || orders.some(({ brokerOrderId }) => isChangedByHand(inspector, brokerOrderId))) {
      return Infinity;
    }
    const ids = new Set(orders.map(({ brokerOrderId }) => brokerOrderId));
    return replaced.terms.quantity - filledOf(ids);
  }
}

const isChangedByHand = (inspector: BrokerInspector, id: string): boolean =>
  (inspector.order(id)?.modifications ?? 0) > 0;

/** An exit is over after three minutes, and what it waits for then takes less than another two. */
const LONGEST_MS = 300_000;

/**
 * L15: every exit that began has one of its ends in time. Left out is what the gateway was down, or its
 * machine not well, and a leg that stands at the circuit, until the close.
 */
function endsInTime({ world }: Day, exit: ExitRecord): Violation[] {
  const seen = world.exits.get(exit.id);
  if (exit.over === null) return [violation('L15', `${exit.id} has no end: ${exit.doing}`)];
  if (!isOver(seen) || exit.legs.at(-1)?.atBand === true) return [];
  const took = seen.overAt - seen.begunAt - timeLost(world, seen);
  if (took <= LONGEST_MS) return [];
  return [violation('L15', `${exit.id} took ${Math.round(took / 1_000)} s: ${exit.over.detail}`)];
}

/** L16: no brake of the gateway refuses a leg. */
function notHeldBack({ id, over }: ExitRecord): Violation[] {
  if (over?.end !== 'stopped' || !/kill switch|limit_reached|APP_MAX_/.test(over.detail)) return [];
  return [violation('L16', `${id} was held back: ${over.detail}`)];
}
