import type { Database, Row } from '../../platform/database.ts';

/**
 * Rows of journal version 1 as version 2 has them. Version 1 kept every field of an order side by side;
 * since version 2 an order is its identity, its terms and one state with the fields of that state alone.
 * A row that does not read as version 1 is left as it is: the journal then quarantines it.
 */
type Json = Readonly<Record<string, unknown>>;

export function migrateToVersion2(database: Database): void {
  database.exec('ALTER TABLE orders ADD COLUMN parent_id TEXT');
  database.exec('CREATE INDEX slices_of_order ON orders (parent_id) WHERE parent_id IS NOT NULL');
  const parents = new Set<unknown>();
  const orders = rowsOf(database, 'SELECT id, record FROM orders ORDER BY id');
  for (const { record } of orders) if (record) parents.add(record['parentId']);
  const putOrder = database.prepare('UPDATE orders SET record = ?, parent_id = ? WHERE id = ?');
  for (const { key, record } of orders) {
    if (!record) continue;
    const parentId = typeof record['parentId'] === 'string' ? record['parentId'] : null;
    putOrder.run(JSON.stringify(orderOf(record, parents.has(key))), parentId, key);
  }
  const putAttempt = database.prepare('UPDATE attempts SET record = ? WHERE id = ?');
  for (const { key, record } of rowsOf(database, 'SELECT id, record FROM attempts')) {
    if (record) putAttempt.run(JSON.stringify(attemptOf(record)), key);
  }
  const putSwitch = database.prepare('UPDATE kill_switch SET record = ? WHERE id = ?');
  for (const { key, record } of rowsOf(database, 'SELECT id, record FROM kill_switch')) {
    if (!record) continue;
    const { thrown, reason = null, changedAt } = record;
    putSwitch.run(JSON.stringify({ engaged: thrown, reason, changedAt, changedBy: null }), key);
  }
}

function rowsOf(database: Database, sql: string): { key: string | number; record: Json | null }[] {
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ key: keyOf(row), record: parsed(row['record']) }));
}

const keyOf = ({ id }: Row): string | number => (typeof id === 'number' ? id : String(id));

function parsed(record: unknown): Json | null {
  try {
    const value: unknown = JSON.parse(String(record));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An order of version 1, with its state gathered from its fields. */
function orderOf(old: Json, isSliced: boolean): Json {
  const identity = pick(old, [
    'id',
    'caller',
    'idempotencyKey',
    'requestHash',
    'parentId',
    'day',
    'terms',
    'scripCode',
    'segment',
    'callerTag',
    'broker',
    'mode',
  ]);
  const times = pick(old, ['createdAt', 'updatedAt']);
  return { ...identity, state: isSliced ? slicedState(old) : stateOf(old), ...times };
}

function stateOf(old: Json): Json {
  const { status, reason, cancelWanted, absentSince = null, calledAbsent = null } = old;
  const fill = fillOf(old);
  const binding = bindingOf(old);
  switch (status) {
    case 'accepted':
      return { kind: status, reason, cancelWanted };
    case 'sending':
      return { kind: status, cancelWanted };
    case 'working': {
      const { unrecognisedSince = null } = old;
      return { kind: status, binding, fill, cancelWanted, unrecognisedSince };
    }
    case 'filled':
      return { kind: status, binding, fill };
    case 'rejected':
      if (calledAbsent !== null) return { kind: 'absent', reason, calledAbsent, absentSince };
      if (binding === null) return { kind: 'refused', reason };
      return { kind: status, binding, fill, reason };
    case 'not_sent':
      return { kind: status, reason };
    case 'uncertain':
      return { kind: status, reason, absentSince, cancelWanted };
    case 'disputed': {
      const known = { binding, fill, absentSince, calledAbsent, cancelWanted };
      return { kind: status, cause: reason, ...known };
    }
    default:
      return { kind: status, binding, fill, reason };
  }
}

const slicedState = (old: Json): Json => ({
  kind: 'sliced',
  status: old['status'],
  reason: old['reason'] ?? null,
  fill: fillOf(old),
});

const fillOf = (old: Json): Json =>
  pick(old, ['filledQuantity', 'averagePrice', 'fillPriceSource']);

function bindingOf({
  brokerOrderId,
  boundBy,
  exchangeOrderId = null,
  row = null,
}: Json): Json | null {
  if (typeof brokerOrderId !== 'string') return null;
  return { brokerOrderId, by: boundBy, exchangeOrderId, row };
}

/** An attempt of version 1, with its state gathered from `state`, `settledAt` and `detail`. */
function attemptOf(old: Json): Json {
  const identity = pick(old, ['id', 'orderId', 'broker', 'day', 'sentAt', 'kind']);
  const state = attemptStateOf(old);
  switch (old['kind']) {
    case 'place':
      return {
        ...identity,
        ...pick(old, ['tag', 'tagSent', 'fingerprint', 'baseline']),
        state,
      };
    case 'modify':
      return { ...identity, changes: old['changes'], state };
    default:
      return { ...identity, state };
  }
}

function attemptStateOf({ state: kind, settledAt, detail, sentAt }: Json): Json {
  if (kind === 'sending') return { kind };
  const at = settledAt ?? sentAt;
  // Of a cancel or a modification, version 1 did not keep the id that was acknowledged.
  if (kind === 'acknowledged') return { kind, settledAt: at, brokerOrderId: detail ?? '' };
  return { kind, settledAt: at, reason: detail ?? '' };
}

const pick = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
