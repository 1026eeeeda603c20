import type { BrokerFill, BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerOrderDetails } from '../../domain/broker-order-details.ts';
import type { InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import { isFinalRow, ORDER_TYPES, type Side, VALIDITIES } from '../../domain/order.ts';
import { lastOnly } from '../../platform/last-only.ts';
import type { BrokerOrderId } from '../../units/branded.ts';
import { plainWord } from '../kit/row-words.ts';
import { NOTHING_READ, readEach, type RowsRead } from '../kit/unread-rows.ts';
import { badPayload } from './envelope.ts';
import { instrumentOf, isSmartType, segmentOf, stopKind } from './mapping.ts';
import { toOrderDetails } from './order-details.ts';
import { classOfText } from './refusals.ts';
import { fillRow, namesInstrument, orderRow, type OrderRow } from './schemas.ts';
import { readStatus } from './status.ts';

export interface MappedBook {
  readonly orders: readonly BrokerOrder[];
  readonly unread: readonly UnreadRow[];
  /** Whether any row belongs to another segment than equity; a row without a segment may. */
  readonly derivatives: boolean;
  /** Ids of the orders whose row type is that of a smart order. */
  readonly smart: ReadonlySet<BrokerOrderId>;
  /** What the row of an order tells besides. */
  readonly details: (brokerOrderId: BrokerOrderId) => BrokerOrderDetails | null;
}

export interface BookMapper {
  readonly mapBook: (rows: readonly unknown[]) => MappedBook;
  /** What the row of an order in the last book tells besides. */
  readonly details: MappedBook['details'];
}

/**
 * Maps order books of a day. Only rows without an id are left out: a row with an id that lacks what makes it an
 * order is among `unread`, so that no order of ours can vanish. The same rows give the same book, unless the instrument lists name one of their
 * instruments in another way by now.
 */
export function createBookMapper(
  lookup: InstrumentLookup,
  extraTerminal: readonly string[],
): BookMapper {
  const readRows = lastOnly(readOrderRows);
  let last: {
    readonly read: RowsRead<OrderRow>;
    readonly names: readonly (InstrumentName | null)[];
    readonly book: MappedBook;
  } | null = null;
  const mapBook = (rows: readonly unknown[]): MappedBook => {
    const read = readRows(rows);
    const names = read.rows.map((row) => nameOf(row, lookup));
    const isSame = read === last?.read && names.every((name, place) => name === last?.names[place]);
    if (last === null || !isSame) {
      last = { read, names, book: mapRows(read, lookup, extraTerminal) };
    }
    return last.book;
  };
  return { mapBook, details: (brokerOrderId) => last?.book.details(brokerOrderId) ?? null };
}

const readOrderRows = (rows: readonly unknown[]): RowsRead<OrderRow> =>
  readEach(
    rows,
    (each) => {
      const parsed = orderRow.safeParse(each);
      if (!parsed.success) throw badPayload('a row of the order book is not an object');
      return parsed.data;
    },
    () => NOTHING_READ,
  );

function mapRows(
  objects: RowsRead<OrderRow>,
  lookup: InstrumentLookup,
  extraTerminal: readonly string[],
): MappedBook {
  const named = objects.rows.filter((row) => row.hasId);
  const smart = named.filter((row) => isSmartType(row.orderType)).flatMap(({ id }) => id ?? []);
  const orders = readEach(
    named,
    (row) => mapOrder(row, lookup, extraTerminal),
    (row) => ({
      brokerOrderId: row.id,
      exchangeOrderId: row.exchangeOrderId,
      side: sideOf(row.side),
      instrument: nameOf(row, lookup),
      quantity: typeof row.requested === 'number' ? row.requested : null,
      ...(row.product === null ? {} : { product: plainWord(row.product) }),
      ...statusOfUnread(row, extraTerminal),
      ...timingOf(row),
      tags: tagsOf(row),
    }),
  );
  // Most books are read without anybody asking for more.
  let byId: ReadonlyMap<BrokerOrderId | null, OrderRow> | null = null;
  return {
    orders: orders.rows,
    unread: [...objects.unread, ...orders.unread],
    derivatives: objects.rows.some((row) => segmentOf(row.segment) !== 'EQUITY'),
    smart: new Set(smart),
    details: (brokerOrderId) => {
      byId ??= new Map(named.map((row) => [row.id, row]));
      const row = byId.get(brokerOrderId);
      return row === undefined ? null : toOrderDetails(row, nameOf(row, lookup));
    },
  };
}

/** What a row's status says where nothing else of it need be readable. */
function statusOfUnread(
  { status, traded, orderType }: OrderRow,
  extraTerminal: readonly string[],
): Pick<UnreadRow, 'status'> {
  if (status === null) return {};
  return { status: readStatus(status, 0, traded, extraTerminal, isSmartType(orderType)).status };
}

/** A smart order outlives its session, whatever its row says. */
function timingOf(row: OrderRow): Pick<UnreadRow, 'timing'> {
  if (!row.isTimed || row.orderType === null || isSmartType(row.orderType)) return {};
  const { createdAt, updatedAt, triggerPrice } = row;
  return {
    timing: { createdAt, updatedAt, validity: known(row.validity, VALIDITIES), triggerPrice },
  };
}

/** Null where the row does not name its instrument. */
function nameOf(row: OrderRow, lookup: InstrumentLookup): InstrumentName | null {
  const { securityId, exchange, segment } = row;
  if (!securityId || !exchange || !namesInstrument(row)) return null;
  return instrumentOf(lookup, exchange, securityId, segmentOf(segment));
}

export function mapOrder(
  row: OrderRow,
  lookup: InstrumentLookup,
  extraTerminal: readonly string[],
): BrokerOrder {
  const { id, securityId, exchange, requested, tooLong } = row;
  if (id === null) throw badPayload('a row of the order book has an unreadable id');
  if (tooLong !== null) throw badPayload(`order ${id} has a text that is too long: ${tooLong}`);
  const side = sideOf(row.side);
  if (side === null) throw badPayload(`order ${id} has no readable side`);
  if (typeof requested !== 'number') throw badPayload(`order ${id} has no readable quantity`);
  if (securityId === null || exchange === null) {
    throw badPayload(`order ${id} does not name its instrument`);
  }
  const rawStatus = row.status ?? '';
  const smart = isSmartType(row.orderType);
  const reading = readStatus(rawStatus, requested, row.traded, extraTerminal, smart);
  return {
    brokerOrderId: id,
    exchangeOrderId: row.exchangeOrderId,
    instrument: instrumentOf(lookup, exchange, securityId, segmentOf(row.segment)),
    side,
    quantity: requested,
    // An order of nothing does not rest: nobody knows how much of it does.
    ...(requested === 0 && !isFinalRow(reading.status) ? { mostLeft: null } : {}),
    ...reading,
    averagePrice: row.averagePrice,
    orderType: known(row.orderType, ORDER_TYPES),
    product: plainWord(row.product ?? ''),
    validity: known(row.validity, VALIDITIES),
    price: row.price,
    triggerPrice: row.triggerPrice,
    ...stopKind(row),
    rawStatus,
    reason: row.reason,
    ...(reading.status === 'rejected' ? { rejection: classOfText(row.reason ?? '') } : {}),
    tags: tagsOf(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const tagsOf = ({ remarks }: OrderRow): string[] => (remarks === null ? [] : [remarks]);

/** Maps the trade book. Every row is an execution, so none is left out silently. */
export function mapFills(rows: readonly unknown[]): RowsRead<BrokerFill> {
  const read = (each: unknown): BrokerFill => {
    const parsed = fillRow.safeParse(each);
    if (!parsed.success) throw badPayload('a row of the trade book is not an object');
    const { fillId, exchangeOrderId, brokerOrderId, quantity, price, tooLong } = parsed.data;
    if (fillId === null) throw badPayload('a row of the trade book has no readable fill id');
    if (tooLong !== null)
      throw badPayload(`fill ${fillId} has a text that is too long: ${tooLong}`);
    if (exchangeOrderId === null && brokerOrderId === null) {
      throw badPayload(`fill ${fillId} does not name its order`);
    }
    if (typeof quantity !== 'number' || quantity === 0 || price === null) {
      throw badPayload(`fill ${fillId} has no readable quantity and price`);
    }
    const { exchange, at } = parsed.data;
    return { fillId, brokerOrderId, exchangeOrderId, exchange, quantity, price, at };
  };
  return readEach(rows, read, (each) => {
    const { brokerOrderId = null, exchangeOrderId = null } = fillRow.safeParse(each).data ?? {};
    return { ...NOTHING_READ, brokerOrderId, exchangeOrderId };
  });
}

/** Maps the trade books of both segments as one. */
export function createTradesMapper(): (
  equity: readonly unknown[],
  derivatives: readonly unknown[],
) => RowsRead<BrokerFill> {
  const [mapEquity, mapDerivatives] = [lastOnly(mapFills), lastOnly(mapFills)];
  return (equity, derivatives) => {
    const both = [mapEquity(equity), mapDerivatives(derivatives)];
    return { rows: both.flatMap(({ rows }) => rows), unread: both.flatMap(({ unread }) => unread) };
  };
}

function sideOf(text: string | null): Side | null {
  const side = plainWord(text ?? '');
  if (side === 'BUY' || side === 'B') return 'BUY';
  return side === 'SELL' || side === 'S' ? 'SELL' : null;
}

/** A known word in the gateway's case; any other word as the broker wrote it. */
function known(text: string | null, words: readonly string[]): string {
  const upper = plainWord(text ?? '');
  return words.includes(upper) ? upper : (text ?? '');
}
