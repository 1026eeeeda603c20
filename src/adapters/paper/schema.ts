/**
 * The ledger's tables. Money is text: SQLite has no decimal. Orders and fills are never deleted;
 * `day` on an order is the day of its last change.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS paper_account (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  day TEXT NOT NULL,
  series INTEGER NOT NULL,
  opening_cash TEXT NOT NULL,
  cash TEXT NOT NULL,
  brokerage TEXT NOT NULL,
  realised TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS paper_orders (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  attempt_id TEXT NOT NULL UNIQUE,
  tag TEXT UNIQUE,
  day TEXT NOT NULL,
  instrument TEXT NOT NULL,
  side TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  order_type TEXT NOT NULL,
  product TEXT NOT NULL,
  validity TEXT NOT NULL,
  price TEXT,
  trigger_price TEXT,
  amo INTEGER NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  triggered INTEGER NOT NULL,
  filled_quantity INTEGER NOT NULL,
  filled_value TEXT NOT NULL,
  reserve_price TEXT NOT NULL,
  reserved TEXT NOT NULL,
  closing INTEGER NOT NULL,
  active_from INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS paper_orders_by_day ON paper_orders (day);
CREATE INDEX IF NOT EXISTS paper_orders_working ON paper_orders (number) WHERE status = 'working';
CREATE TABLE IF NOT EXISTS paper_fills (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  order_number INTEGER NOT NULL REFERENCES paper_orders (number) DEFERRABLE INITIALLY DEFERRED,
  price TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS paper_fills_by_order ON paper_fills (order_number);
CREATE TABLE IF NOT EXISTS paper_positions (
  instrument TEXT NOT NULL,
  product TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  cost TEXT NOT NULL,
  realised TEXT NOT NULL,
  buy_quantity INTEGER NOT NULL,
  sell_quantity INTEGER NOT NULL,
  PRIMARY KEY (instrument, product)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS paper_holdings (
  instrument TEXT PRIMARY KEY,
  quantity INTEGER NOT NULL,
  cost TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
