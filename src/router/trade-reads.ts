import type { BrokerId, Mode } from '../domain/broker.ts';
import { type BrokerFill, type BrokerOrder, externalId } from '../domain/broker-order.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Execution } from '../execution/execution.ts';
import { isRowOfOurs } from '../execution/reconcile/matching.ts';
import type { BookPoller } from '../execution/reconcile/book-poller.ts';
import { triggersOfRows } from '../execution/triggers/rows-of-triggers.ts';
import { triggersIn } from '../execution/triggers/unexplained-rows.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import { createSharedRead, type SharedRead } from '../portfolio/shared-read.ts';
import { epochMs, type TradingDay } from '../units/branded.ts';
import { cursorOf, type ListPosition, newestFirst, takePage, writeCursor } from './pages.ts';
import type { BrokerView } from './policy.ts';
import { type Trade, type TradeQuery, type TradePage, type TradeReads } from './trades.ts';
import { asProblems } from './problems.ts';
import { accountAnswer, noBroker, notServed } from './reads.ts';

export interface TradeReadsParts {
  readonly execution: Execution;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly accountOf: (named: BrokerId | undefined) => BrokerId | null;
  /** The canonical name of an instrument; rejects for one that is not known. */
  readonly instrument: (text: string) => Promise<{ readonly name: InstrumentName }>;
}

export interface TradesOfOrder {
  /** All trades of the day of an order placed elsewhere, oldest first. */
  tradesOf(external: Pick<OrderResponse, 'id' | 'broker'>): Promise<readonly Trade[]>;
}

/** Where the broker gives a trade no time, it is listed as the oldest. */
const LONG_TIME_AGO = epochMs(0);

/** Its time is a text in an answer, and longer there. */
const bytesOfTrade = ({ trade }: Entry): number => Buffer.byteLength(JSON.stringify(trade)) + 32;

/** `caller`: the key whose order, or whose trigger's order, it is of; null for one placed elsewhere. */
type Entry = ListPosition & { readonly trade: Trade; readonly caller: string | null };

/**
 * Trades as the broker lists them. A list that cannot be read, or of which a row cannot be read, is an
 * error: without that row it would say that there is no such trade.
 */
