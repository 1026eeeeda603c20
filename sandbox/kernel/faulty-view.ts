import type { BookView, Row, RowFields } from './book-view.ts';
import type { BrokerName, FaultKind, FaultSource } from './faults.ts';
import { numberOf } from './faults.ts';
import type { SandboxRandom } from './ports.ts';
import { drawBetween } from './ports.ts';
import { spelledRow, SPELLINGS } from './spelled-rows.ts';

/** Makes one row unreadable, in one of the ways that parsers meet. */
function garbled(row: Row, fields: RowFields, form: number): unknown {
  if (form === 0) return { ...row, [fields.quantity]: 'many', [fields.filled]: 'some' };
  if (form === 1) return { ...row, [fields.id]: null };
  if (form === 2) return 'row';
  return { ...row, [fields.status]: 17, [fields.quantity]: -1 };
}

/** A row that says less than the broker knows: its fill is missing, or the quantity of the fill. */
function contradicted(row: Row, fields: RowFields): Row {
  const filled = Number(row[fields.filled] ?? 0);
  if (filled > 0) return { ...row, [fields.filled]: filled - 1 };
  const copy: Row = { ...row, [fields.status]: fields.partial };
  delete copy[fields.filled];
  return copy;
}

/** Values that no field of a row should have. */
const JUNK: readonly unknown[] = [null, '', 'NaN', -1, 1e21, 0.5, true, {}, [], 'x'.repeat(5_000)];

/** Ids of a form that no order has, or of another form than the others. */
const BAD_IDS = ['', '0', 'null', '-1', '999999999999999', 'EQ-1', '../orders', 7] as const;

/** Makes one field of one row wrong, whichever it is, or leaves it out. */
function spoilField(
  rows: unknown[],
  random: SandboxRandom,
  fields: RowFields,
  strikes: () => boolean,
): void {
  if (rows.length === 0 || !strikes()) return;
  const index = drawBetween(random, 0, rows.length - 1);
  const row: Row = { ...(rows[index] as Row) };
  const names = Object.keys(row).filter((name) => name !== fields.id);
  const name = names[drawBetween(random, 0, names.length - 1)] ?? '';
  const junk = drawBetween(random, 0, JUNK.length);
  if (junk === JUNK.length) delete row[name];
  else row[name] = JUNK[junk];
  rows[index] = row;
}

const ENDED = /^(COMPLETE|CANCELLED|LAPSED|SUCCESS|EXPIRED)/;

/** Whether a row says that its order has ended. */
const isEnded = (row: unknown, fields: RowFields): boolean =>
  typeof row === 'object' && row !== null && ENDED.test(String((row as Row)[fields.status]));

/** Whether a row says that its order waits for its trigger. */
const isWaiting = (row: unknown, fields: RowFields): boolean =>
  typeof row === 'object' && row !== null && /TRIGGER/.test(String((row as Row)[fields.status]));

const oddly = (row: Row, fields: RowFields): Row => ({ ...row, [fields.status]: 'HELD BACK' });

/** A row whose times are all two days later. */
const datedLater = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[ T]\d\d:/.test(value))
        return [name, value];
      const day = new Date(Date.parse(`${value.slice(0, 10)}T00:00:00Z`) + 2 * 86_400_000);
      return [name, day.toISOString().slice(0, 10) + value.slice(10)];
    }),
  );

/**
 * A row of a partly filled order shows as its quantity what remains; with `all` also the row of one that has
 * ended, of which nothing remains.
 */
function remaining(row: unknown, fields: RowFields, all: boolean): unknown {
  if (typeof row !== 'object' || row === null || (!all && isEnded(row, fields))) return row;
  const [quantity, filled] = [fields.quantity, fields.filled].map((name) => (row as Row)[name]);
  const isPartly = typeof quantity === 'number' && typeof filled === 'number' && filled > 0;
  if (!isPartly) return row;
  return { ...row, [fields.quantity]: isEnded(row, fields) ? 0 : quantity - filled };
}

/**
 * Another order, of another instrument and filled whole, under the id of an order that works; null where the
 * book has no two such rows. It is a copy of the other row, without its tag.
 */
