import {
  type BrokerFill,
  type BrokerOrder,
  realId,
  type UnreadRow,
} from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { MappedBook } from './book-mapping.ts';
import { type Acknowledgement, isSmartType } from './mapping.ts';
import { type BrokerOrderId, type EpochMs, later } from '../../units/branded.ts';

/**
 * Which orders are smart orders, and what their acknowledgements named. Kept in memory: a restart
 * forgets it.
 */
export interface SmartOrders {
  acknowledged(path: string, acknowledgement: Acknowledgement): void;
  /** Learns from a book. `smart` holds the ids whose rows have the type of a smart order. */
  seen(rows: readonly BrokerOrder[], smart: ReadonlySet<BrokerOrderId>): void;
  /**
   * Whether an order is changed with the calls for smart orders; its newest row decides, if there
   * is one.
   */
  isSmart(brokerOrderId: BrokerOrderId, rowType: string | null): boolean;
  /** Whether it is or once was a smart order: it may have a child, whatever its row is now. */
  everSmart(brokerOrderId: BrokerOrderId): boolean;
  /** Whether it was placed as an ordinary order, which has no parent. */
  isOrdinary(brokerOrderId: BrokerOrderId): boolean;
  /** Parent id by child id. */
  parents(): ReadonlyMap<BrokerOrderId, BrokerOrderId>;
}

/** The form of our tags (docs/orders.md). Other remarks were typed by people and may repeat. */
export const isOurTag = (remark: string): boolean => /^[A-Za-z0-9]{20}$/.test(remark);

export function createSmartOrders(): SmartOrders {
  /** As the newest row says. */
  const byRow = new Map<BrokerOrderId, boolean>();
  const placed = new Set<BrokerOrderId>();
  const ordinary = new Set<BrokerOrderId>();
  const parents = new Map<BrokerOrderId, BrokerOrderId>();
  const ever = new Set<BrokerOrderId>();
  return {
    acknowledged(path, { brokerOrderId, childOrderId }) {
      if (path === '/order') ordinary.add(brokerOrderId);
      if (path !== '/smart/order') return;
      placed.add(brokerOrderId);
      ever.add(brokerOrderId);
      if (childOrderId !== null && childOrderId !== brokerOrderId) {
        parents.set(childOrderId, brokerOrderId);
      }
    },
    seen(rows, smart) {
      for (const row of rows) {
        const { brokerOrderId } = row;
        byRow.set(brokerOrderId, smart.has(brokerOrderId));
        if (!smart.has(brokerOrderId)) continue;
        ever.add(brokerOrderId);
      }
    },
    isSmart(brokerOrderId, rowType) {
      const row = byRow.get(brokerOrderId);
      if (row !== undefined) return row;
      if (placed.has(brokerOrderId)) return true;
      if (ordinary.has(brokerOrderId)) return false;
      // No book has been read since the restart. The journal keeps the type as mapped from a row,
      // and the row of a smart order is mapped to SL.
      if (rowType !== null) return isSmartType(rowType) || rowType === 'SL';
      return brokerOrderId.startsWith('GTT-');
    },
    everSmart: (brokerOrderId) => ever.has(brokerOrderId),
    isOrdinary: (brokerOrderId) => ordinary.has(brokerOrderId),
    parents: () => parents,
  };
}

export interface Families {
  /** Every row of the book; the row of a smart order also reports the fills of its child. */
  readonly orders: readonly BrokerOrder[];
  /** By exchange order id: the smart order to which a fill belongs, where two rows have that id. */
  readonly parentByExchangeId: ReadonlyMap<string, BrokerOrderId>;
  /** By the id of a finished smart order: its child, while the child is working. */
  readonly workingChild: ReadonlyMap<BrokerOrderId, BrokerOrderId>;
}

/**
 * The order that a smart order sends to the exchange once its trigger is hit may have a row of its
 * own; the documentation does not say. Such a row is taken as a child only where the
 * acknowledgement named it, or where both rows carry the same exchange id or the same remarks, and
 * only with the same instrument, side and product. The child's fills and its tag then belong to the
 * parent (docs/spec/primary-brokerage.md, "Stop orders").
 */
export function joinChildren(
  { orders, unread, smart }: Pick<MappedBook, 'orders' | 'unread' | 'smart'>,
  smartOrders: SmartOrders,
): Families {
  const tags = tagsOfSmart({ orders, unread, smart }, smartOrders);
  const parents = orders.filter((row) => smartOrders.everSmart(row.brokerOrderId));
  const children = new Map<BrokerOrderId, BrokerOrder[]>();
  const adopted = new Map<BrokerOrder, BrokerOrderId>();
  for (const row of parents.length === 0 ? [] : orders) {
    const parent = parentOf(row, parents, smartOrders);
    if (!parent) continue;
    adopted.set(row, parent.brokerOrderId);
    children.set(parent.brokerOrderId, [...(children.get(parent.brokerOrderId) ?? []), row]);
  }
  const parentByExchangeId = new Map<string, BrokerOrderId>();
  const workingChild = new Map<BrokerOrderId, BrokerOrderId>();
  const joined = orders.map((row) => {
    const own = children.get(row.brokerOrderId);
    // One order of ours must have one row with its tag.
    if (!own) return withoutParentsTag(row, adopted.get(row), smartOrders, tags);
    const [working, ...others] = own.filter((child) => !isFinalRow(child.status));
    if (isFinalRow(row.status) && working && others.length === 0) {
      workingChild.set(row.brokerOrderId, working.brokerOrderId);
    }
    for (const { exchangeOrderId } of [row, ...own]) {
      const atExchange = realId(exchangeOrderId);
      if (atExchange !== null) parentByExchangeId.set(atExchange, row.brokerOrderId);
    }
    const told = own.reduce(join, row);
    // Several children may each have filled a part, so some fills may be counted twice: the total
    // is unknown.
    return own.length === 1 || isWhole(told) ? told : { ...told, filledQuantity: null };
  });
  return { orders: joined, parentByExchangeId, workingChild };
}

