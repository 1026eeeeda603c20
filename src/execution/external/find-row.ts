import { type BrokerOrder, type IdentifiedRow, rowIn } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import { BrokerError } from '../../domain/outcome.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { type BrokerOrderId, type ElapsedMs, plus, type TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { isRowOfOurs } from '../reconcile/matching.ts';
import { impossible } from '../submit/impossible-change.ts';
import { asRow, hiddenOrder, mayHide } from './hidden-row.ts';

export interface FindRowParts {
  readonly writer: { readonly state: ExecutionState };
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** The row that a request is about. */
export interface FoundRow {
  readonly poller: BookPoller;
  readonly row: BrokerOrder;
  /** What can be read of the row of an order that the book does not show whole; null where `row` is a whole one. */
  readonly hidden: IdentifiedRow | null;
  readonly account: string | null;
}

/** How old the book may be in which the row is looked up. */
const BOOK_AGE_MS = 500;
/** A cancel is a way out: where the book has not been read by then, it goes by the last one. */
const CONFIRM_MS = 1_000;

/** The order that a change is about; a cancel where `changes` is null. */
interface RowOf {
  readonly broker: BrokerId;
  readonly brokerOrderId: BrokerOrderId;
  readonly changes: unknown;
}

/** Finds the row that a request is about. A cancel goes by the last book where the next one does not come. */
export function createFindRow(
  parts: FindRowParts,
): (about: RowOf, poller: BookPoller) => Promise<FoundRow> {
  const { clock, scheduler } = parts;
  const { state } = parts.writer;

  return async function findRow({ broker, brokerOrderId, changes }, poller) {
    const since = plus(clock.elapsed(), -BOOK_AGE_MS);
    const read = changes === null ? await readOrLast(poller, since) : await poller.read(since);
    const { account } = read;
    const day = tradingDay(poller.now());
    const whole = rowIn(read, brokerOrderId);
    if (whole) {
      if (isRowOfOurs(state, broker, day, whole)) throw ownOrder(broker, day, brokerOrderId);
      return { poller, row: whole, hidden: null, account };
    }
    const hidden = hiddenOrder(state, { broker, day, brokerOrderId }, read);
    if (hidden?.isOurs === true) throw ownOrder(broker, day, brokerOrderId);
    if (hidden !== null && changes === null) {
      return { poller, row: asRow(hidden.unread), hidden: hidden.unread, account };
    }
    const hiding = hidden?.unread ?? mayHide(read);
    // Without it the answer would say that there is no such order.
    if (hiding) throw new BrokerError(broker, { kind: 'bad_payload', message: hiding.reason });
    throw unknownExternal(broker, brokerOrderId);
  };

  function ownOrder(broker: BrokerId, day: TradingDay, id: BrokerOrderId): GatewayProblem {
    const own = state.observedIn.get(broker, day, id)?.orderId ?? null;
    return impossible({ broker }, `${id} is order ${own} of the gateway: name that id`);
  }

  async function readOrLast(poller: BookPoller, since: ElapsedMs): Promise<BookRead> {
    const last = poller.lastRead();
    const reading = poller.readUnwritten(since);
    if (last === null || tradingDay(last.begunAt) !== tradingDay(poller.now())) return reading;
    const done = new AbortController();
    const late = sleep(scheduler, CONFIRM_MS, done.signal).then(() => last);
    try {
      return await Promise.race([reading.catch(() => last), late]);
    } finally {
      done.abort();
    }
  }
}

export function unknownExternal(broker: BrokerId, brokerOrderId: BrokerOrderId): GatewayProblem {
  const detail = `the order book of ${broker} has no order ${brokerOrderId} that was placed elsewhere`;
  return new GatewayProblem({ code: 'unknown_order', detail, broker });
}
