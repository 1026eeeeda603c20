import type { Row, RowFields } from './book-view.ts';

/**
 * Another way to write the row of an order that was placed in the broker's own app: its names and words in lower case and with
 * spaces round them (`words`); as well, where the order is open, a quantity of 0 of which nothing is pending (`nothing`), or a quantity
 * that is less than what is pending (`less`).
 */
export const SPELLINGS = ['words', 'nothing', 'less'] as const;
export type Spelling = (typeof SPELLINGS)[number];

const WORDS = ['exchange', 'product', 'order_type', 'validity', 'variety'] as const;

/** Security ids are numbers: zeros before them are no difference. */
const spelled = (value: unknown): unknown => {
  if (typeof value !== 'string' || value === '') return value;
  return /^\d+$/.test(value) ? ` 00${value} ` : ` ${value.toLowerCase()} `;
};

export function spelledRow(row: unknown, fields: RowFields, form: Spelling): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const known = row as Row;
  const isOurs = fields.tags.some((name) => (known[name] ?? '') !== '');
  if (isOurs) return row;
  const changed: Row = { ...known };
  for (const name of [fields.symbol, fields.side, ...WORDS]) {
    if (name in changed) changed[name] = spelled(changed[name]);
  }
  const isOpen = [fields.open, fields.partial].includes(String(known[fields.status]));
  if (!isOpen || form === 'words') return changed;
  if (form === 'nothing') return { ...changed, ...pendingOf(known, 0), [fields.quantity]: 0 };
  return 'pending_quantity' in known ? { ...changed, [fields.quantity]: 1 } : changed;
}

const pendingOf = (row: Row, quantity: number): Row =>
  'pending_quantity' in row ? { pending_quantity: quantity } : {};
