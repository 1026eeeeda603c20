import { join } from 'node:path';
import type { FaultRule } from '../../../sandbox/kernel/faults.ts';
import type { BrokerFill } from '../../../sandbox/kernel/inspector.ts';
import type { ExitOver, ExitRecord } from '../../../src/execution/exits/exit.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import type { Stretch } from '../hours.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, violation, type Violation } from './context.ts';
import {
  before,
  inspectorOf,
  isOver,
  isSameDay,
  leftBy,
  namesOf,
  PRODUCTS,
  signed,
  timeIn,
} from './exit-books.ts';

/** What happened so long before an exit may still keep it waiting. */
const BEFORE_MS = 60_000;
/** A read of the account, and a leg that comes to nothing, take so long at the most. */
const LEG_MS = 15_000;
const READS_MS = 30_000;
/** Most answers come within a tenth of a second. */
const SLOW_MS = 5_000;
/** An exit has begun a moment before it is seen to have. */
const LOOK_MS = 1_000;
/** Positions that are behind by more keep an exit waiting until it gives up. */
const LATE_MS = 10_000;

type Quiet = ExitRecord & { readonly broker: LiveBroker; readonly over: ExitOver };

/**
 * L23: an exit comes to its end. Where its broker takes orders and can be read, and the market fills, it ends flat, or
 * for a reason that the broker's own books bear out, within the time of its attempts.
 */
export function exitsComeToTheirEnd(day: Day): Violation[] {
  return [...day.state.exits.values()].flatMap((exit) => {
    const seen = day.world.exits.get(exit.id);
    if (exit.mode !== 'live' || exit.over === null || !isOver(seen)) return [];
    const quiet = { ...exit, broker: exit.broker as LiveBroker, over: exit.over };
    const stretch = { from: seen.begunAt, until: seen.overAt };
    if (!isQuiet(day, quiet, stretch)) return [];
    const why = whyWrong(day, quiet, stretch);
    return why === null ? [] : [violation('L23', `${exit.id} (${exit.instrument}) ${why}`)];
  });
}

/** Whether nothing speaks against it that an exit comes to its end. */
function isQuiet({ world, state }: Day, exit: Quiet, { from, until }: Stretch): boolean {
  const around = { from: from - BEFORE_MS, until };
  const meets = (other: Stretch): boolean =>
    other.from <= around.until && other.until >= around.from;
  const { plan, sandbox } = world;
  if (sandbox.otherUser !== null || plan.undated === true || plan.slowConnections === true) {
    return false;
  }
  const down = world.crashes.map(({ at, plan: { downMs } }) => ({ from: at, until: at + downMs }));
  if (timeIn([...down, ...world.impaired], around) > 0 || down.some(meets)) return false;
  const name = exit.broker === 'alt' ? 'kite' : 'primary';
  if (plan.faults.some((rule) => rule.broker === name && isTrouble(rule) && meets(timeOf(rule)))) {
    return false;
  }
  // Who trades the same shares meanwhile, ends their orders or turns the clock, keeps an exit busy.
  if (plan.mishaps.some(({ kind, at }) => kind !== 'kill_switch' && at >= from && at <= until)) {
    return false;
  }
  if (plan.mishaps.some((each) => LASTING.has(each.kind) && each.at <= until)) return false;
  const lean = [...(plan.exits ?? []), ...(plan.closings ?? [])].some((each) => {
    const forMs = Math.max(each.thinMs ?? 0, ('parted' in each && each.parted?.forMs) || 0);
    return forMs > 0 && meets({ from: each.at, until: each.at + forMs });
  });
  if (lean || isSlow(world, exit, { from, until })) return false;
  return !doubtsAbout(world, state, exit).some(meets);
}

/** Whether a request has stayed on its way for longer than the gateway waits for its answer. */
const isSlow = ({ sent }: World, { broker }: Quiet, { from, until }: Stretch): boolean =>
  sent.some(
    (each) =>
      each.broker === broker &&
      each.at >= from - LOOK_MS &&
      each.at <= until &&
      (each.answer === null || each.answer.at - each.at > SLOW_MS),
  );

const LASTING: ReadonlySet<string> = new Set([
  ...[
    'clock_step',
    'clock_jump',
    'journal_lost',
    'restored',
    'copied',
    'token_death',
    'works_again',
  ],
  ...['late_fill', 'own_row_hidden', 'row_vanishes', 'other_login'],
]);

/** Faults that only make a broker tell the same twice, in other words, or a little late. */
function isTrouble({ kind, params }: FaultRule): boolean {
  if (kind === 'rows_twice' || kind.startsWith('postback') || kind.startsWith('ticker'))
    return false;
  return kind !== 'late_positions' || Number(params?.['ageMs'] ?? 0) > LATE_MS;
}

