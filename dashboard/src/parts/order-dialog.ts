import type { Order } from '../pure/orders.ts';

/** A dialog about one order. */
export interface OrderDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}
