import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { violation, type Day, type Violation } from './context.ts';
import { lookEvery } from './look-every.ts';

/** How long a broker may be without orders once its book can be read. */
const PATIENCE_MS = 5 * 60_000;
const LOOK_MS = 15_000;
/** A book that is hardly ever asked for tells little: reads in that time that make it readable. */
const READS_NEEDED = 5;

/**
 * Whether a broker's book could be read for all of the last five minutes: the gateway was up and the
 * machine well, no row was late, and the gateway's every read of the book was answered in full.
 */
function isReadable(world: World, broker: LiveBroker, at: number): boolean {
  const from = at - PATIENCE_MS;
  const { births, crashes, impaired, sessions } = world;
  const within = (time: number): boolean => time > from && time <= at;
  if (births.some(within) || crashes.some((crash) => within(crash.at))) return false;
  if (broker === 'alt' && sessions.some(within)) return false;
  if (impaired.some((each) => each.until > from && each.from <= at)) return false;
  // A row that is only late comes by itself; one that is gone for good does not.
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const isLate = ({ createdAt, hiddenUntil, rowHiddenUntil }: BrokerOrder): boolean =>
    createdAt <= at && ((hiddenUntil > from && hiddenUntil !== Infinity) || rowHiddenUntil > from);
  if (inspector.orders().some(isLate)) return false;
  let reads = 0;
  // From the latest: a stretch of days has tens of thousands of reads, and this looks every 15 s.
  for (let i = world.reads.length - 1; i >= 0; i -= 1) {
    const read = world.reads[i];
    if (read === undefined || read.at <= from) break;
    if (read.broker !== broker || read.at > at) continue;
    if (!read.honest) return false;
    reads += 1;
  }
  return reads >= READS_NEEDED;
}

/**
 * L7, recovery ends: a gateway that says it is recovering has not been able to read the book for all of
 * the last five minutes. Looks at the gateway that is up while the day is played; each broker of each
 * life is told once.
 */
export function watchRecovery(world: World, notice: (violation: Violation) => void): void {
  const told = new Set<string>();
  function look(): void {
    const execution = world.current()?.composed?.execution;
    for (const broker of ['alt', 'primary'] as const) {
      const name = `${broker}/${world.births.length}`;
      if (execution?.poller(broker)?.recovering() !== true || told.has(name)) continue;
      if (!isReadable(world, broker, world.time.now())) continue;
      told.add(name);
      notice(violation('L7', `${broker} is recovering, with five minutes of good books`));
    }
  }
  lookEvery(world, LOOK_MS, look);
}

/** L7, orders are taken: none is refused for want of a book after five minutes of good books. */
export function ordersAreTaken({ world, statements }: Day): Violation[] {
  const [broker] = world.plan.tradingRoute;
  if (broker !== 'alt' && broker !== 'primary') return [];
  const told = statements.find(
    (statement) =>
      statement.kind === 'problem' &&
      (statement.code === 'recovering' || statement.code === 'order_not_sent') &&
      /order book of \w+ (has not been|could not be) read whole/.test(statement.detail) &&
      isReadable(world, broker, statement.at),
  );
  if (!told || told.kind !== 'problem') return [];
  return [violation('L7', `${told.wanted} was refused after five minutes of good books`)];
}