/** When a fault keeps a book from being whole: a row that it holds back may come hours later. */
const timeOf = ({ from = -Infinity, until = Infinity, params }: FaultRule): Stretch => ({
  from,
  until: until + Number(params?.['delayMs'] ?? 0),
});

const DOUBTFUL: ReadonlySet<unknown> = new Set(['uncertain', 'disputed']);

/** When nobody knew what had become of an order of the gateway of the same shares: it may take what is held. */
function doubtsAbout(
  world: World,
  { orders }: Day['state'],
  { instrument, broker }: Quiet,
): readonly Stretch[] {
  const ids = [...orders.values()]
    .filter((order) => order.broker === broker && order.terms.instrument === instrument)
    .map(({ id }) => id);
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    const told = database.prepare(
      `SELECT at, record ->> '$.data.order.status' AS status FROM events
       WHERE type = 'order.updated' AND order_id = ? ORDER BY sequence`,
    );
    return ids.flatMap((id) => {
      const rows = told.all(id).map(({ at, status }) => ({ at: Number(at), status }));
      return rows.flatMap(({ at, status }, index) =>
        DOUBTFUL.has(status) ? [{ from: at, until: rows[index + 1]?.at ?? Infinity }] : [],
      );
    });
  } finally {
    database.close();
  }
}

/** What is wrong with the end of an exit; null where nothing is. */
function whyWrong({ world }: Day, exit: Quiet, { from, until }: Stretch): string | null {
  const { end, why, detail } = exit.over;
  const took = until - from;
  const most = READS_MS + LEG_MS * Math.max(3, exit.legs.length);
  if (took > most && exit.legs.at(-1)?.atBand !== true) {
    return `took ${Math.round(took / 1_000)} s with ${exit.legs.length} legs: ${detail}`;
  }
  const said = `ended ${why ?? end}: ${detail}`;
  switch (why) {
    case null:
    case 'cancelled':
    case 'market_closed':
      return null;
    // A leg at the circuit may stand there until the close, and the next one is the broker's to refuse.
    case 'refused':
      return exit.legs.at(-2)?.atBand === true && /market is closed/.test(detail) ? null : said;
    case 'as_asked':
      return exit.quantity === null && exit.orderId === null ? said : null;
    case 'not_covered':
      return exit.product === 'CNC' ? null : said;
    // More was sold under the name than can be: what was bought today under another one is not delivered yet.
    case 'account_unreadable':
      return exit.product === 'CNC' && leftUnderName(world, exit, until) < 0 ? null : said;
    case 'reversed':
      return netAt(world, exit, until) < 0 ? null : said;
    case 'reserved_elsewhere': {
      const left = netAt(world, exit, until);
      const rests = restingAt(world, exit, until);
      return left <= rests ? null : `${said}, and of ${left} that are left, ${rests} rest`;
    }
    default:
      return said;
  }
}

function fillsUntil(world: World, exit: Quiet, at: number): BrokerFill[] {
  const names = namesOf(world, exit);
  return inspectorOf(world, exit.broker)
    .fills()
    .filter(
      ({ instrument, product }) => names.includes(instrument) && product === PRODUCTS[exit.product],
    )
    .filter((fill) => fill.at <= at && (exit.product !== 'INTRADAY' || isSameDay(fill.at, at)));
}

/** What the account has of an exit's shares at a moment, negative on the other side. */
function netAt(world: World, exit: Quiet, at: number): number {
  const fills = fillsUntil(world, exit, at);
  const net = fills.reduce((sum, fill) => sum + signed(fill), before(world, exit));
  return exit.side === 'SELL' ? net : -net;
}

const leftUnderName = (world: World, exit: Quiet, at: number): number =>
  before(world, exit) + leftBy(fillsUntil(world, exit, at), exit.instrument);

/** What open orders of an exit's side would take at a moment, by the broker's own book. */
function restingAt(world: World, exit: Quiet, at: number): number {
  const names = namesOf(world, exit);
  const inspector = inspectorOf(world, exit.broker);
  const filledBy = (orderId: string): number =>
    inspector
      .fills()
      .filter((fill) => fill.orderId === orderId && fill.at <= at)
      .reduce((sum, { quantity }) => sum + quantity, 0);
  return inspector
    .orders()
    .filter(({ instrument, product, side, createdAt, final, updatedAt }) => {
      if (!names.includes(instrument) || product !== PRODUCTS[exit.product]) return false;
      return side === exit.side && createdAt <= at && (!final || updatedAt >= at);
    })
    .reduce((sum, { orderId, quantity }) => sum + quantity - filledBy(orderId), 0);
}
