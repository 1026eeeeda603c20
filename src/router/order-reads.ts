import type { BrokerOrder } from '../domain/broker-order.ts';
import type { BrokerId } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Answer } from '../domain/answer.ts';
import { isFinal, type OrderResponse } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { type OrderRecord, statusOf as ownStatus } from '../execution/order/order.ts';
import { type TriggerOfRow, triggersOfRows } from '../execution/triggers/rows-of-triggers.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import { booksOfList, type BooksParts } from './books-of-list.ts';
import { createExternalReads, type ExternalOrder } from './external-orders.ts';
import type { OrderPage, OrderQuery } from './gateway.ts';
import { answeredOrder, shownToday, withDetails } from './order-details.ts';
import { externalName, externalOrder, externalStatus } from './order-list.ts';
import { readOrdersOfTriggers } from './orders-of-triggers.ts';
import { bytesOfOrder, compareAge, cursorOf, newestFirst, takePage, writeCursor } from './pages.ts';
import { accountAnswer, noBroker, notServed } from './reads.ts';
import { type ShownParts, shownOrder, shownRow } from './shown-order.ts';
import { type ElapsedMs, type EpochMs, later, LONG_AGO, plus } from '../units/branded.ts';

export interface OrderReadsParts extends BooksParts {
  readonly execution: Execution;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** The broker whose orders to read: the named one, or that of the trading route. */
  readonly accountOf: (named: BrokerId | undefined) => BrokerId | null;
}

/** Reads of orders, ours and those placed elsewhere. */
export interface OrderReads {
  getOrders(query: OrderQuery): Promise<OrderPage>;
  getOrder(id: string): Promise<OrderResponse>;
  getDatedOrder(id: string): Promise<Answer<OrderResponse>>;
  /** An order placed elsewhere by its row in today's book. */
  shownExternal(broker: BrokerId, row: BrokerOrder): OrderResponse;
  /** Throws `unknown_order`. */
  ownOrder(id: string): Promise<OrderRecord>;
}

