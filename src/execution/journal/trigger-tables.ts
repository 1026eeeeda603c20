import { tradingDay } from '../../domain/ist.ts';
import type { Database } from '../../platform/database.ts';
import type { TriggerId } from '../../units/branded.ts';
import type { Tables } from './records.ts';
import {
  isOpenChange,
  isSettled,
  lastDayOf,
  triggerBindingOf,
  type TriggerChangeRecord,
  type TriggerRecord,
} from '../triggers/trigger.ts';

/** Triggers, and changes of them: what was asked for, under the key of its caller, and what has become of it. */
export const TRIGGER_TABLES = `
CREATE TABLE triggers (
  id TEXT PRIMARY KEY,
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  broker TEXT NOT NULL,
  is_over INTEGER NOT NULL CHECK (is_over IN (0, 1)),
  broker_trigger_id TEXT,
  record TEXT NOT NULL,
  UNIQUE (idempotency_key, caller)
) STRICT;
CREATE UNIQUE INDEX one_owner_of_a_trigger ON triggers (broker, broker_trigger_id)
  WHERE broker_trigger_id IS NOT NULL;

CREATE TABLE trigger_changes (
  trigger_id TEXT NOT NULL REFERENCES triggers (id),
  kind TEXT NOT NULL CHECK (kind IN ('modify', 'delete', 'resolve')),
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
  record TEXT NOT NULL,
  PRIMARY KEY (trigger_id, kind, caller, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_open_modification ON trigger_changes (trigger_id)
  WHERE kind = 'modify' AND is_open = 1;
`;

/**
 * The last day on which an order of a trigger has traded, so that a trigger of long ago stays in memory as long as
 * an order of that day; and whether `key_totals` has what its orders filled.
 */
export const ORDERS_OF_TRIGGERS = `
ALTER TABLE triggers ADD COLUMN traded_day TEXT;
ALTER TABLE triggers ADD COLUMN in_totals INTEGER NOT NULL DEFAULT 0 CHECK (in_totals IN (0, 1));
`;

/** An id has one owner among the triggers that can still change: a broker may use that of an ended one again. */
export const IDS_OF_ENDED_TRIGGERS = `
DROP INDEX one_owner_of_a_trigger;
CREATE UNIQUE INDEX one_owner_of_a_trigger ON triggers (broker, broker_trigger_id)
  WHERE broker_trigger_id IS NOT NULL AND is_over = 0;
`;

/** Triggers of any day, for what is no longer in memory. */
export interface TriggerReads {
  trigger(id: TriggerId): Promise<TriggerRecord | null>;
  /** The trigger that a key has made, however long ago. */
  triggerUnderKey(caller: string, idempotencyKey: string): Promise<TriggerRecord | null>;
  /** What was asked for under a key of a change of a trigger; null for a new key. */
  triggerChange(
    key: Pick<TriggerChangeRecord, 'triggerId' | 'kind' | 'caller' | 'idempotencyKey'>,
  ): Promise<TriggerChangeRecord | null>;
}

type Read = <Name extends 'triggers' | 'triggerChanges'>(
  table: Name,
  sql: string,
) => (...values: (string | number)[]) => Tables[Name][];

export function createTriggerReads(read: Read): TriggerReads {
  const byId = read('triggers', 'SELECT record FROM triggers WHERE id = ?');
  const byKey = read(
    'triggers',
    'SELECT record FROM triggers WHERE caller = ? AND idempotency_key = ?',
  );
  const change = read(
    'triggerChanges',
    `SELECT record FROM trigger_changes
     WHERE trigger_id = ? AND kind = ? AND caller = ? AND idempotency_key = ?`,
  );
  return {
    trigger: async (id) => byId(id)[0] ?? null,
    triggerUnderKey: async (caller, key) => byKey(caller, key)[0] ?? null,
    triggerChange: async ({ triggerId, kind, caller, idempotencyKey }) =>
      change(triggerId, kind, caller, idempotencyKey)[0] ?? null,
  };
}

/** One prepared statement a table. */
export function createTriggerWriters(database: Database): {
  readonly trigger: (row: TriggerRecord) => void;
  readonly change: (row: TriggerChangeRecord) => void;
} {
  const triggers = database.prepare(
    `INSERT INTO triggers
       (id, caller, idempotency_key, day, broker, is_over, broker_trigger_id, record, traded_day)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET is_over = excluded.is_over,
       broker_trigger_id = excluded.broker_trigger_id, record = excluded.record,
       traded_day = excluded.traded_day`,
  );
  const changes = database.prepare(
    `INSERT INTO trigger_changes (trigger_id, kind, caller, idempotency_key, day, is_open, record)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (trigger_id, kind, caller, idempotency_key) DO UPDATE SET day = excluded.day,
       is_open = excluded.is_open, record = excluded.record`,
  );
  return {
    trigger(row) {
      const { id, caller, idempotencyKey, day, broker } = row;
      const [over, bound] = [isSettled(row) ? 1 : 0, triggerBindingOf(row)?.triggerId ?? null];
      const asked = [id, caller, idempotencyKey, day, broker] as const;
      triggers.run(...asked, over, bound, JSON.stringify(row), lastDayOf(row));
    },
    change(row) {
      const { triggerId, kind, caller, idempotencyKey, at } = row;
      const [day, open] = [tradingDay(at), isOpenChange(row) ? 1 : 0];
      changes.run(triggerId, kind, caller, idempotencyKey, day, open, JSON.stringify(row));
    },
  };
}
