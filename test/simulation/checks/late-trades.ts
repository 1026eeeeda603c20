import type { BrokerFill } from '../../../sandbox/kernel/inspector.ts';
import { brokerDayEnd, MINUTE_MS } from '../../../sandbox/kernel/ist.ts';
import { readOf, type Sent } from '../traffic.ts';
import type { World } from '../world.ts';

/** What arrived so late before a moment may not have been taken in by then. */
const TAKEN_IN_MS = 250;
/** The primary brokerage has a list of trades for each segment: the gateway asks for the next one this soon. */
const NEXT_LIST_MS = 1_000;
/** No read of a book or of trades waits longer for its answer. */
const DEADLINE_MS = 5_000;
/** The day is compared with the book at 05:40 for the last time (docs/orders.md, "Watching"). */
const LAST_COMPARISON_MS = 20 * MINUTE_MS;

type Traded = Pick<World, 'sent' | 'crashes' | 'lateTrades'>;
type Trade = Pick<BrokerFill, 'orderId' | 'instrument' | 'at'>;

/**
 * Whether a trade could not be known at a moment (epoch ms): it came after its order's end, and nothing that
 * tells of it had been read since. That is its order's row where that shows the trade, else the trades.
 */
export function isUnread(world: Traded, trade: Trade, by: number): boolean {
  const late = world.lateTrades.find(
    ({ brokerOrderId, at }) => brokerOrderId === trade.orderId && at === trade.at,
  );
  if (late === undefined || trade.at > by) return false;
  const reads = world.sent.filter((each) => each.at >= trade.at && each.at < by);
  return !reads.some((each) => {
    const what = readOf(each.request);
    if (what === 'book' && !late.inRow) return false;
    if (what === null || !isOfTrade(each, trade)) return false;
    const readAt = what === 'book' ? arrivedAt(world, each) : tradesReadAt(world, each);
    return readAt !== null && readAt + TAKEN_IN_MS <= by;
  });
}

/**
 * Whether a trade that came after its order's end could never be known: it came after the last comparison of
 * the day, and nothing that tells of it was read before the day's book was gone.
 */
export const isNeverRead = (world: Traded, trade: Trade): boolean =>
  trade.at >= brokerDayEnd(trade.at) - LAST_COMPARISON_MS &&
  isUnread(world, trade, brokerDayEnd(trade.at));

/** Whether a read is of the order's broker; of trades at the primary brokerage, whether of its segment. */
function isOfTrade({ broker, request }: Sent, { orderId, instrument }: Trade): boolean {
  const isPrimary = broker === 'primary';
  if (isPrimary !== /^[A-Z]/.test(orderId)) return false;
  if (!isPrimary || readOf(request) === 'book') return true;
  return request.url.endsWith('segment=EQUITY') !== /^(NFO|BFO):/.test(instrument);
}

/** When the gateway had a whole and true answer, epoch ms; null where it never did. */
function arrivedAt({ crashes }: Traded, { at, answer }: Sent): number | null {
  if (!answer?.honest || answer.at > at + DEADLINE_MS) return null;
  const isLost = crashes.some((crash) => crash.at >= at && crash.at <= answer.at + TAKEN_IN_MS);
  return isLost ? null : answer.at;
}

/** The same of all lists of trades that were read together with one: where one of them fails, none counts. */
function tradesReadAt(world: Traded, list: Sent): number | null {
  const had = arrivedAt(world, list);
  if (had === null) return null;
  const next = world.sent.find(
    ({ broker, request, at }) =>
      broker === list.broker &&
      readOf(request) === 'trades' &&
      request.url !== list.request.url &&
      at >= had &&
      at <= had + NEXT_LIST_MS,
  );
  return next === undefined ? had : arrivedAt(world, next);
}