export function createOrderReads(parts: OrderReadsParts): OrderReads {
  const { execution, clock, view, accountOf } = parts;
  const externalReads = createExternalReads(parts);

  async function getOrders(query: OrderQuery): Promise<OrderPage> {
    const today = tradingDay(clock.now());
    const cursor = cursorOf('orders', query.cursor, query.day);
    const day = cursor?.of ?? query.day ?? today;
    const broker = accountOf(query.broker);
    if (!broker)
      throw noBroker(
        'no broker of the trading route can be asked now: GET ' + '/api/v1/brokers says why',
      );
    const { caller, maxAgeMs } = query;
    const isOfAccount = day === today && caller === undefined;
    // Of those placed elsewhere, a caller has the orders of its triggers.
    const ofTriggers =
      day === today && caller !== undefined
        ? await readOrdersOfTriggers(parts, externalReads, { broker, caller, day, maxAgeMs })
        : null;
    const external = isOfAccount
      ? await externalReads.read(broker, maxAgeMs)
      : (ofTriggers?.external ?? null);
    const own = oldestFirst(await execution.ordersOn(day));
    const listed = newestFirst(own, external?.orders ?? [], cursor?.after ?? null);
    const keep = (entry: OrderRecord | ExternalOrder): boolean =>
      (!query.broker || entry.broker === query.broker) &&
      (caller === undefined || 'external' in entry || entry.caller === caller) &&
      (!query.status || query.status.includes(statusOf(entry))) &&
      (!('external' in entry) || external?.isExternal(entry) === true);
    const triggerOf = triggersOfRows(execution.state, broker, day);
    const show = (entry: Entry): OrderResponse =>
      shownToday(parts, responseOf(entry, execution, triggerOf));
    const shown = shownOf(listed, keep, show);
    const page = takePage(shown, bytesOfOrder, query.limit);
    const asked = external ?? { askedAt: clock.now(), asked: clock.elapsed() };
    // Open orders at another broker may be known from an older read: the oldest dates the page.
    const open = page.entries.filter((order) => !order.external && !isFinal(order.status));
    const oldest = [asked, ...open.map(saidAt)].reduce((one, other) =>
      other.asked < one.asked ? other : one,
    );
    const read = isOfAccount ? broker : null;
    const unread = (isOfAccount ? external?.unread : null) ?? [];
    const books = { named: query.broker, read, isOfToday: isOfAccount, unread };
    return {
      ...accountAnswer(view(broker), { ...oldest, data: page.entries }, clock),
      books: booksOfList(parts, books),
      ...(ofTriggers === null ? {} : { uncertainTriggers: ofTriggers.uncertain }),
      nextCursor:
        page.last === null ? null : writeCursor({ list: 'orders', of: day, after: page.last }),
    };
  }

  async function ownOrder(id: string): Promise<OrderRecord> {
    const order = await execution.order(id);
    if (order) return order;
    throw unknownOrder(id);
  }

  async function getOrder(id: string): Promise<OrderResponse> {
    const external = externalName(id);
    if (!external) return answeredOrder(parts, await ownOrder(id));
    const { broker, brokerOrderId } = external;
    const found = execution.poller(broker) && (await externalReads.find(broker, brokerOrderId));
    if (found) return shownNow(found);
    // Of a broker that is not set up it is not known whether it has the order.
    if (execution.poller(broker) === null) throw notServed(view(broker), 'orders');
    throw unknownOrder(id);
  }

  async function getDatedOrder(id: string): Promise<Answer<OrderResponse>> {
    const order = await getOrder(id);
    const { broker, mode } = order;
    return accountAnswer({ broker, mode }, { data: order, ...saidAt(order) }, clock);
  }

  /** When the book of an order was last read, or the order last changed, if that is later. */
  function saidAt({ broker, updatedAt }: SaidOrder): Asked {
    const read = execution.poller(broker)?.lastRead()?.begun ?? LONG_AGO;
    const changed = plus(clock.elapsed(), Math.min(0, updatedAt - clock.now()));
    const asked = later(read, changed);
    return { asked, askedAt: plus(clock.now(), asked - clock.elapsed()) };
  }

  function shownExternal(broker: BrokerId, row: BrokerOrder): OrderResponse {
    const { mode } = view(broker);
    return shownNow(externalReads.orderOf({ broker, mode }, row));
  }

  function shownNow(order: ExternalOrder): OrderResponse {
    const triggerOf = triggersOfRows(execution.state, order.broker, tradingDay(clock.now()));
    return withDetails(responseOf(order, execution, triggerOf), execution);
  }

  return { getOrders, getOrder, getDatedOrder, shownExternal, ownOrder };
}

type SaidOrder = Pick<OrderResponse, 'broker' | 'updatedAt'>;

interface Asked {
  readonly asked: ElapsedMs;
  readonly askedAt: EpochMs;
}

type Entry = OrderRecord | ExternalOrder;

const statusOf = (entry: Entry) =>
  'external' in entry ? externalStatus(entry.row) : ownStatus(entry);

const responseOf = (entry: Entry, parts: ShownParts, triggerOf: TriggerOfRow): OrderResponse =>
  'external' in entry
    ? externalOrder(
        entry,
        shownRow(parts, entry),
        entry.createdAt,
        triggerOf(entry.row)?.id ?? null,
      )
    : shownOrder(parts, entry);

/** They nearly always are: checking costs less than sorting thousands of orders for each page. */
function oldestFirst(orders: readonly OrderRecord[]): readonly OrderRecord[] {
  const isSorted = orders.every((order, place) => {
    const before = orders[place - 1];
    return before === undefined || compareAge(before, order) < 0;
  });
  return isSorted ? orders : [...orders].sort(compareAge);
}

function* shownOf(
  listed: Iterable<Entry>,
  keep: (entry: Entry) => boolean,
  show: (entry: Entry) => OrderResponse,
): Generator<OrderResponse, void, undefined> {
  for (const entry of listed) if (keep(entry)) yield show(entry);
}

const unknownOrder = (id: string): GatewayProblem =>
  new GatewayProblem({
    code: 'unknown_order',
    detail: `no order has the id ${id}: GET /api/v1/orders lists those of a day`,
  });
