import { tradingDay } from '../../domain/ist.ts';
import type { Database } from '../../platform/database.ts';
import { statusOf } from '../order/order.ts';
import type { Change } from './records.ts';

/** One prepared statement a table. Rows are never deleted: a null row exists in memory only. */
export function createRowWriter(database: Database): (change: Change) => void {
  const orders = database.prepare(
    `INSERT INTO orders (id, caller, idempotency_key, day, broker, status, record, parent_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET broker = excluded.broker, status = excluded.status,
       record = excluded.record`,
  );
  const attempts = database.prepare(
    `INSERT INTO attempts (id, order_id, kind, broker, day, state, tag, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, record = excluded.record`,
  );
  const fills = database.prepare(
    `INSERT INTO fills (broker, day, exchange, broker_order_id, fill_id, order_id, record)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const observed = database.prepare(
    `INSERT INTO seen_orders (broker, day, broker_order_id, order_id, record) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (broker, day, broker_order_id) DO UPDATE SET order_id = excluded.order_id,
       record = excluded.record WHERE order_id IS NULL OR order_id = excluded.record ->> 'movedFrom'`,
  );
  const postbacks = database.prepare(
    'INSERT INTO postbacks (digest, day, record) VALUES (?, ?, ?)',
  );
  const portfolios = database.prepare(
    'INSERT OR REPLACE INTO portfolios (broker, record) VALUES (?, ?)',
  );
  const killSwitch = database.prepare(
    'INSERT OR REPLACE INTO kill_switch (id, record) VALUES (1, ?)',
  );
  const echoes = database.prepare('INSERT OR REPLACE INTO echoes (broker, record) VALUES (?, ?)');
  const amendments = database.prepare(
    `INSERT OR REPLACE INTO amendments (caller, method, order_id, idempotency_key, day, record)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const events = database.prepare(
    'INSERT INTO events (sequence, at, type, order_id, record) VALUES (?, ?, ?, ?, ?)',
  );

  return (change) => {
    if (change.row === null) throw new Error(`a row of ${change.table} cannot be taken out`);
    const record = JSON.stringify(change.row);
    switch (change.table) {
      case 'orders': {
        const { id, caller, idempotencyKey, day, broker, parentId } = change.row;
        const status = statusOf(change.row);
        orders.run(id, caller, idempotencyKey, day, broker, status, record, parentId);
        return;
      }
      case 'attempts': {
        const { id, orderId, kind, broker, day, state } = change.row;
        const tag = change.row.kind === 'place' ? change.row.tag : null;
        attempts.run(id, orderId, kind, broker, day, state.kind, tag, record);
        return;
      }
      case 'fills': {
        const { broker, day, exchange, brokerOrderId, fillId, orderId } = change.row;
        fills.run(broker, day, exchange, brokerOrderId, fillId, orderId, record);
        return;
      }
      case 'observed': {
        const { broker, day, brokerOrderId, orderId } = change.row;
        const { changes } = observed.run(broker, day, brokerOrderId, orderId, record);
        // The one thing that the update's WHERE refuses: a broker's order handed to a second order.
        if (changes === 0) throw new Error(`order ${brokerOrderId} at ${broker} has an owner`);
        return;
      }
      case 'postbacks':
        postbacks.run(change.row.digest, tradingDay(change.row.receivedAt), record);
        return;
      case 'portfolios':
        portfolios.run(change.row.broker, record);
        return;
      case 'killSwitch':
        killSwitch.run(record);
        return;
      case 'echoes':
        echoes.run(change.row.broker, record);
        return;
      case 'amendments': {
        const { caller, method, orderId, idempotencyKey, at } = change.row;
        amendments.run(caller, method, orderId, idempotencyKey, tradingDay(at), record);
        return;
      }
      case 'events': {
        const { sequence, at, type, orderId } = change.row;
        events.run(sequence, at, type, orderId, record);
        return;
      }
    }
  };
}
