import { z } from 'zod';
import type { Database } from '../../platform/database.ts';
import type { ExternalChangeRecord } from '../external/external-change.ts';

/**
 * Requests to change orders placed elsewhere. The gateway has no order of its own for them, so that they
 * are no rows of `attempts`, which name one. A key is used once for an order, until nothing was sent.
 */
export const EXTERNAL_CHANGES = `
CREATE TABLE external_changes (
  id TEXT PRIMARY KEY,
  broker TEXT NOT NULL,
  day TEXT NOT NULL,
  broker_order_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('cancel', 'modify')),
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('sending', 'acknowledged', 'refused', 'not_sent', 'uncertain')),
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_change_under_a_key
  ON external_changes (caller, kind, broker, day, broker_order_id, idempotency_key)
  WHERE state <> 'not_sent';
`;

const text = z.string();

/** What a row has beside what every cancel and every modification has. */
export const ofExternal = {
  ...{ by: text, brokerOrderId: text, idempotencyKey: text, requestHash: text },
};

export function createExternalChangeWriter(
  database: Database,
): (row: ExternalChangeRecord) => void {
  const put = database.prepare(
    `INSERT INTO external_changes
       (id, broker, day, broker_order_id, kind, caller, idempotency_key, state, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, record = excluded.record`,
  );
  return (row) => {
    const { id, broker, day, brokerOrderId, kind, by, idempotencyKey, state } = row;
    const record = JSON.stringify(row);
    put.run(id, broker, day, brokerOrderId, kind, by, idempotencyKey, state.kind, record);
  };
}
