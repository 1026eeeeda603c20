import { expiryDay } from './expiry-day.ts';
import { number } from './schemas.ts';

/** A row of the master list by column name. A column that the file lacks is empty. */
export interface MasterRow {
  text(column: string): string;
  number(column: string): number | null;
  /** `YYYY-MM-DD`. */
  day(column: string): string | null;
}

/** Null when the header lacks a column that every row must have. */
export function masterRows(
  header: readonly string[],
): ((fields: readonly string[]) => MasterRow) | null {
  const places = new Map(header.map((name, place) => [name.trim().toUpperCase(), place]));
  if (!places.has('SECURITY_ID') || !places.has('EXCH')) return null;
  let fields: readonly string[] = [];
  const text = (column: string): string => fields[places.get(column) ?? -1]?.trim() ?? '';
  // The same few lots, ticks, strikes and days recur in 100,000 rows.
  const numbers = remembering(number);
  const days = remembering(expiryDay);
  const row: MasterRow = {
    text,
    number: (column) => numbers(text(column)),
    day: (column) => days(text(column)),
  };
  // Flyweight: the same object is returned for every row; do not keep it.
  return (next) => {
    fields = next;
    return row;
  };
}

function remembering<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = read(text);
      known.set(text, value);
    }
    return value;
  };
}
