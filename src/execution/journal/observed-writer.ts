import type { Database } from '../../platform/database.ts';
import type { ObservedOrder } from './records.ts';

/** Writes an id that a book has shown; what the database refuses is a second owner. */
export function createObservedWriter(database: Database): (row: ObservedOrder) => void {
  const put = database.prepare(
    `INSERT INTO seen_orders (broker, day, broker_order_id, order_id, record) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (broker, day, broker_order_id) DO UPDATE SET order_id = excluded.order_id,
       record = excluded.record WHERE order_id IS NULL OR order_id = excluded.order_id
         OR order_id = excluded.record ->> 'movedFrom'`,
  );
  return (row) => {
    const { broker, day, brokerOrderId, orderId } = row;
    const { changes } = put.run(broker, day, brokerOrderId, orderId, JSON.stringify(row));
    // The one thing that the update's WHERE refuses: a broker's order handed to a second order.
    if (changes === 0) throw new Error(`order ${brokerOrderId} at ${broker} has an owner`);
  };
}
