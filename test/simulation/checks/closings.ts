import type { BrokerFill } from '../../../sandbox/kernel/inspector.ts';
import type { ClosingPosition } from '../../../src/domain/closing.ts';
import type { Product } from '../../../src/domain/order.ts';
import type { ClosingRecord } from '../../../src/execution/closings/closing.ts';
import { brokerOrderIdOf } from '../../../src/execution/order/order.ts';
import type { AskedClosing } from '../asked.ts';
import type { SeenClosing } from '../seen-exit.ts';
import type { LiveBroker, Sent } from '../traffic.ts';
import type { World } from '../world.ts';
import { keyIsNotReversed } from './closings-mine.ts';
import { type Day, violation, type Violation } from './context.ts';
import { trueFills } from './key-truth.ts';
import { isRefusedUnseen } from './refused-unseen.ts';
import {
  inspectorOf,
  isBeyond,
  isOver,
  isSameDay,
  PRODUCTS,
  READ_WITHIN_MS,
  signed,
  timeLost,
} from './exit-books.ts';

/** S27, S28, S54 and L17: what docs/exits.md promises of a closing of many positions. */
export function closingsKeepTheirPromises(day: Day): Violation[] {
  return [...day.world.closings.values()].flatMap((seen) => [
    ...coverIsKept(day, seen),
    ...nothingLeftOut(day, seen),
    ...nothingOfOthers(day, seen),
    ...keyIsNotReversed(day, seen),
    ...endIsTrue(day, seen),
    ...endsInTime(day, seen),
  ]);
}

const wantedOf = ({ caller, idempotencyKey }: ClosingRecord): string =>
  `${caller}/${idempotencyKey}`;

/** A position of a live account, by the fills in its broker's own books. */
interface Traded {
  readonly broker: LiveBroker;
  readonly instrument: string;
  readonly product: Product;
  /** Oldest first; of the first user's account alone, and none after the end of its order. */
  readonly fills: readonly BrokerFill[];
}

/** What was traded within the day, or is carried: delivery shares are left out. */
function tradedIn(world: World, broker: LiveBroker): readonly Traded[] {
  const found = new Map<string, Traded & { fills: BrokerFill[] }>();
  const { otherUser } = world.sandbox;
  for (const fill of inspectorOf(world, broker).fills()) {
    if (otherUser?.order(fill.orderId) !== undefined) continue;
    const product = fill.product === PRODUCTS.INTRADAY ? 'INTRADAY' : 'MARGIN';
    if (fill.product === PRODUCTS.CNC) continue;
    const { instrument } = fill;
    const key = `${instrument} ${product}`;
    const traded = found.get(key) ?? { broker, instrument, product, fills: [] };
    found.set(key, traded);
    traded.fills.push(fill);
  }
  return [...found.values()].filter(({ fills }) => !fills.some((fill) => isBeyond(world, fill)));
}

/** What is held at a moment, by some of the fills. */
function netAt({ product, fills }: Traded, at: number, counts = (_: BrokerFill) => true): number {
  return fills
    .filter((fill) => fill.at <= at && counts(fill))
    .filter((fill) => product !== 'INTRADAY' || isSameDay(fill.at, at))
    .reduce((sum, fill) => sum + signed(fill), 0);
}

const isOption = (instrument: string): boolean => instrument.startsWith('NFO:NIFTY');

/**
 * S27: no leg of a long option leaves while the account is short of an option on the same, by the broker's own
 * books: it may be what covers it. What others have sold since the positions were read, nobody can know of.
 */
function coverIsKept({ world }: Day, { record, begunAt }: SeenClosing): Violation[] {
  // Whoever names an instrument means it.
  if (world.asked.closings.get(wantedOf(record))?.request.instrument !== null) return [];
  const known = begunAt - READ_WITHIN_MS;
  const longs = record.positions.filter((each) => each.net > 0 && isOption(each.instrument));
  return longs.flatMap((position) =>
    legsSent(world, record, position).flatMap((leg) => {
      if (leg.ofOtherUser) return [];
      const options = tradedIn(world, leg.broker).filter(({ instrument }) => isOption(instrument));
      const short = options.find(
        (each) => netAt(each, leg.at, ({ side, at }) => side === 'BUY' || at < known) < 0,
      );
      if (short === undefined) return [];
      const net = netAt(short, leg.at);
      const text = `${leg.wanted} of ${position.instrument} left while the account had ${net} ${short.instrument}`;
      return [violation('S27', text)];
    }),
  );
}

/** The requests that place the legs of a position's exit. */
const legsSent = (
  { sent }: World,
  { caller }: ClosingRecord,
  { exitId }: ClosingPosition,
): readonly Sent[] =>
  exitId === null
    ? []
    : sent.filter(
        ({ placing, wanted }) => placing && wanted?.startsWith(`${caller}/${exitId}#`) === true,
      );

/**
 * S28: a closing has every position in it that it was asked for. Looked at for those that did not change from
 * a while before somebody asked until it was written down. A person who said that an order is absent is believed.
 */
function nothingLeftOut(
  { world, state, worded }: Day,
  { record, begunAt }: SeenClosing,
): Violation[] {
  const asked = world.asked.closings.get(wantedOf(record));
  // Which user's account was read is not known here.
  if (asked === undefined || world.sandbox.otherUser !== null) return [];
  const { request } = asked;
  const brokers = world.plan.tradingRoute.filter(
    (each): each is LiveBroker =>
      each !== 'paper' && (request.broker === null || request.broker === each),
  );
  return brokers.flatMap((broker) =>
    tradedIn(world, broker).flatMap((traded) => {
      const { instrument, product } = traded;
      if (isSaidOf(state, worded, traded)) return [];
      const net = netToClose(world, asked, record, traded, begunAt);
      if (net === 0 || (request.side !== null && net > 0 !== (request.side === 'BUY'))) return [];
      if (request.instrument !== null && request.instrument !== instrument) return [];
      if (request.product !== null && request.product !== product) return [];
      const isThere = record.positions.some(
        (each) =>
          each.broker === broker && each.instrument === instrument && each.product === product,
      );
      if (isThere || isUnread(record, traded)) return [];
      const text = `${record.id} of ${wantedOf(record)} leaves out ${net} ${instrument} (${product}) at ${broker}`;
      return [violation('S28', text)];
    }),
  );
}

