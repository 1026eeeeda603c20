import type { z } from 'zod';
import type { TableName, Tables } from './records.ts';
import { ROW_SCHEMAS } from './row-schemas.ts';

export type ReadRow<Row> =
  | { readonly kind: 'row'; readonly row: Row }
  /** Where and what does not fit, without the row's values: they may be anything. */
  | { readonly kind: 'unfit'; readonly reason: string };

/** A row's JSON as its table's schema has it. */
export function readRow<Name extends TableName>(
  table: Name,
  record: unknown,
): ReadRow<Tables[Name]> {
  const schema: z.ZodType<Tables[Name]> = ROW_SCHEMAS[table];
  const json = parseJson(record);
  if (json === undefined) return { kind: 'unfit', reason: 'the row is no JSON' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { kind: 'row', row: parsed.data };
  const [first] = parsed.error.issues;
  const where = first?.path.map(String).join('.') || 'the row';
  return { kind: 'unfit', reason: `${where}: ${first?.message ?? 'it does not fit'}` };
}

/** Undefined for what is no JSON. */
export function parseJson(record: unknown): unknown {
  try {
    return JSON.parse(String(record));
  } catch {
    return undefined;
  }
}
