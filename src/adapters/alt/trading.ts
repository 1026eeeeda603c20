import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import {
  BrokerError,
  notSent,
  type NotSent,
  type Outcome,
  uncertain,
} from '../../domain/outcome.ts';
import type { Purpose } from '../../domain/order.ts';
import type { BrokerTime, Trading } from '../../domain/ports.ts';
import type { Priority } from '../../platform/call-limits.ts';
import { lastOnly, oncePerObject } from '../../platform/last-only.ts';
import type { Redacted } from '../../platform/redaction.ts';
import { redactedReasons } from '../kit/replies.ts';
import { createUnreadRows, readEach } from '../kit/unread-rows.ts';
import { acknowledgedId } from './acknowledged-id.ts';
import type { GuardedCalls, KiteAnswer } from './calls.ts';
import type { KiteClient } from './client.ts';
import { outcomeOf, type OrderCall } from './errors.ts';
import { restOfRow, toBrokerFill, toBrokerOrder } from './mapping.ts';
import {
  createOrderVarieties,
  isOrderId,
  marksOf,
  type MarksOfSettings,
  modifyParams,
  parentParams,
  placeParams,
  varietyOf,
  type OrderVarieties,
  type VarietyOfOrder,
  varietyOfRow,
} from './request.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { createOrderDetails } from './order-details.ts';
import {
  anyRows,
  orderRow,
  type OrderRow,
  orderRows,
  parseAs,
  tradeRow,
  tradeRows,
  varietyFields,
  type VarietyFields,
} from './schemas.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

export interface TradingParts {
  readonly client: KiteClient;
  /**
   * Each has a breaker of its own: neither a book that cannot be read nor orders that are not
   * answered hold back a cancel.
   */
  readonly placing: GuardedCalls;
  readonly changes: GuardedCalls;
  readonly reads: GuardedCalls;
  readonly queues: RateLimitQueues;
  readonly brokerTime: () => BrokerTime | null;
  /** What the settings say of orders that do not say it themselves. */
  readonly marks: MarksOfSettings;
  /** What must not be shown of an order's words. */
  readonly hidden: () => Redacted;
  /** Opens the connection of a request that is about to be sent. */
  readonly connectAhead: () => void;
  /** The user of the session; null while that is not known. */
  readonly userId: () => string | null;
}

/** What this broker offers beyond other brokers. */
export interface AltTrading extends Trading {
  orderHistory(brokerOrderId: BrokerOrderId): Promise<readonly BrokerOrder[]>;
  orderTrades(brokerOrderId: BrokerOrderId): Promise<readonly BrokerFill[]>;
}

const toFill = (row: unknown): BrokerFill => toBrokerFill(parseAs(tradeRow, row));

const NO_ORDER_ID = 'not an order id of this broker';

/** Readers of the order book and of the trades, row by row. */
function createListReaders(hidden: TradingParts['hidden']) {
  const details = createOrderDetails(hidden);
  const unreadRows = createUnreadRows();
  // Most rows of a book are identical to those of the book before: then they are the same objects.
  const readRow = oncePerObject((given) => {
    const row = parseAs(orderRow, given);
    return { row, orders: redactedReasons([toBrokerOrder(row)], hidden()) };
  });
  const readTrade = oncePerObject(toFill);
  const readBook = lastOnly((data: unknown) => {
    const given = parseAs(anyRows, data);
    details.note(given);
    const { rows, unread } = readEach(given, readRow, (row) => ({
      rest: restOfRow(row),
      variety: varietyFields.safeParse(row).data,
    }));
    const orders = rows.flatMap((each) => each.orders);
    const unreadOrders = unread.map(({ rest, reason }) => ({ ...rest, reason }));
    return {
      rows: rows.map(({ row }) => row),
      unreadVarieties: unread.flatMap(({ variety }) => variety ?? []),
      orders: unreadRows.note(orders, unreadOrders),
    };
  });
  const readTrades = lastOnly((data: unknown): readonly BrokerFill[] => {
    const { rows, unread } = readEach(parseAs(anyRows, data), readTrade, restOfRow);
    return unreadRows.note(rows, unread);
  });
  return { readBook, readTrades, unread: unreadRows.of, details: details.of };
}