export function createTradeReads(parts: TradeReadsParts): TradeReads & TradesOfOrder {
  const { execution, clock, view, accountOf } = parts;

  function pollerOf(named: BrokerId | undefined): BookPoller {
    const broker = accountOf(named);
    const poller = broker === null ? null : execution.poller(broker);
    if (poller) return poller;
    if (broker !== null) throw notServed(view(broker), 'trades');
    throw noBroker('no broker of the trading route can be asked now: GET /api/v1/brokers says why');
  }

  /** The book is read after the trades, so that it has the order of every one of them. */
  async function readOnce({ trading, read: readBook }: BookPoller) {
    const asked = clock.elapsed();
    const fills = await trading.trades();
    const book = await readBook(asked);
    const { rows } = book;
    const [unread] = [...(trading.unread?.(fills) ?? []), ...book.unread];
    if (unread) {
      throw new BrokerError(trading.broker, { kind: 'bad_payload', message: unread.reason });
    }
    // The list of triggers tells whose order a trade of today may be of.
    const { broker } = trading;
    const open = await execution.triggers.unexplained.explain({ ...book, broker });
    return { fills, rows, open };
  }

  /** Of each broker, for all who ask. */
  const shared = new Map<BrokerId, SharedRead<Awaited<ReturnType<typeof readOnce>>>>();
  execution.onOrderMoved((broker) => shared.get(broker)?.outdate());

  function sharedOf(poller: BookPoller) {
    const { broker } = poller.trading;
    const known = shared.get(broker);
    if (known !== undefined) return known;
    const made = createSharedRead(() => readOnce(poller), parts);
    shared.set(broker, made);
    return made;
  }

  /** Oldest first. */
  async function listed(poller: BookPoller, day: TradingDay, maxAgeMs = 0) {
    const { data, ...asked } = await sharedOf(poller).read(maxAgeMs);
    const { fills, rows, open } = data;
    const trades = fills
      .map(namesOfOrders(execution, poller.trading, day, rows))
      .sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
    return { trades, open, ...asked };
  }

  async function getTrades(query: TradeQuery): Promise<TradePage> {
    const poller = pollerOf(query.broker);
    const { broker } = poller.trading;
    const day = tradingDay(clock.now());
    const after = cursorOf('trades', query.cursor, day)?.after ?? null;
    const name = query.instrument ? (await parts.instrument(query.instrument)).name : null;
    const { trades, open, ...asked } = await listed(poller, day, query.maxAgeMs);
    const mine = open.filter(({ trigger }) => trigger.caller === query.caller);
    const entries = trades
      .filter(({ trade }) => name === null || trade.instrument === name)
      .filter(({ trade }) => !query.orderId || trade.orderId === query.orderId)
      .filter(({ caller }) => query.caller === undefined || caller === query.caller);
    const left = newestFirst(entries, [], after);
    const { entries: page, last } = takePage(left, bytesOfTrade, query.limit);
    return {
      ...accountAnswer(view(broker), { ...asked, data: page.map(({ trade }) => trade) }, clock),
      nextCursor: last ? writeCursor({ list: 'trades', of: day, after: last }) : null,
      ...(query.caller === undefined ? {} : { uncertainTriggers: triggersIn(mine) }),
    };
  }

  return {
    getTrades: (query = {}) => asProblems(() => getTrades(query)),
    async tradesOf({ id, broker }) {
      const { trades } = await listed(pollerOf(broker), tradingDay(clock.now()));
      return trades.map(({ trade }) => trade).filter(({ orderId }) => orderId === id);
    },
  };
}

/** Tells which order a trade is of, by the id of the broker's or by that of the exchange. */
function namesOfOrders(
  execution: Execution,
  { broker, mode }: { readonly broker: BrokerId; readonly mode: Mode },
  day: TradingDay,
  rows: readonly BrokerOrder[],
): (fill: BrokerFill) => Entry {
  const byId = new Map(rows.map((row) => [row.brokerOrderId, row]));
  const byExchangeId = new Map(rows.map((row) => [row.exchangeOrderId, row]));
  const { state } = execution;
  const triggerOf = triggersOfRows(state, broker, day);
  return (fill) => {
    const row =
      fill.brokerOrderId === null
        ? fill.exchangeOrderId === null
          ? undefined
          : byExchangeId.get(fill.exchangeOrderId)
        : byId.get(fill.brokerOrderId);
    const brokerOrderId = fill.brokerOrderId ?? row?.brokerOrderId ?? null;
    const isOurs = row !== undefined && isRowOfOurs(state, broker, day, row);
    const own = state.observedIn.get(broker, day, brokerOrderId ?? '')?.orderId ?? null;
    const trigger = isOurs || row === undefined ? null : triggerOf(row);
    const elsewhere = brokerOrderId === null ? null : externalId(broker, brokerOrderId);
    const trade: Trade = {
      id: fill.fillId,
      orderId: isOurs ? own : elsewhere,
      external: !isOurs,
      triggeredBy: trigger?.id ?? null,
      ...{ broker, mode, brokerOrderId },
      exchangeOrderId: fill.exchangeOrderId ?? row?.exchangeOrderId ?? null,
      instrument: fill.instrument ?? row?.instrument ?? null,
      side: fill.side ?? row?.side ?? null,
      product: row?.product ?? null,
      ...{ quantity: fill.quantity, price: fill.price, at: fill.at },
    };
    const id = `${brokerOrderId ?? fill.exchangeOrderId ?? ''} ${fill.fillId}`;
    const placedBy = isOurs ? state.orders.get(own ?? '') : trigger;
    return { id, createdAt: fill.at ?? LONG_TIME_AGO, trade, caller: placedBy?.caller ?? null };
  };
}
