import { type BrokerOrder, realId, type UnreadRow } from '../../domain/broker-order.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import { type Change, isOfOtherAccount, type ObservedOrder } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { InstrumentAsked, IsOtherInstrument } from '../order/attempt.ts';
import {
  type BrokerOrderId,
  type ElapsedMs,
  LONG_AGO,
  type OrderId,
  type TradingDay,
} from '../../units/branded.ts';
import type { ReadOfDay } from './book-memory.ts';
import type { Match } from './matching.ts';
import { isTagOfOurs } from './orders-of-tags.ts';

/** What is known of an order that an unread row may be. */
export interface Sought extends InstrumentAsked {
  readonly terms: Pick<OrderTerms, 'instrument' | 'side'>;
}

/** What tells whose row an unread one may be, beside the row itself. */
export interface RowKnowledge {
  readonly isOther: IsOtherInstrument;
  /** Whether a tag is that of an order of ours. */
  readonly isOurs: (tag: string) => boolean;
}

/**
 * Whether nothing that can be read of a row speaks against its being this order. One with the tag of its
 * placing may always be it; one with the tag of another order of ours never is. An instrument that no list
 * can resolve is no disagreement.
 */
export function couldBe(
  { instrument, side, tags }: UnreadRow,
  order: Sought,
  { isOther, isOurs }: RowKnowledge,
  tag: string | null = null,
): boolean {
  if (tag !== null && tags.includes(tag)) return true;
  if (tags.some(isOurs)) return false;
  if (instrument !== null && isOther(order, { instrument })) return false;
  return side === null || side === order.terms.side;
}

/** A row that cannot be read may be the order as well as one that was found: nothing is guessed then. */
export function withoutGuesses(
  matches: readonly Match[],
  unread: readonly UnreadRow[],
  known: RowKnowledge,
): Match[] {
  return matches.map((match) => {
    const { attempt, order } = match.placing;
    const isGuess = match.kind === 'bound' && match.by === 'fingerprint';
    const isRivalled = unread.some((row) => couldBe(row, order, known, attempt.tag));
    return isGuess && isRivalled ? { kind: 'unseen', placing: match.placing } : match;
  });
}

/** A read of a book that lacks something: ids that it showed before, or the ids of rows. */
interface Gaps {
  /** When the read began. */
  readonly begun: ElapsedMs;
  readonly missing: readonly ObservedOrder[];
  /** Rows whose id could not be read. */
  readonly nameless: readonly UnreadRow[];
}

const AGREEING_READS = 3;
const FOREIGN_MS = 60_000;
/** A row of ours that is gone is waited for longer, but not all day: ways out have to be open. */
const OURS_MS = 240_000;

/**
 * Whether a book with gaps may be used: to end a recovery, and as a baseline together with every id
 * that was seen that day. It may once three reads over a minute have lacked the same; four minutes
 * where a row of our own is missing. It never proves that an order is absent.
 */
interface GapWatch {
  /** Takes in the gaps of a read. Returns what a person is to be told, once for each kind of gap. */
  note(gaps: Gaps): string | null;
  /** Whether the last read may be used. */
  isUsable(): boolean;
  /** Whether the last read had gaps that are still waited for. */
  isWaiting(): boolean;
}

function createGapWatch(broker: string): GapWatch {
  let kind = '';
  let since = LONG_AGO;
  let reads = 0;
  let isAccepted = true;

  return {
    note(gaps) {
      const next = kindOf(gaps);
      if (next !== kind) [kind, since, reads, isAccepted] = [next, gaps.begun, 0, next === ''];
      reads += 1;
      if (isAccepted) return null;
      const isOurs = gaps.missing.some(({ orderId }) => orderId !== null);
      const wait = isOurs ? OURS_MS : FOREIGN_MS;
      if (reads < AGREEING_READS || gaps.begun - since < wait) return null;
      isAccepted = true;
      return messageOf(broker, gaps);
    },
    isUsable: () => isAccepted,
    isWaiting: () => !isAccepted,
  };
}

/** The same for reads that lack the same; empty for a book without gaps. */
function kindOf({ missing, nameless }: Gaps): string {
  const ids = missing.map(({ brokerOrderId }) => brokerOrderId).sort();
  return [...ids, ...nameless.map(({ reason }) => `unread: ${reason}`)].join('|');
}

function messageOf(broker: string, { missing, nameless }: Gaps): string {
  const parts = [
    ...missing.map(({ brokerOrderId, orderId }) =>
      orderId === null ? brokerOrderId : `${brokerOrderId} (order ${orderId})`,
    ),
    ...nameless.map(() => 'a row without a readable id'),
  ];
  const shown = parts.slice(0, 5).join(', ') + (parts.length > 5 ? ', …' : '');
  return (
    `the order book of ${broker} has lacked rows for more than a minute: ${shown}. Orders are placed ` +
    "again, and no order is called absent by this book; look at these orders in the broker's app"
  );
}

/** The ids observed at a broker on a day that a read of its book lacks. */
export function missingFrom(
  state: ExecutionState,
  broker: BrokerId,
  { day, account, rows, unread }: Omit<ReadOfDay, 'fills'>,
): ObservedOrder[] {
  const ids = new Set<BrokerOrderId | null>(rows.map((row) => row.brokerOrderId));
  for (const { brokerOrderId } of unread) ids.add(brokerOrderId);
  return [...state.observedIn.on(broker, day).values()].filter(
    (seen) => !seen.leaving && !isOfOtherAccount(seen, account) && !ids.has(seen.brokerOrderId),
  );
}

/**
 * An id that a book lacks, while another of its rows has the same order of the exchange, was that row's id
 * misread: no later book need show it.
 */
