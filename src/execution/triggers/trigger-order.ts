import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import { exchangeOf, type InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { weightedAverage } from '../../domain/money.ts';
import { isFinalRow, type Side } from '../../domain/order.ts';
import type { BrokerTrigger, TriggerTerms } from '../../domain/trigger.ts';
import type { BrokerOrderId, EpochMs, TradingDay } from '../../units/branded.ts';
import type { IsOtherInstrument } from '../order/attempt.ts';
import { fillKey } from '../order/fills.ts';
import { rowsById } from '../reconcile/rows-by-id.ts';
import type { BrokerId } from '../../domain/broker.ts';

/**
 * An order that the broker has placed because a trigger was reached, and what it has filled. Its fills belong to
 * the key of the trigger (docs/triggers.md, "The order that it places").
 */
export interface TriggerOrder {
  readonly brokerOrderId: BrokerOrderId;
  readonly side: Side;
  /**
   * The broker's day in whose book it is: by the time of the trigger's row, until a book has shown the order.
   */
  readonly day: TradingDay;
  /**
   * `open`: the book is read for it. `over`: it has ended, and all that it has filled is known. `lost`: the book of
   * its day is gone, and how much it has filled in all is not known. `told`: a person has said how much.
   */
  readonly state: 'open' | 'over' | 'lost' | 'told';
  /** Whether a book has shown it final. */
  readonly isFinal: boolean;
  /** The last book lacked its row, or showed it so that it cannot be read: more may have filled than is known. */
  readonly isRowMissing?: true;
  /** Shares or units; null while no book has told. Of one that is lost, the least. */
  readonly filledQuantity: number | null;
  /** Rupees, of the broker's row; null where that has none. */
  readonly averagePrice: number | null;
  /** The trades that were seen of it. */
  readonly fills: readonly TriggerFill[];
}

export interface TriggerFill {
  /** See `fillKey`. */
  readonly key: string;
  readonly quantity: number;
  /** Rupees. */
  readonly price: number;
}

/** The id of an order that no list has named, and of which a person has said what it has filled. */
const NOT_NAMED = 'not named';

/** What a person says of the order of a trigger: how much it has filled, and at what average price, if that is known. */
export interface ToldFill {
  /** Shares or units. */
  readonly quantity: number;
  /** Rupees; null where the person does not say. */
  readonly averagePrice: number | null;
}

/** The orders of a trigger once a person has said how much has filled of what was not known. */
export function ordersTold(
  known: readonly TriggerOrder[],
  { quantity, averagePrice }: ToldFill,
  { side, day }: Pick<TriggerOrder, 'side' | 'day'>,
): readonly TriggerOrder[] {
  const told = { state: 'told', isFinal: true, filledQuantity: quantity, averagePrice } as const;
  if (known.length === 0) return [{ brokerOrderId: NOT_NAMED, side, day, fills: [], ...told }];
  return known.map((order) =>
    order.state === 'lost'
      ? { ...order, ...told, averagePrice: averagePrice ?? order.averagePrice }
      : order,
  );
}

/** What of a trigger tells which row of a book is its order. */
export interface OrderOfTrigger {
  readonly broker: BrokerId;
  readonly instrument: InstrumentName;
  /** The largest quantity that the leg was asked to have, shares or units. */
  readonly asked: number;
  readonly order: TriggerOrder;
}

/** The orders of a trigger, with those that its row in the broker's list names for the first time. */
export function ordersNamed(
  known: readonly TriggerOrder[],
  { legs, updatedAt }: Pick<BrokerTrigger, 'legs' | 'updatedAt'>,
  at: EpochMs,
): readonly TriggerOrder[] {
  const named = legs.flatMap(({ brokerOrderId, side }): TriggerOrder[] => {
    const isKnown = known.some((each) => each.brokerOrderId === brokerOrderId);
    if (brokerOrderId === null || isKnown) return [];
    return [
      {
        ...{ brokerOrderId, side, day: tradingDay(updatedAt ?? at), state: 'open' },
        ...{ isFinal: false, filledQuantity: null, averagePrice: null, fills: [] },
      },
    ];
  });
  if (named.length === 0) return known;
  return [...known.filter(({ brokerOrderId }) => brokerOrderId !== NOT_NAMED), ...named];
}

/** A trade as far as it tells whose it is. */
type TradeOfBook = Pick<BrokerFill, 'brokerOrderId' | 'instrument' | 'side'>;

/**
 * Whether a trade is one of such an order: by its id, and because nothing that it tells says otherwise. Another
 * order's trade can stand under the same id (docs/orders.md, "Another order's row under the id").
 */
export const isTradeOf = (
  { instrument, order }: Pick<OrderOfTrigger, 'instrument' | 'order'>,
  trade: TradeOfBook,
  isOther: IsOtherInstrument,
): boolean =>
  trade.brokerOrderId === order.brokerOrderId &&
  (trade.side === undefined || trade.side === order.side) &&
  (trade.instrument === undefined ||
    !isOther({ terms: { instrument } }, { instrument: trade.instrument }));

/** Whether a row of a book is such an order: by its id, and because it is of the same instrument and side. */
export const isRowOf = (
  { instrument, order }: Pick<OrderOfTrigger, 'instrument' | 'order'>,
  row: Pick<BrokerOrder, 'brokerOrderId' | 'instrument' | 'side'>,
): boolean =>
  row.brokerOrderId === order.brokerOrderId &&
  row.side === order.side &&
  row.instrument === instrument;

/**
 * The order as a read of its book leaves it: `row` as the book shows it, and its trades where they were read.
 * Reads can be of the past, so that nothing takes back a fill or an end.
 */
export function orderAfterRead(
  of: OrderOfTrigger,
  row: BrokerOrder,
  trades: readonly BrokerFill[] | null,
  day: TradingDay,
): TriggerOrder {
  const { order } = of;
  const bookDay = row.createdAt === null ? day : tradingDay(row.createdAt);
  const shown = { ...order, day: order.filledQuantity === null ? bookDay : order.day };
  const fills = withTrades({ ...of, order: shown }, trades ?? []);
  const isFinal = order.isFinal || isFinalRow(row.status);
  const traded = quantityOf(fills);
  // Of what trades show beyond the order nobody knows whose it is (decisions/0086).
  const shownNow = Math.min(Math.max(row.filledQuantity ?? 0, traded), mostOf(of, row));
  const told = Math.max(order.filledQuantity ?? 0, shownNow);
  // A row that has ended and does not say how much it has filled leaves that open, unless all of it is known.
  const isUntold =
    row.filledQuantity === null &&
    told < row.quantity &&
    (order.filledQuantity === null || isFinalRow(row.status));
  const filledQuantity = isUntold ? null : told;
  const isOver = isFinal && filledQuantity !== null && traded >= filledQuantity;
  return {
    ...{ brokerOrderId: shown.brokerOrderId, side: shown.side, day: shown.day },
    ...{ isFinal, filledQuantity, fills },
    averagePrice: row.averagePrice ?? order.averagePrice,
    state: isOver ? 'over' : 'open',
  };
}

/** The most that an order can fill, as far as is known. */
export const mostOf = ({ asked }: OrderOfTrigger, row: BrokerOrder): number =>
  Math.max(asked, row.quantity);

/**
 * The order as a read of the book of its day leaves it that lacks its row: its trades still tell of fills, and until
 * its row is back, or if that had shown it final, nobody knows whether they are all.
 */
export function orderWithoutRow(
  of: OrderOfTrigger,
  trades: readonly BrokerFill[] | null,
): TriggerOrder {
  const { order } = of;
  const fills = withTrades(of, trades ?? []);
  const traded = quantityOf(fills);
  const known = Math.max(order.filledQuantity ?? 0, traded);
  const filledQuantity = known === 0 ? order.filledQuantity : known;
  if (order.isFinal && filledQuantity !== null) {
    return { ...order, fills, filledQuantity, state: traded >= filledQuantity ? 'over' : 'open' };
  }
  return { ...order, fills, filledQuantity, isRowMissing: true };
}

/** The order once the book of its day is gone: what was final and told stands. */
export const orderAfterDay = (order: TriggerOrder): TriggerOrder => ({
  ...order,
  state: order.isFinal && order.filledQuantity !== null ? 'over' : 'lost',
});

/** Whether trades may tell what the rows of a book do not: they lack it, or it is over, and may fill after its end. */
export const isUntoldBy = (of: OrderOfTrigger, rows: readonly BrokerOrder[]): boolean =>
  of.order.state === 'over' ||
  !rowsById(rows)
    .of(of.order.brokerOrderId)
    .some((row) => isRowOf(of, row));

/** The quantity of an order that a trigger has placed: that of its leg; where both legs have their own, the larger one. */
export const quantityOfOrder = (
  { legs }: Pick<TriggerTerms, 'legs'>,
  { side }: Pick<TriggerOrder, 'side'>,
): number => Math.max(0, ...legs.filter((leg) => leg.side === side).map((leg) => leg.quantity));

/** Whether trades of it are to be read: its row tells of more than was seen. */
export const wantsTrades = (of: OrderOfTrigger, rows: readonly BrokerOrder[]): boolean =>
  rowsById(rows)
    .of(of.order.brokerOrderId)
    .some(
      (row) => isRowOf(of, row) && (row.filledQuantity ?? Infinity) > quantityOf(of.order.fills),
    );

/** Rupees: of the trades where all were seen, else of the broker's row; null where neither tells. */
export function averagePriceOf({
  filledQuantity,
  fills,
  averagePrice,
}: TriggerOrder): number | null {
  const isWhole = fills.length > 0 && quantityOf(fills) === filledQuantity;
  return isWhole ? weightedAverage(fills) : averagePrice;
}

export const quantityOf = (fills: readonly TriggerFill[]): number =>
  fills.reduce((sum, { quantity }) => sum + quantity, 0);

function withTrades(
  { broker, instrument, order }: OrderOfTrigger,
  trades: readonly BrokerFill[],
): readonly TriggerFill[] {
  const { brokerOrderId, day } = order;
  const fills = new Map(order.fills.map((fill) => [fill.key, fill]));
  for (const { fillId, exchange, quantity, price } of trades) {
    const name = { broker, day, brokerOrderId, fillId, exchange };
    const key = fillKey(name, exchangeOf(instrument));
    if (!fills.has(key)) fills.set(key, { key, quantity, price });
  }
  return fills.size === order.fills.length ? order.fills : [...fills.values()];
}
