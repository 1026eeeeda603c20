import type { Acknowledgement } from './acknowledgement.ts';
import { isSmartType } from './smart-order-rows.ts';

/** Which orders are smart ones, and which child an acknowledgement named. Lives as long as the process. */
export interface SmartOrders {
  acknowledged(acknowledgement: Acknowledgement): void;
  /** Ids that a book has shown with a smart order's type. */
  seen(ids: ReadonlySet<string>): void;
  /** Whether an order is changed by the calls for smart orders. */
  isSmart(brokerOrderId: string, rowType: string | null): boolean;
  /** Parent by child. */
  parents(): ReadonlyMap<string, string>;
}

export function createSmartOrders(): SmartOrders {
  const ids = new Set<string>();
  const parents = new Map<string, string>();
  return {
    acknowledged({ brokerOrderId, childOrderId }) {
      ids.add(brokerOrderId);
      if (childOrderId !== null && childOrderId !== brokerOrderId) {
        parents.set(childOrderId, brokerOrderId);
      }
    },
    seen(shown) {
      for (const id of shown) ids.add(id);
    },
    isSmart(brokerOrderId, rowType) {
      if (ids.has(brokerOrderId)) return true;
      // Only a smart order's row is read as a stop; before any row, its id is all there is.
      if (rowType !== null) return isSmartType(rowType) || rowType === 'SL';
      return brokerOrderId.startsWith('GTT-');
    },
    parents: () => parents,
  };
}
