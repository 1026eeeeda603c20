import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { Acknowledgement } from './acknowledgement.ts';
import { isSmartType } from './smart-order-rows.ts';

/**
 * Which orders are smart ones, what their acknowledgements named, and which tags they carry. Lives as
 * long as the process.
 */
export interface SmartOrders {
  acknowledged(path: string, acknowledgement: Acknowledgement): void;
  /** A book, and the ids in it whose rows have a smart order's type. */
  seen(rows: readonly BrokerOrder[], smart: ReadonlySet<string>): void;
  /** Whether an order is changed by the calls for smart orders: by its newest row, if there is one. */
  isSmart(brokerOrderId: string, rowType: string | null): boolean;
  /** Whether it is, or once was, a smart order: it may have a child, whatever its row has become. */
  everSmart(brokerOrderId: string): boolean;
  /** Placed as an ordinary order: nobody's child. */
  isOrdinary(brokerOrderId: string): boolean;
  /** Parent by child. */
  parents(): ReadonlyMap<string, string>;
  /** Whether a tag of ours was seen on a smart order's row: what else carries it is its child. */
  isOfSmart(tag: string): boolean;
}

/** As we send them (docs/orders.md). Remarks of other shapes are people's, and can be alike. */
export const isOurTag = (remark: string): boolean => /^[A-Za-z0-9]{20}$/.test(remark);

export function createSmartOrders(): SmartOrders {
  /** By the newest row. */
  const byRow = new Map<string, boolean>();
  const placed = new Set<string>();
  const ordinary = new Set<string>();
  const parents = new Map<string, string>();
  const tags = new Set<string>();
  const ever = new Set<string>();
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
        for (const tag of row.tags) if (isOurTag(tag)) tags.add(tag);
      }
    },
    isSmart(brokerOrderId, rowType) {
      const row = byRow.get(brokerOrderId);
      if (row !== undefined) return row;
      if (placed.has(brokerOrderId)) return true;
      if (ordinary.has(brokerOrderId)) return false;
      // Since a restart no book has been read.
      // The journal's type is that of a row, read: a smart order's row is read as a stop.
      if (rowType !== null) return isSmartType(rowType) || rowType === 'SL';
      return brokerOrderId.startsWith('GTT-');
    },
    everSmart: (brokerOrderId) => ever.has(brokerOrderId),
    isOrdinary: (brokerOrderId) => ordinary.has(brokerOrderId),
    parents: () => parents,
    isOfSmart: (tag) => tags.has(tag),
  };
}
