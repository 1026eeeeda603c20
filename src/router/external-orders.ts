import type { BrokerId, Mode } from '../domain/broker.ts';
import { type BrokerOrder, externalId, type UnreadRow } from '../domain/broker-order.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Trading } from '../domain/ports.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Execution } from '../execution/execution.ts';
import { hiddenOrder, mayHide } from '../execution/external/hidden-row.ts';
import { isRowOfOurs } from '../execution/reconcile/matching.ts';
import { isShownWhole, isUnreadOfOurs } from '../execution/reconcile/unread-shares.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import { inChunks, type Chunked } from '../platform/chunks.ts';
import { compareAge, type ListPosition } from './pages.ts';
import type { BrokerView } from './policy.ts';
import { notServed } from './reads.ts';
import {
  type BrokerOrderId,
  type ElapsedMs,
  type EpochMs,
  plus,
  type TradingDay,
} from '../units/branded.ts';

/** A row of a broker's book that belongs to no order of the gateway. */
export interface ExternalOrder extends ListPosition {
  readonly external: true;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly row: BrokerOrder;
}

export interface ExternalOrders {
  /** Oldest first. */
  readonly orders: readonly ExternalOrder[];
  /** Whether an order of the list still counts as placed elsewhere. */
  readonly isExternal: (order: ExternalOrder) => boolean;
  /** Rows that cannot be read and may be such orders: the list lacks them. */
  readonly unread: readonly UnreadRow[];
  /** When the read of the book began, in epoch ms and in elapsed ms. */
  readonly askedAt: EpochMs;
  readonly asked: ElapsedMs;
}

export interface ExternalReads {
  /** Rejects when the book cannot be read; never gives an empty list instead. Rows that cannot be read are told of. */
  read(broker: BrokerId, maxAgeMs?: number): Promise<ExternalOrders>;
  /**
   * The order with this broker order id in today's book; null when there is none, or it is ours. Rejects where a row
   * that cannot be read may be it, and where the book lacks a row that it had.
   */
  find(broker: BrokerId, brokerOrderId: BrokerOrderId): Promise<ExternalOrder | null>;
  /** A row of today's book as such an order. */
  orderOf(source: Pick<Trading, 'broker' | 'mode'>, row: BrokerOrder): ExternalOrder;
}

export interface ExternalReadsParts {
  readonly execution: Execution;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly view: (broker: BrokerId) => BrokerView;
}

interface Listing {
  readonly day: TradingDay;
  readonly orders: Promise<readonly ExternalOrder[]>;
}

/** How old a book may be when the caller does not say; the spec's cache time of the order book. */
const BOOK_AGE_MS = 500;

type Source = Pick<Trading, 'broker' | 'mode'>;

const orderOf = (
  { broker, mode }: Source,
  row: BrokerOrder,
  createdAt: EpochMs,
): ExternalOrder => ({
  external: true,
  id: externalId(broker, row.brokerOrderId),
  createdAt,
  ...{ broker, mode },
  row,
});

/** Rows handled in one turn of the event loop. */
const ROWS_IN_TURN = 1_000;

/**
 * Orders that were placed elsewhere: in the broker's app, or by another program. A book of
 * thousands of rows is handled in chunks, once for each read.
 */
export function createExternalReads(parts: ExternalReadsParts): ExternalReads {
  const { execution, clock, scheduler, view } = parts;
  /** Keyed by the rows of a read, because several pages of a list usually come from one read. */
  const listed = new WeakMap<readonly BrokerOrder[], Listing>();
  const firstTimeOf = createFirstTimes();

  async function bookOf(broker: BrokerId, maxAgeMs: number) {
    const poller = execution.poller(broker);
    if (!poller) {
      throw notServed(view(broker), 'orders');
    }
    const read = await poller.read(plus(clock.elapsed(), -maxAgeMs));
    return { ...read, source: poller.trading };
  }

  const isOurs = (broker: BrokerId, day: TradingDay, row: BrokerOrder): boolean =>
    isRowOfOurs(execution.state, broker, day, row);

  function* list(
    source: Source,
    rows: readonly BrokerOrder[],
    begunAt: EpochMs,
  ): Chunked<readonly ExternalOrder[]> {
    const { broker } = source;
    const day = tradingDay(begunAt);
    const orders: ExternalOrder[] = [];
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_IN_TURN === ROWS_IN_TURN - 1) yield;
      if (isOurs(broker, day, row)) continue;
      orders.push(orderOf(source, row, firstTimeOf(broker, day, row, begunAt)));
    }
    return orders.sort(compareAge);
  }

  return {
    async read(broker, maxAgeMs = BOOK_AGE_MS) {
      const { rows, unread, begunAt, begun, source } = await bookOf(broker, maxAgeMs);
      const day = tradingDay(begunAt);
      let listing = listed.get(rows);
      if (listing?.day !== day) {
        listing = { day, orders: inChunks(list(source, rows, begunAt), scheduler) };
        listed.set(rows, listing);
      }
      const orders = await listing.orders;
      return {
        orders,
        // A listed row may meanwhile have been matched to one of our orders.
        isExternal: ({ row }) => !isOurs(broker, day, row),
        unread: unread.filter(
          (row) => !isUnreadOfOurs(execution.state, broker, day, row) && !isShownWhole(rows, row),
        ),
        askedAt: begunAt,
        asked: begun,
      };
    },
    async find(broker, brokerOrderId) {
      const { rows, unread, begunAt, source } = await bookOf(broker, BOOK_AGE_MS);
      const day = tradingDay(begunAt);
      const row = rows.find(
        (each) => each.brokerOrderId === brokerOrderId && !isOurs(broker, day, each),
      );
      if (!row) {
        const asked = { broker, day, brokerOrderId };
        const hidden = hiddenOrder(execution.state, asked, { unread });
        const hiding = hidden === null ? mayHide({ unread }) : hidden.isOurs ? null : hidden.unread;
        // Without it the answer would say that there is no such order.
        if (hiding) throw new BrokerError(broker, { kind: 'bad_payload', message: hiding.reason });
        return null;
      }
      const createdAt = firstTimeOf(broker, day, row, begunAt);
      return orderOf(source, row, createdAt);
    },
    orderOf(source, row) {
      const now = clock.now();
      return orderOf(source, row, firstTimeOf(source.broker, tradingDay(now), row, now));
    },
  };
}

type FirstTimeOf = (
  broker: BrokerId,
  day: TradingDay,
  row: BrokerOrder,
  begunAt: EpochMs,
) => EpochMs;

/**
 * The time that an order keeps in every answer, also where it was asked for by itself. A broker may change a
 * row's time when its order changes, and may give it no time at all. The list keeps the time first seen, so that
 * an order does not change its place between two pages.
 */
function createFirstTimes(): FirstTimeOf {
  const days = new Map<
    BrokerId,
    { day: TradingDay; readonly firstTimes: Map<BrokerOrderId, EpochMs> }
  >();

  function firstTimesOf(broker: BrokerId, day: TradingDay): Map<BrokerOrderId, EpochMs> {
    const known = days.get(broker);
    if (known?.day === day) return known.firstTimes;
    const firstTimes = new Map<BrokerOrderId, EpochMs>();
    days.set(broker, { day, firstTimes });
    return firstTimes;
  }

  return (broker, day, { brokerOrderId, createdAt }, begunAt) => {
    const firstTimes = firstTimesOf(broker, day);
    const first = firstTimes.get(brokerOrderId) ?? createdAt ?? begunAt;
    firstTimes.set(brokerOrderId, first);
    return first;
  };
}