export function forgetMisreadIds(
  unit: UnitOfWork,
  { broker, rows }: { readonly broker: BrokerId; readonly rows: readonly BrokerOrder[] },
  day: TradingDay,
): void {
  const ids = new Set(rows.map((row) => row.brokerOrderId));
  // Nearly always all rows are there, and the exchange's ids are not needed.
  let atExchange: Map<string | null, BrokerOrder> | null = null;
  for (const seen of unit.state.observedIn.on(broker, day).values()) {
    if (seen.leaving || seen.orderId !== null || ids.has(seen.brokerOrderId)) continue;
    const exchangeOrderId = realId(seen.exchangeOrderId);
    if (exchangeOrderId === null) continue;
    atExchange ??= new Map(rows.map((each) => [realId(each.exchangeOrderId), each]));
    const row = atExchange.get(exchangeOrderId);
    // An order that another one created may be shown with the exchange's id of that one.
    if (row && row.childOf !== seen.brokerOrderId) unit.putObserved({ ...seen, leaving: true });
  }
}

/** The ids in a read of a book, and every id that was observed at the broker on its day. */
function baselineOf(
  state: ExecutionState,
  broker: BrokerId,
  { day, rows, unread }: Omit<ReadOfDay, 'fills'>,
): string[] {
  const ids = new Set(rows.map((row) => row.brokerOrderId));
  for (const { brokerOrderId } of unread) if (brokerOrderId !== null) ids.add(brokerOrderId);
  for (const { brokerOrderId } of state.observedIn.on(broker, day).values()) ids.add(brokerOrderId);
  return [...ids];
}

/** Keeps what the reads of a broker's book lack, and tells a person of it. */
export interface GapReport extends Pick<GapWatch, 'isUsable' | 'isWaiting'> {
  /** To be called with each read that was taken in. */
  note(
    begun: ElapsedMs,
    book: Omit<ReadOfDay, 'fills'> & { readonly complete: boolean },
    unreadTrades: readonly UnreadRow[],
  ): Promise<Usability>;
}

/** What a read may be used for, also where it has gaps. */
export interface Usability {
  /** Whether an order may be placed after it. */
  isUsable(order: Sought): boolean;
  /** Every id that is known to have been in the broker's book that day before the read ended. */
  baseline(): readonly string[];
}

export function createGapReport(parts: {
  readonly broker: BrokerId;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly isOther: IsOtherInstrument;
}): GapReport {
  const { broker, writer, clock, isOther } = parts;
  const { state } = writer;
  const known = { isOther, isOurs: isTagOfOurs(state) };
  const gaps = createGapWatch(broker);
  /** Unread rows that a person has been told of. */
  const told = new Set<string>();

  async function warn(message: string | null, orderId: OrderId | null = null): Promise<void> {
    if (message === null) return;
    const alert = { level: 'warning', orderId, message, at: clock.now() } as const;
    await writer.submit((current) => decideAlert(current, alert));
  }

  /** The order of ours that a row is of, by its id or its tag; null where it is of none. */
  function orderOfUnread({ brokerOrderId: id, tags }: UnreadRow, day: TradingDay): OrderId | null {
    const byId = id === null ? null : (state.observedIn.get(broker, day, id)?.orderId ?? null);
    const byTag = tags.flatMap(
      (tag) => state.attempts.get(state.attemptByTag.get(tag) ?? '') ?? [],
    );
    return byId ?? byTag[0]?.orderId ?? null;
  }

  /** Tells of rows that cannot be read, once of each: those of orders of ours by themselves. */
  async function warnOfUnread(
    what: string,
    rows: readonly UnreadRow[],
    day: TradingDay,
  ): Promise<void> {
    const keyOf = (row: UnreadRow): string => `${what}|${row.brokerOrderId}|${row.reason}`;
    const ofOthers: UnreadRow[] = [];
    for (const row of rows.filter((each) => !told.has(keyOf(each)))) {
      told.add(keyOf(row));
      const orderId = orderOfUnread(row, day);
      const name = row.brokerOrderId ?? 'without a readable id';
      if (orderId === null) ofOthers.push(row);
      else await warn(unreadRowOfOurs(`${name} in ${what}`, orderId, row.reason), orderId);
    }
    await warn(unreadAlert(what, ofOthers));
  }

  return {
    ...gaps,
    async note(begun, book, unreadTrades) {
      const missing = book.complete ? [] : missingFrom(state, broker, book);
      const nameless = book.unread.filter(({ brokerOrderId }) => brokerOrderId === null);
      await warn(gaps.note({ begun, missing, nameless }));
      await warnOfUnread(`the order book of ${broker}`, book.unread, book.day);
      await warnOfUnread(`the trades of ${broker}`, unreadTrades, book.day);
      const hinders = (order: Sought): boolean =>
        nameless.some((row) => couldBe(row, order, known));
      return {
        isUsable: (order) => gaps.isUsable() || (missing.length === 0 && !hinders(order)),
        baseline: () => baselineOf(state, broker, book),
      };
    },
  };
}

function unreadRowOfOurs(row: string, orderId: OrderId, reason: string): string {
  return (
    `row ${row} is of order ${orderId}, and cannot be read: ${reason}. Compare the order with the ` +
    "broker's app"
  );
}

/** What a person is told of rows of others that cannot be read; null where there are none. */
function unreadAlert(what: string, rows: readonly UnreadRow[]): string | null {
  const [first, ...others] = rows;
  if (!first) return null;
  const which = first.brokerOrderId === null ? 'one without a readable id' : first.brokerOrderId;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `rows of ${what} cannot be read: ${which}${more} (${first.reason}). All others are used`;
}
