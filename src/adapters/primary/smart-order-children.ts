import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order-status.ts';

export interface Families {
  /** Every row that was there; a smart order's also tells what became of its child. */
  readonly orders: readonly BrokerOrder[];
  /** The smart order behind an order at the exchange, where two rows could claim it. */
  readonly parentByExchangeId: ReadonlyMap<string, string>;
}

/**
 * What a smart order sends to the exchange once its trigger is hit may have a row of its own: nobody
 * has documented it. Such a row is taken for a child only where the acknowledgement named it, or
 * where both rows carry the same exchange id or the same remarks, and only of the same instrument,
 * side and product. Then the child's fills are the parent's, and so is its tag
 * (docs/spec/primary-brokerage.md, "Stop orders").
 */
export function joinChildren(
  orders: readonly BrokerOrder[],
  smart: ReadonlySet<string>,
  /** Parent by child, as acknowledgements named them. */
  named: ReadonlyMap<string, string>,
): Families {
  const parents = orders.filter((row) => smart.has(row.brokerOrderId));
  const children = new Map<string, BrokerOrder[]>();
  const adopted = new Set<BrokerOrder>();
  for (const row of parents.length === 0 ? [] : orders) {
    const parent = parentOf(row, parents, smart, named);
    if (!parent) continue;
    adopted.add(row);
    children.set(parent.brokerOrderId, [...(children.get(parent.brokerOrderId) ?? []), row]);
  }
  const parentByExchangeId = new Map<string, string>();
  const joined = orders.map((row) => {
    const own = children.get(row.brokerOrderId);
    // One order of ours, one row with its tag.
    if (!own) return adopted.has(row) ? { ...row, tags: [] } : row;
    for (const { exchangeOrderId } of [row, ...own]) {
      if (exchangeOrderId !== null) parentByExchangeId.set(exchangeOrderId, row.brokerOrderId);
    }
    const told = own.reduce(join, row);
    // Several may each have filled a part: what of it is counted twice, nobody can say.
    return own.length === 1 || told.status === 'filled' ? told : { ...told, filledQuantity: null };
  });
  return { orders: joined, parentByExchangeId };
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
  smart: ReadonlySet<string>,
  named: ReadonlyMap<string, string>,
): BrokerOrder | null {
  const name = named.get(row.brokerOrderId);
  const candidates = parents.filter(
    (other) =>
      other !== row &&
      other.instrument === row.instrument &&
      other.side === row.side &&
      other.product === row.product &&
      (name === undefined
        ? !smart.has(row.brokerOrderId) && isOfOneKin(other, row)
        : other.brokerOrderId === name),
  );
  return candidates.length === 1 ? candidates[0]! : null;
}

function isOfOneKin(parent: BrokerOrder, row: BrokerOrder): boolean {
  if (row.exchangeOrderId !== null && parent.exchangeOrderId === row.exchangeOrderId) return true;
  return row.tags.some((tag) => parent.tags.includes(tag));
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
