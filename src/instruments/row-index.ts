/** Rows by what they are found with, as numbers only: the keys themselves are in the table. */
export interface RowIndex {
  /** The row that was set with this key and that `isIt` accepts; null for none. */
  find(key: string, isIt: (row: number) => boolean): number | null;
  /** Replaces the row that `isIt` accepts; adds one where there is none. */
  set(key: string, row: number, isIt: (row: number) => boolean): void;
}

const FREE = -1;

/** A hash table with open addressing, of which at most half is used. */
export function createRowIndex(mostRows: number): RowIndex {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * mostRows)));
  const rows = new Int32Array(size).fill(FREE);

  /** The slot that has the row of the key, or the free one where it belongs. */
  function slotOf(key: string, isIt: (row: number) => boolean): number {
    let slot = hashOf(key) & (size - 1);
    for (;;) {
      const row = rows[slot] ?? FREE;
      if (row === FREE || isIt(row)) return slot;
      slot = (slot + 1) & (size - 1);
    }
  }

  return {
    find(key, isIt) {
      const row = rows[slotOf(key, isIt)] ?? FREE;
      return row === FREE ? null : row;
    },
    set(key, row, isIt) {
      rows[slotOf(key, isIt)] = row;
    },
  };
}

/** FNV-1a, of the UTF-16 units, with the upper bits mixed into the lower ones. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
