import type { BookView, Row, RowFields } from './book-view.ts';
import type { BrokerName, FaultSource } from './faults.ts';
import { numberOf } from './faults.ts';
import type { SandboxRandom } from './ports.ts';
import { drawBetween } from './ports.ts';

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

/** What a read of an order book shows while faults are on. Called once for each read. */
export function faultyView(
  broker: BrokerName,
  source: FaultSource,
  random: SandboxRandom,
  where: { method: string; path: string },
  now: number,
): BookView {
  const stale = source.strike(broker, ['stale_book'], where);
  // A rule without a path strikes when an order is placed, and then that order's row is late.
  const late = source.strike(broker, ['late_rows'], where, true);
  return {
    asOf: stale ? now - numberOf(stale, 'ageMs', 5_000) : null,
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
      return spoiled;
    },
  };
}
