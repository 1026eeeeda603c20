import type { Database } from '../platform/database.ts';

/**
 * What the database itself forbids, whatever the code above it does (docs/spec/journal.md):
 * two orders under one key; a second live placing of an order; a tag used twice; a fill counted
 * twice; a broker's order owned by two of ours; an event changed, taken out, or out of sequence.
 */
const SCHEMA = `
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

const VERSION = 1;

/** Makes the tables of an empty file; refuses a file of another version. */
export function migrate(database: Database): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (found === VERSION) return;
  if (found !== 0) {
    throw new Error(
      `the journal is of version ${found}, this program reads version ${VERSION}: ` +
        'run the version that wrote it, or start with an empty data directory',
    );
  }
  database.begin();
  try {
    database.exec(SCHEMA);
    database.exec(`PRAGMA user_version = ${VERSION}`);
    database.commit();
  } catch (error) {
    database.rollback();
    throw error;
  }
}