/** Whether the closing names a row that could not be read and may be that position. */
const isUnread = (
  { unread = [] }: ClosingRecord,
  { broker, instrument, product }: Traded,
): boolean =>
  unread.some(
    (row) =>
      row.broker === broker &&
      (row.instrument ?? instrument) === instrument &&
      (row.product ?? product) === product,
  );

/** Whether a person has said what became of an order of that position: who says that one is absent is believed. */
const isSaidOf = (
  { orders }: Day['state'],
  worded: Day['worded'],
  { broker, instrument, product }: Traded,
): boolean =>
  [...orders.values()].some(
    ({ id, broker: at, terms }) =>
      worded.has(id) &&
      at === broker &&
      terms.instrument === instrument &&
      terms.product === product,
  );

/** What of a position is to be closed; 0 where it changed meanwhile. */
function netToClose(
  world: World,
  { at, request }: AskedClosing,
  { caller }: ClosingRecord,
  traded: Traded,
  begunAt: number,
): number {
  const from = at - READ_WITHIN_MS;
  if (traded.fills.some((fill) => fill.at >= from && fill.at <= begunAt)) return 0;
  const net = netAt(traded, begunAt);
  if (request.scope === 'account') return net;
  // Also what the triggers of the key have placed; not what nothing says that it was taken.
  const ids = new Set(
    trueFills(world, traded.broker)
      .filter((each) => each.caller === caller)
      .map(({ brokerOrderId }) => brokerOrderId),
  );
  for (const taken of world.taken) {
    if (isRefusedUnseen(world, taken)) ids.delete(taken.brokerOrderId);
  }
  const own = netAt(traded, begunAt, ({ orderId }) => ids.has(orderId));
  if (Math.sign(own) !== Math.sign(net)) return 0;
  return Math.sign(net) * Math.min(Math.abs(net), Math.abs(own));
}

/** S28: of one key no more is closed than its own orders have bought, or sold; see nothingLeftOut. */
function nothingOfOthers(
  { world, state, worded }: Day,
  { record, begunAt }: SeenClosing,
): Violation[] {
  const asked = world.asked.closings.get(wantedOf(record));
  if (asked?.request.scope !== 'mine' || world.sandbox.otherUser !== null) return [];
  return record.positions.flatMap(({ broker, instrument, product, quantity, status }) => {
    if (quantity === null || status === 'kept' || (broker !== 'alt' && broker !== 'primary')) {
      return [];
    }
    const traded = tradedIn(world, broker).find(
      (each) => each.instrument === instrument && each.product === product,
    );
    const from = asked.at - READ_WITHIN_MS;
    if (!traded || traded.fills.some(({ at }) => at >= from && at <= begunAt)) return [];
    if (hasTwin(world, state, record.caller, traded) || isSaidOf(state, worded, traded)) return [];
    const own = Math.abs(netToClose(world, asked, record, traded, begunAt));
    if (quantity <= own) return [];
    const text = `${record.id} closes ${quantity} ${instrument} (${product}), and ${own} are of ${record.caller}`;
    return [violation('S28', text)];
  });
}

/** Whether a row placed by hand was taken for an order of that position, which S3 allows of an equal one. */
function hasTwin(world: World, state: Day['state'], caller: string, traded: Traded): boolean {
  const inspector = inspectorOf(world, traded.broker);
  return [...state.orders.values()].some(
    (order) =>
      order.caller === caller &&
      order.broker === traded.broker &&
      order.terms.instrument === traded.instrument &&
      order.terms.product === traded.product &&
      inspector.order(brokerOrderIdOf(order) ?? '')?.placedBy === 'hand',
  );
}

/** S28: a closing is called flat only where each of its exits is. */
function endIsTrue({ state }: Day, { record }: SeenClosing): Violation[] {
  if (record.over?.end !== 'flat') return [];
  if ((record.unread ?? []).length > 0) {
    return [violation('S28', `${record.id} is flat, and a row could not be read`)];
  }
  return record.positions.flatMap(({ exitId, instrument, status }) => {
    const exit = exitId === null ? undefined : state.exits.get(exitId);
    const isFlat = exit?.over?.end === 'flat' || exit?.over?.why === 'as_asked';
    if (status === 'flat' && (isFlat || exit === undefined)) return [];
    const end = exit?.over?.end ?? 'not over';
    return [violation('S28', `${record.id} is flat, and its ${instrument} is ${status}, ${end}`)];
  });
}

/** What is short has its time, and what is long has as much after it: L15, and until each exit has begun. */
const LONGEST_MS = 2 * 330_000;

/** L17: every closing has its end in time; see L15. */
function endsInTime({ world, state }: Day, seen: SeenClosing): Violation[] {
  const { record } = seen;
  if (record.over === null) return [violation('L17', `${record.id} has no end`)];
  const waits = record.positions.some(
    ({ exitId }) => exitId !== null && state.exits.get(exitId)?.legs.at(-1)?.atBand === true,
  );
  if (!isOver(seen) || waits) return [];
  const took = seen.overAt - seen.begunAt - timeLost(world, seen);
  if (took <= LONGEST_MS) return [];
  return [violation('L17', `${record.id} took ${Math.round(took / 1_000)} s`)];
}