/**
 * The parent reports for its child, which must not look like a second placing of its order. Once the
 * parent has left the book, the row with the tag is the order (docs/orders.md, "An acknowledged id").
 */
function withoutParentsTag(
  row: BrokerOrder,
  parentId: BrokerOrderId | undefined,
  smartOrders: SmartOrders,
  tags: ReadonlySet<string>,
): BrokerOrder {
  if (parentId !== undefined) return { ...row, tags: [], childOf: parentId };
  return hasParentsTag(row, smartOrders, tags) ? { ...row, tags: [] } : row;
}

/** The tags of ours on the rows of the smart orders that a book shows, read or not. */
function tagsOfSmart(
  { orders, unread, smart }: Pick<MappedBook, 'orders' | 'unread' | 'smart'>,
  smartOrders: SmartOrders,
): ReadonlySet<string> {
  const isSmart = (id: BrokerOrderId | null): boolean =>
    id !== null && (smart.has(id) || smartOrders.everSmart(id));
  const rows = [...orders, ...unread].filter(({ brokerOrderId }) => isSmart(brokerOrderId));
  return new Set(rows.flatMap((row) => row.tags.filter(isOurTag)));
}

const hasParentsTag = (
  row: Pick<BrokerOrder, 'brokerOrderId' | 'tags'>,
  smartOrders: SmartOrders,
  ofSmart: ReadonlySet<string>,
): boolean =>
  !smartOrders.everSmart(row.brokerOrderId) &&
  !smartOrders.isOrdinary(row.brokerOrderId) &&
  row.tags.some((tag) => ofSmart.has(tag));

/**
 * Rows that cannot be read whole, without the tag of a smart order on what may be its child: that order's
 * own row tells.
 */
export function unreadWithoutParentsTag(
  { orders, unread, smart }: Pick<MappedBook, 'orders' | 'unread' | 'smart'>,
  smartOrders: SmartOrders,
): UnreadRow[] {
  const ofSmart = tagsOfSmart({ orders, unread, smart }, smartOrders);
  return unread.map((row) => {
    const { brokerOrderId, tags } = row;
    const isChild =
      brokerOrderId !== null &&
      !smart.has(brokerOrderId) &&
      hasParentsTag({ brokerOrderId, tags }, smartOrders, ofSmart);
    return isChild ? { ...row, tags: [] } : row;
  });
}

/** Fills carry only the exchange order id: those of a child belong to its smart order. */
export function joinFills(
  fills: readonly BrokerFill[],
  { parentByExchangeId }: Families,
): readonly BrokerFill[] {
  return fills.map((fill) => {
    const parent = parentByExchangeId.get(fill.exchangeOrderId ?? '');
    return parent === undefined ? fill : { ...fill, brokerOrderId: parent };
  });
}

function parentOf(
  row: BrokerOrder,
  parents: readonly BrokerOrder[],
  smartOrders: SmartOrders,
): BrokerOrder | null {
  const name = smartOrders.parents().get(row.brokerOrderId);
  if (name === undefined && smartOrders.isOrdinary(row.brokerOrderId)) return null;
  const [candidate, ...others] = parents.filter(
    (other) =>
      other !== row &&
      other.instrument === row.instrument &&
      other.side === row.side &&
      other.product === row.product &&
      (name === undefined
        ? !smartOrders.everSmart(row.brokerOrderId) && isOfOneKin(other, row)
        : other.brokerOrderId === name),
  );
  return candidate && others.length === 0 ? candidate : null;
}

function isOfOneKin(parent: BrokerOrder, row: BrokerOrder): boolean {
  const atExchange = realId(row.exchangeOrderId);
  if (atExchange !== null && realId(parent.exchangeOrderId) === atExchange) return true;
  return row.tags.some((tag) => isOurTag(tag) && parent.tags.includes(tag));
}

const isWhole = ({ quantity, filledQuantity }: Pick<BrokerOrder, 'quantity' | 'filledQuantity'>) =>
  quantity > 0 && (filledQuantity ?? 0) >= quantity;

/** The parent may or may not repeat its child's fill: the larger quantity counts, never the sum. */
function join(parent: BrokerOrder, child: BrokerOrder): BrokerOrder {
  const known = [parent.filledQuantity, child.filledQuantity].filter((each) => each !== null);
  const most = Math.min(parent.quantity, Math.max(0, ...known));
  // Once the parent is final, its child says what becomes of the order.
  const done = isFinalRow(parent.status);
  const teller = done ? child : parent;
  const told = child.filledQuantity !== null && (done || parent.filledQuantity !== null);
  const whole = isWhole({ quantity: parent.quantity, filledQuantity: most });
  return {
    ...parent,
    exchangeOrderId: parent.exchangeOrderId ?? child.exchangeOrderId,
    filledQuantity: whole || told ? most : null,
    averagePrice: parent.averagePrice ?? child.averagePrice,
    status: teller.status,
    rawStatus: teller.rawStatus,
    reason: parent.reason ?? child.reason,
    updatedAt: latest(parent.updatedAt, child.updatedAt),
  };
}

function latest(left: EpochMs | null, right: EpochMs | null): EpochMs | null {
  if (left === null || right === null) return left ?? right;
  return later(left, right);
}