/** Orders at the alternative broker (docs/spec/kite-orders.md). */
export function createAltTrading(parts: TradingParts): AltTrading {
  const { client, placing, changes, reads, queues, brokerTime, connectAhead } = parts;
  const varieties = createOrderVarieties();

  const change = (
    call: OrderCall,
    send: (token: string) => Promise<KiteAnswer>,
    wayOut = false,
  ): Promise<Outcome> => changeOrder(call === 'place' ? placing : changes, call, send, wayOut);

  const varietyOfOrder = (brokerOrderId: BrokerOrderId, variety = 'regular'): VarietyOfOrder =>
    varieties.of(brokerOrderId) ?? { variety, parentOrderId: null };

  async function readOne<T>(
    brokerOrderId: BrokerOrderId,
    send: (token: string, orderId: BrokerOrderId) => Promise<KiteAnswer>,
    parse: (data: unknown) => T,
  ): Promise<T> {
    if (!isOrderId(brokerOrderId)) {
      throw new BrokerError('alt', { kind: 'not_sent', reason: 'not_open', message: NO_ORDER_ID });
    }
    return reads.read(queues.account, (token) => send(token, brokerOrderId), parse);
  }

  const toFills = (data: unknown): readonly BrokerFill[] =>
    parseAs(tradeRows, data).map(toBrokerFill);
  const { readBook, readTrades, ...aboutRows } = createListReaders(parts.hidden);
  const learnVarieties = createVarietyReader(varieties);

  const blocked = (purpose?: Purpose): NotSent | null => obstacle(parts, purpose);

  return {
    broker: 'alt',
    mode: 'live',
    tagging: 'always',
    ...{ brokerTime, blocked, countEarlier: queues.orders.limiter.countEarlier },
    account: () => Promise.resolve(parts.userId()),
    marks: (terms) => marksOf(terms, parts.marks),

    async permit(waitMs, purpose) {
      if (!(await queues.orders.limiter.acquire(waitMs, priorityOf(purpose)))) {
        return notSent('no_permit', "the broker's rate limit on orders gave no permit");
      }
      connectAhead();
      return null;
    },

    async place(attempt) {
      const { wayOut = false } = attempt;
      const unwatched = blocked(wayOut ? 'way_out' : 'place');
      if (unwatched) return unwatched;
      const way = varietyOf(attempt.terms);
      const params = placeParams(attempt, parts.marks);
      const send = (token: string) => client.placeOrder(token, way, params, attempt);
      const outcome = await change('place', send, wayOut);
      if (outcome.kind === 'acknowledged') {
        varieties.placed(outcome.brokerOrderId, { variety: way, parentOrderId: null });
      }
      return outcome;
    },

    async cancel({ brokerOrderId, amo }) {
      if (!isOrderId(brokerOrderId)) return notSent('not_open', NO_ORDER_ID);
      const known = varietyOfOrder(brokerOrderId, amo ? 'amo' : undefined);
      const { variety, parentOrderId } = amo === false ? atExchange(known) : known;
      const params = parentParams(parentOrderId);
      const send = (token: string) => client.cancelOrder(token, variety, brokerOrderId, params);
      return change('cancel', send, true);
    },

    async modify(attempt) {
      const { brokerOrderId } = attempt;
      if (!isOrderId(brokerOrderId)) return notSent('not_open', NO_ORDER_ID);
      const { variety, parentOrderId } = varietyOfOrder(brokerOrderId, varietyOf(attempt.terms));
      const params = { ...modifyParams(attempt, parts.marks), ...parentParams(parentOrderId) };
      const send = (token: string) =>
        client.modifyOrder(token, variety, brokerOrderId, params, attempt);
      return change('modify', send);
    },

    orderBook: () =>
      reads.read(queues.account, client.orders, (data) => {
        const { rows, unreadVarieties, orders } = readBook(data);
        learnVarieties(rows, unreadVarieties);
        placing.allowEarly();
        changes.allowEarly();
        return orders;
      }),

    trades: () => reads.read(queues.account, client.trades, readTrades),
    ...aboutRows,

    orderHistory: (brokerOrderId) =>
      readOne(brokerOrderId, client.orderHistory, (data) =>
        redactedReasons(parseAs(orderRows, data).map(toBrokerOrder), parts.hidden()),
      ),

    orderTrades: (brokerOrderId) => readOne(brokerOrderId, client.orderTrades, toFills),
  };
}

/** Why a request for this purpose could not leave now. */
function obstacle(
  { placing, changes, reads }: TradingParts,
  purpose: Purpose = 'place',
): NotSent | null {
  if (purpose === 'way_out') return placing.blocked(true);
  if (purpose === 'modify') return changes.blocked();
  // An order that opens and that the gateway could not watch is not sent.
  return placing.blocked() ?? reads.blocked();
}

/** Sends a request that changes an order. Never rejects. */
async function changeOrder(
  calls: GuardedCalls,
  call: OrderCall,
  send: (token: string) => Promise<KiteAnswer>,
  wayOut: boolean,
): Promise<Outcome> {
  try {
    const brokerOrderId = await calls.change(send, acknowledgedId, wayOut);
    return { kind: 'acknowledged', brokerOrderId };
  } catch (error) {
    if (error instanceof BrokerError) return outcomeOf(call, error.failure);
    // Unexpected exception: we cannot tell whether the request left, so the outcome is uncertain.
    return uncertain({ kind: 'bad_payload', message: String(error) });
  }
}

/**
 * Learns from the rows of books; a row that was there in the book before says nothing new. One that cannot
 * be read whole may still tell how its order is changed.
 */
function createVarietyReader(
  varieties: OrderVarieties,
): (rows: readonly OrderRow[], unread: readonly VarietyFields[]) => void {
  let before: readonly OrderRow[] = [];
  return (rows, unread) => {
    for (const [place, row] of rows.entries()) {
      const isKnown = row === before[place] && !varieties.isPlaced(row.order_id);
      if (!isKnown) learnVariety(varieties, row);
    }
    for (const row of unread) learnVariety(varieties, row);
    before = rows;
    varieties.read();
  };
}

/** What the last book said of an after-market order can be from before the exchange had it. */
const atExchange = (known: VarietyOfOrder): VarietyOfOrder =>
  known.variety === 'amo' ? { ...known, variety: 'regular' } : known;

/** The variety under which the order of this row is changed from now on. */
function learnVariety(varieties: OrderVarieties, row: VarietyFields): void {
  const { order_id, parent_order_id } = row;
  const known = varieties.of(order_id)?.variety ?? null;
  const variety = varietyOfRow(row, known);
  if (variety === null) return;
  // Once an AMO reaches the exchange it is a regular order; a later row that still says `amo` is
  // stale.
  if (variety === 'amo' && known === 'regular') return;
  const parent = parent_order_id && isOrderId(parent_order_id) ? parent_order_id : null;
  varieties.learn(order_id, { variety, parentOrderId: parent });
}

const priorityOf = (purpose?: Purpose): Priority => (purpose === 'way_out' ? 'way_out' : 'caller');
