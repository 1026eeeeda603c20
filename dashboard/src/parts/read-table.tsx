import type { ComponentChildren } from 'preact';
import type { Reading } from './use-read.ts';

export interface ReadTableProps<Row> {
  readonly name: string;
  readonly reading: Reading<readonly Row[]>;
  readonly empty: string;
  /** The head of each column; one that begins with # is of figures. */
  readonly columns: readonly string[];
  readonly keyOf: (row: Row) => string;
  readonly cells: (row: Row) => readonly ComponentChildren[];
}

/** A list of an answer; one that could not be read says so, and is never shown as empty. */
export function ReadTable<Row>(props: ReadTableProps<Row>) {
  const { name, reading, empty, columns, keyOf, cells } = props;
  if (reading === null) return <p>Asking the gateway…</p>;
  if ('problem' in reading) {
    return (
      <p class="notice bad">
        {name} cannot be read now: {reading.problem}
      </p>
    );
  }
  if (reading.data.length === 0) return <p class="quiet">{empty}</p>;
  const classOf = (index: number): string => (columns[index]?.startsWith('#') ? 'number' : '');
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" class={classOf(index)}>
                {column.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reading.data.map((row) => (
            <tr key={keyOf(row)}>
              {cells(row).map((cell, index) => (
                <td
                  key={columns[index]}
                  class={classOf(index)}
                  data-label={columns[index]?.replace('#', '')}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
