/**
 * Renders each record once: books are read all day, and few of their rows change between two reads.
 * `render` must depend on the record alone. Nobody may change a record or a row afterwards; a fault
 * spoils a copy.
 */
export function renderOnce<Source extends object, Row extends object>(
  render: (source: Source) => Row,
): (source: Source) => Row {
  const rows = new WeakMap<Source, Row>();
  return (source) => {
    let row = rows.get(source);
    if (row === undefined) {
      row = render(source);
      rows.set(source, row);
    }
    return row;
  };
}

/** Writes a list as JSON. A list of the same row objects as the last one is the same text. */
export function createListText(): (rows: readonly unknown[]) => string {
  const texts = new WeakMap<object, string>();
  let last: readonly unknown[] = [];
  let text = '[]';

  function textOf(row: unknown): string {
    if (typeof row !== 'object' || row === null) return JSON.stringify(row);
    let written = texts.get(row);
    if (written === undefined) {
      written = JSON.stringify(row);
      texts.set(row, written);
    }
    return written;
  }

  return (rows) => {
    const isSame = rows.length === last.length && rows.every((row, place) => row === last[place]);
    if (!isSame) {
      last = [...rows];
      text = `[${rows.map(textOf).join(',')}]`;
    }
    return text;
  };
}
