import type { BrokerId } from '../../domain/broker.ts';
import type { Log } from '../../platform/log.ts';
import type { MalformedRows } from './csv.ts';

/** Logs one line for each list that has malformed rows, however many they are. */
export function logMalformedRows(
  log: Log,
  list: { readonly broker: BrokerId; readonly source: string },
  { count, firstRow }: MalformedRows,
): void {
  if (count === 0) return;
  log.warn('the instrument list has malformed rows: they are left out, the rest is used', {
    ...list,
    count,
    reason: `the first is row ${firstRow}: its number of fields differs from the header's`,
  });
}
