import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { Acknowledgement } from './acknowledgement.ts';
import { isSmartType } from './smart-order-rows.ts';

/**
 * Which orders are smart orders, what their acknowledgements named, and which tags they carry. Kept
 * in memory: a restart forgets it.
 */
export interface SmartOrders {
  acknowledged(path: string, acknowledgement: Acknowledgement): void;
  /** Learns from a book. `smart` holds the ids whose rows have the type of a smart order. */
  seen(rows: readonly BrokerOrder[], smart: ReadonlySet<string>): void;
  /**
   * Whether an order is changed with the calls for smart orders; its newest row decides, if there
   * is one.
   */
  isSmart(brokerOrderId: string, rowType: string | null): boolean;
  /** Whether it is or once was a smart order: it may have a child, whatever its row is now. */
  everSmart(brokerOrderId: string): boolean;
  /** Whether it was placed as an ordinary order, which has no parent. */
  isOrdinary(brokerOrderId: string): boolean;
  /** Parent id by child id. */
  parents(): ReadonlyMap<string, string>;
  /** Whether a smart order's row carried this tag of ours: any other row with it is its child. */
  isOfSmart(tag: string): boolean;
}

/** The form of our tags (docs/orders.md). Other remarks were typed by people and may repeat. */
export const isOurTag = (remark: string): boolean => /^[A-Za-z0-9]{20}$/.test(remark);

export function createSmartOrders(): SmartOrders {
  /** As the newest row says. */
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
      // No book has been read since the restart. The journal keeps the type as mapped from a row,
      // and the row of a smart order is mapped to SL.
      if (rowType !== null) return isSmartType(rowType) || rowType === 'SL';
      return brokerOrderId.startsWith('GTT-');
    },
    everSmart: (brokerOrderId) => ever.has(brokerOrderId),
    isOrdinary: (brokerOrderId) => ordinary.has(brokerOrderId),
    parents: () => parents,
    isOfSmart: (tag) => tags.has(tag),
  };
}
