import type { BrokerFill, BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { IsOtherInstrument } from '../order/attempt.ts';
import type { OrderRecord } from '../order/order.ts';
import type { ReadTimes } from './broker-clock.ts';
import type { AttemptId, BrokerOrderId, EpochMs, OrderId } from '../../units/branded.ts';

/** When a book without the order is evidence (docs/orders.md, "When an order is called absent"). */
export interface AbsenceRule {
  /** A complete read counts as evidence when it begins at least this long after the send. */
  readonly afterMs: number;
  /** The instant after which a book holds all of a day's orders that it will ever hold. */
  readonly dayClosed: (order: OrderRecord) => EpochMs;
}

/** One read of a broker's book, with the day's trades where they were read after it. */
export interface BookObservation extends ReadTimes {
  readonly broker: BrokerId;
  /** Whose book it is; null where that is not known. */
  readonly account: string | null;
  readonly rows: readonly BrokerOrder[];
  readonly fills: readonly BrokerFill[] | null;
  /** Rows of the book, and trades, that could not be read. */
  readonly unread: readonly UnreadRow[];
  readonly unreadTrades: readonly UnreadRow[];
  /** Whether rows of this broker always carry our tag. */
  readonly tagged: boolean;
  /** See Trading. */
  readonly marketAsLimit?: boolean;
  /** Whether a row is surely of another instrument than an order. */
  readonly isOther: IsOtherInstrument;
  /** Complete reads that lacked an attempt before this one. */
  readonly absentReads: ReadonlyMap<AttemptId, number>;
  /** For how long (ms) reads have shown that orders which had ended work, by order. */
  readonly workingFor: ReadonlyMap<OrderId, number>;
  /** For how long (ms) reads before this one have lacked the rows of open orders, by order. */
  readonly lostFor: ReadonlyMap<OrderId, number>;
  /** For how long (ms) reads before this one have shown rows of open orders that were left aside as older, by order. */
  readonly leftAsideFor: ReadonlyMap<OrderId, number>;
  /** The ids of rows that carried an order's tag in the read before, in place of its own row, by order. */
  readonly elsewhere: ReadonlyMap<OrderId, BrokerOrderId>;
  /**
   * The ids of rows without a tag that the read before showed, each like an order; null where no second read
   * of this book will come.
   */
  readonly seenOnce: ReadonlyMap<OrderId, BrokerOrderId> | null;
  readonly rule: AbsenceRule;
  /** What every tag has that this data directory has made; '' where they have nothing of their own. */
  readonly tagMark: string;
  /** The book is the broker's own record in this process: what it lacks was never placed. */
  readonly isLocal: boolean;
  readonly at: EpochMs;
}
