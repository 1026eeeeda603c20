import type { BrokerId } from '../../domain/broker.ts';
import type { Log } from '../../platform/log.ts';
import type { MalformedRows } from './csv.ts';

/** One line for each list that has malformed rows, however many there are. */
export function logMalformedRows(
  log: Log,
  list: { readonly broker: BrokerId; readonly source: string },
  { count, firstRow }: MalformedRows,
): void {
  if (count === 0) return;
  log.warn('rows of the instrument list are malformed: they were left out, the rest is used', {
    ...list,
    count,
    reason: `the first is row ${firstRow}: another number of fields than the header has`,
  });
}