function sharingId(rows: readonly unknown[], random: SandboxRandom, fields: RowFields): Row | null {
  const whole = rows.filter((row): row is Row => typeof row === 'object' && row !== null);
  const open = whole.filter((row) => !isEnded(row, fields));
  const own = open[drawBetween(random, 0, Math.max(0, open.length - 1))];
  const other = own && whole.find((row) => row[fields.symbol] !== own[fields.symbol]);
  if (!other) return null;
  const untagged = Object.fromEntries(fields.tags.map((name) => [name, null]));
  const filled = { [fields.status]: fields.complete, [fields.filled]: other[fields.quantity] };
  return { ...other, ...untagged, ...filled, [fields.id]: own[fields.id] };
}

/** What a read of an order book shows while faults are on. Called once for each read. */
export function faultyView(
  broker: BrokerName,
  source: FaultSource,
  random: SandboxRandom,
  where: { method: string; path: string },
  now: number,
): BookView {
  const stale = source.strike(broker, ['stale_book'], where);
  const frozen = source.strike(broker, ['frozen_book'], where);
  // A rule without a path strikes when an order is placed, and then that order's row is late.
  const late = source.strike(broker, ['late_rows'], where, true);
  return {
    asOf: frozen?.from ?? (stale ? now - numberOf(stale, 'ageMs', 5_000) : null),
    hideForeign: source.strike(broker, ['foreign_hidden'], where) !== null,
    quantitiesLag: source.strike(broker, ['quantity_lags'], where) !== null,
    hideYoungerThanMs: late ? numberOf(late, 'delayMs', 30_000) : 0,
    spoil(rows, fields) {
      let spoiled: unknown[] = [...rows];
      const short = spoiled.length > 0 && source.strike(broker, ['truncated_book'], where);
      if (short) {
        const drop = numberOf(short, 'drop', Math.ceil(spoiled.length / 2));
        spoiled = spoiled.slice(0, Math.max(0, spoiled.length - drop));
      }
      const wrong = spoiled.length > 0 && source.strike(broker, ['contradictory_row'], where);
      if (wrong) {
        const filledAt = rows.findIndex((row) => Number(row[fields.filled] ?? 0) > 0);
        const index = filledAt >= 0 && filledAt < spoiled.length ? filledAt : 0;
        spoiled[index] = contradicted(spoiled[index] as Row, fields);
      }
      const bad = spoiled.length > 0 && source.strike(broker, ['bad_row'], where);
      if (bad) {
        const index = drawBetween(random, 0, spoiled.length - 1);
        const form = numberOf(bad, 'form', (bad.hits - 1) % 4);
        spoiled[index] = garbled(spoiled[index] as Row, fields, form);
      }
      const strikes = (kind: FaultKind) => (): boolean =>
        source.strike(broker, [kind], where) !== null;
      spoilField(spoiled, random, fields, strikes('bad_field'));
      const badId = spoiled.length > 0 && source.strike(broker, ['bad_id'], where);
      if (badId) {
        const last = spoiled.length - 1;
        const isLast = badId.params?.['row'] === 'last';
        const index = isLast ? last : drawBetween(random, 0, last);
        // Each time another one, of the form that ids have.
        const fresh = `99${String(badId.hits).padStart(13, '0')}`;
        const id = isLast ? fresh : BAD_IDS[drawBetween(random, 0, BAD_IDS.length - 1)];
        spoiled[index] = { ...(spoiled[index] as Row), [fields.id]: id };
      }
      if (spoiled.length > 0 && strikes('odd_status')()) {
        spoiled = spoiled.map((row) => (isWaiting(row, fields) ? oddly(row as Row, fields) : row));
      }
      if (spoiled.length > 0 && strikes('bad_date')()) {
        spoiled[0] = datedLater(spoiled[0] as Row);
      }
      const small = spoiled.length > 0 && source.strike(broker, ['remaining_quantity'], where);
      if (small) {
        const all = small.params?.['mode'] === 'ended';
        spoiled = spoiled.map((row) => remaining(row, fields, all));
      }
      const shared = strikes('shared_id')() ? sharingId(spoiled, random, fields) : null;
      if (shared) spoiled.push(shared);
      const back = spoiled.findIndex((row) => isEnded(row, fields));
      if (back >= 0 && source.strike(broker, ['status_back'], where)) {
        spoiled[back] = { ...(spoiled[back] as Row), [fields.status]: fields.open };
      }
      const other = spoiled.length > 0 && source.strike(broker, ['spelled_rows'], where);
      if (other) {
        const form = SPELLINGS.find((each) => each === other.params?.['form']) ?? 'words';
        spoiled = spoiled.map((row) => spelledRow(row, fields, form));
      }
      return spoiled;
    },
  };
}
