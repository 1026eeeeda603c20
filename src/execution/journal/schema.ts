import type { Database } from '../../platform/database.ts';
import { FileError } from '../../platform/files.ts';
import { messageOf } from '../../platform/values.ts';
import { EVENTS_GO_OLDEST_FIRST } from './event-rows.ts';
import { EXTERNAL_CHANGES } from './external-changes.ts';
import { KEY_TOTALS } from './key-totals.ts';
import { migrateToVersion2 } from './migrations.ts';
import { SIGNAL_TABLE } from './signal-table.ts';
import { IDS_OF_ENDED_TRIGGERS, ORDERS_OF_TRIGGERS, TRIGGER_TABLES } from './trigger-tables.ts';

/**
 * What the database itself forbids, whatever the code above it does (docs/spec/journal.md):
 * two orders under one key; a second live placing of an order; a tag used twice; a fill counted
 * twice; a broker's order owned by two of ours; an event changed, taken out, or out of sequence.
 */
const VERSION_1 = `
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  broker TEXT NOT NULL,
  status TEXT NOT NULL,
  record TEXT NOT NULL,
  -- The key first: those that we make grow with time, and new rows then share pages.
  UNIQUE (idempotency_key, caller)
) STRICT;

CREATE TABLE attempts (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('place', 'cancel', 'modify')),
  broker TEXT NOT NULL,
  day TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('sending', 'acknowledged', 'refused', 'not_sent', 'uncertain', 'absent')),
  tag TEXT UNIQUE,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_live_placing ON attempts (order_id)
  WHERE kind = 'place' AND state NOT IN ('not_sent', 'refused');

CREATE TABLE fills (
  broker TEXT NOT NULL,
  day TEXT NOT NULL,
  exchange TEXT NOT NULL,
  broker_order_id TEXT NOT NULL,
  fill_id TEXT NOT NULL,
  order_id TEXT NOT NULL REFERENCES orders (id),
  record TEXT NOT NULL,
  PRIMARY KEY (broker, day, exchange, broker_order_id, fill_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fills_of_order ON fills (order_id);

CREATE TABLE seen_orders (
  broker TEXT NOT NULL,
  day TEXT NOT NULL,
  broker_order_id TEXT NOT NULL,
  order_id TEXT REFERENCES orders (id),
  record TEXT NOT NULL,
  PRIMARY KEY (broker, day, broker_order_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE postbacks (digest TEXT PRIMARY KEY, day TEXT NOT NULL, record TEXT NOT NULL) STRICT;
CREATE TABLE portfolios (broker TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
CREATE TABLE kill_switch (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT;
CREATE TABLE echoes (broker TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  order_id TEXT,
  record TEXT NOT NULL
) STRICT;
CREATE TRIGGER events_have_no_gap BEFORE INSERT ON events
  WHEN NEW.sequence <> coalesce((SELECT max(sequence) FROM events), 0) + 1
  BEGIN SELECT raise(ABORT, 'event out of sequence'); END;
CREATE TRIGGER events_do_not_change BEFORE UPDATE ON events
  BEGIN SELECT raise(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events
  BEGIN SELECT raise(ABORT, 'events are append-only'); END;
`;

/**
 * A key of a cancel, a modification or a resolution; and rows that were taken out because they do
 * not fit.
 */
const VERSION_2 = `
CREATE TABLE amendments (
  caller TEXT NOT NULL,
  method TEXT NOT NULL,
  order_id TEXT NOT NULL REFERENCES orders (id),
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (caller, method, order_id, idempotency_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantine (
  table_name TEXT NOT NULL,
  row_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
`;

/** Ways out of positions, and closings of many of them: what was asked for, and how they ended. */
const VERSION_3 = `
CREATE TABLE exits (
  id TEXT PRIMARY KEY,
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  is_over INTEGER NOT NULL CHECK (is_over IN (0, 1)),
  record TEXT NOT NULL,
  UNIQUE (idempotency_key, caller)
) STRICT;

CREATE TABLE closings (
  id TEXT PRIMARY KEY,
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  is_over INTEGER NOT NULL CHECK (is_over IN (0, 1)),
  record TEXT NOT NULL,
  UNIQUE (idempotency_key, caller)
) STRICT;
`;

/** Which orders a request to cancel many was about, under the key of its caller. */
const VERSION_4 = `
CREATE TABLE cancel_runs (
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  day TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (caller, idempotency_key)
) STRICT, WITHOUT ROWID;
`;

/** Each step makes the journal of one version into that of the next. */
const STEPS: readonly ((database: Database) => void)[] = [
  (database) => database.exec(VERSION_1),
  (database) => {
    database.exec(VERSION_2);
    migrateToVersion2(database);
  },
  (database) => database.exec(VERSION_3),
  (database) => database.exec(VERSION_4),
  (database) => database.exec(EXTERNAL_CHANGES),
  (database) => database.exec(TRIGGER_TABLES),
  (database) => database.exec(EVENTS_GO_OLDEST_FIRST),
  (database) => database.exec(KEY_TOTALS),
  (database) => database.exec(SIGNAL_TABLE),
  (database) => database.exec(ORDERS_OF_TRIGGERS),
  (database) => database.exec(IDS_OF_ENDED_TRIGGERS),
];

export interface Migrated {
  readonly from: number;
  /** Path of the copy that was kept. */
  readonly copy: string;
}

export const JOURNAL_VERSION = STEPS.length;

/**
 * Brings the journal to the version of this program: makes the tables of an empty file, and migrates one
 * of an older version after a copy of it is kept as `<path>.version-<n>` (or the next free name). Throws where the journal is of
 * a newer version, or cannot be copied; nothing has changed then. Returns what was migrated; null where
 * there was nothing to migrate.
 */
export function migrate(database: Database): Migrated | null {
  const { path } = database;
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (found === JOURNAL_VERSION) return null;
  if (found > JOURNAL_VERSION) throw new FileError(newerVersion(found, path));
  const copy = found === 0 ? null : keepCopy(database, `${path}.version-${found}`);
  database.begin();
  try {
    for (const step of STEPS.slice(found)) step(database);
    database.exec(`PRAGMA user_version = ${JOURNAL_VERSION}`);
    database.commit();
  } catch (error) {
    database.rollback();
    throw error;
  }
  return copy === null ? null : { from: found, copy };
}

const newerVersion = (found: number, path: string): string =>
  `${path} was written by a newer version of altbroker-gateway (journal version ${found}; this program ` +
  `reads versions up to ${JOURNAL_VERSION}). Nothing was changed. Run the newer version again. To go back ` +
  `for good, stop the gateway and restore the copy that the newer version kept beside it ` +
  `(${path}.version-${JOURNAL_VERSION}); orders placed since that copy are not in it`;

function keepCopy(database: Database, path: string): string {
  try {
    return database.copyTo(path);
  } catch (error) {
    const reason = messageOf(error);
    throw new FileError(
      `the journal has to be migrated, and a copy of it cannot be kept as ${path} first: ${reason}. ` +
        'Nothing was changed. Free some disk space, and start again',
      { cause: error },
    );
  }
}
