import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order-status.ts';
import { isOurTag, type SmartOrders } from './smart-orders.ts';

export interface Families {
  /** Every row that was there; a smart order's also tells what became of its child. */
  readonly orders: readonly BrokerOrder[];
  /** The smart order behind an order at the exchange, where two rows could claim it. */
  readonly parentByExchangeId: ReadonlyMap<string, string>;
  /** By a smart order that is done with: its child, while that one works. */
  readonly workingChild: ReadonlyMap<string, string>;
}

/**
 * What a smart order sends to the exchange once its trigger is hit may have a row of its own: nobody
 * has documented it. Such a row is taken for a child only where the acknowledgement named it, or
 * where both rows carry the same exchange id or the same remarks, and only of the same instrument,
 * side and product. Then the child's fills are the parent's, and so is its tag
 * (docs/spec/primary-brokerage.md, "Stop orders").
 */
export function joinChildren(orders: readonly BrokerOrder[], smartOrders: SmartOrders): Families {
  const parents = orders.filter((row) => smartOrders.everSmart(row.brokerOrderId));
  const children = new Map<string, BrokerOrder[]>();
  const adopted = new Map<BrokerOrder, string>();
  for (const row of parents.length === 0 ? [] : orders) {
    const parent = parentOf(row, parents, smartOrders);
    if (!parent) continue;
    adopted.set(row, parent.brokerOrderId);
    children.set(parent.brokerOrderId, [...(children.get(parent.brokerOrderId) ?? []), row]);
  }
  const parentByExchangeId = new Map<string, string>();
  const workingChild = new Map<string, string>();
  const joined = orders.map((row) => {
    const own = children.get(row.brokerOrderId);
    // One order of ours, one row with its tag.
    if (!own) return withoutParentsTag(row, adopted.get(row), smartOrders);
    const working = own.filter((child) => !isFinalRow(child.status));
    if (isFinalRow(row.status) && working.length === 1) {
      workingChild.set(row.brokerOrderId, working[0]!.brokerOrderId);
    }
    for (const { exchangeOrderId } of [row, ...own]) {
      if (exchangeOrderId !== null) parentByExchangeId.set(exchangeOrderId, row.brokerOrderId);
    }
    const told = own.reduce(join, row);
    // Several may each have filled a part: what of it is counted twice, nobody can say.
    return own.length === 1 || told.status === 'filled' ? told : { ...told, filledQuantity: null };
  });
  return { orders: joined, parentByExchangeId, workingChild };
}

/**
 * A child tells through its parent. One whose parent the book no longer shows is nobody's row, but no
 * second sending of our order either.
 */
function withoutParentsTag(
  row: BrokerOrder,
  parentId: string | undefined,
  smartOrders: SmartOrders,
): BrokerOrder {
  if (parentId !== undefined) return { ...row, tags: [], childOf: parentId };
  const orphaned =
    !smartOrders.everSmart(row.brokerOrderId) &&
    !smartOrders.isOrdinary(row.brokerOrderId) &&
    row.tags.some(smartOrders.isOfSmart);
  return orphaned ? { ...row, tags: [] } : row;
}

/** Fills name their order by the exchange's id alone: those of a child go to its smart order. */
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
  const candidates = parents.filter(
    (other) =>
      other !== row &&
      other.instrument === row.instrument &&
      other.side === row.side &&
      other.product === row.product &&
      (name === undefined
        ? !smartOrders.everSmart(row.brokerOrderId) && isOfOneKin(other, row)
        : other.brokerOrderId === name),
  );
  return candidates.length === 1 ? candidates[0]! : null;
}

function isOfOneKin(parent: BrokerOrder, row: BrokerOrder): boolean {
  // "0" and the like stand for no id yet.
  const isReal = row.exchangeOrderId !== null && /[1-9]/.test(row.exchangeOrderId);
  if (isReal && parent.exchangeOrderId === row.exchangeOrderId) return true;
  return row.tags.some((tag) => isOurTag(tag) && parent.tags.includes(tag));
}

/** The parent may or may not repeat its child's fill: the larger counts, never both. */
function join(parent: BrokerOrder, child: BrokerOrder): BrokerOrder {
  const known = [parent.filledQuantity, child.filledQuantity].filter((each) => each !== null);
  const most = Math.min(parent.quantity, Math.max(0, ...known));
  const whole = parent.quantity > 0 && most >= parent.quantity;
  // Once the parent is done with, its child says what becomes of the order.
  const done = isFinalRow(parent.status);
  const teller = done ? child : parent;
  const told = child.filledQuantity !== null && (done || parent.filledQuantity !== null);
  const filledQuantity = whole || told ? most : null;
  return {
    ...parent,
    exchangeOrderId: parent.exchangeOrderId ?? child.exchangeOrderId,
    filledQuantity,
    averagePrice: parent.averagePrice ?? child.averagePrice,
    status: whole ? 'filled' : teller.status,
    rawStatus: whole ? parent.rawStatus : teller.rawStatus,
    reason: parent.reason ?? child.reason,
    updatedAt: latest(parent.updatedAt, child.updatedAt),
  };
}

function latest(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.max(left, right);
}
