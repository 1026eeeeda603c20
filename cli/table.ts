/** A column of a table: its head, and what a row shows in it. Figures stand to the right. */
export type Column<Row> = readonly [
  head: string,
  show: (row: Row) => string | number | null,
  align?: 'right',
];

/** Lines of a table; what is null is shown as `-`. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const texts = rows.map((row) =>
    columns.map(([, show]) => {
      const value = show(row);
      return value === null ? '-' : String(value);
    }),
  );
  const heads = columns.map(([head]) => head);
  const widths = columns.map((_, at) =>
    Math.max(...[heads, ...texts].map((cells) => (cells[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(([, , align], at) => {
        const [cell, width] = [cells[at] ?? '', widths[at] ?? 0];
        return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [heads, ...texts].map(line);
}

/** `10:31:05` of an instant of an answer, which is in IST. */
export const timeOf = (at: string): string => at.slice(11, 19);
/** `2026-11-23 10:31:05` of an instant of an answer. */
export const secondOf = (at: string): string => at.slice(0, 19).replace('T', ' ');
/** `2026-11-23 10:31` of an instant of an answer. */
export const dateAndTimeOf = (at: string): string => at.slice(0, 16).replace('T', ' ');
