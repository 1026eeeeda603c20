import { readFileSync } from 'node:fs';

/** The last part of a field's path: `isin` of `orders[].isin`. */
const lastPart = (field: string): string => field.replace(/^.*[.\]]/, '');

/**
 * The fields of which a row of a page says "not read" although a route answers them. A row names its fields
 * in its first column.
 */
export function wronglyNotRead(
  page: string,
  fields: readonly string[],
  unanswered: readonly string[],
): readonly string[] {
  const known = new Set(fields.map(lastPart));
  const silent = new Set(unanswered.map(lastPart));
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, subject = '', ...rest] = line.split('|');
    if (!rest.some((cell) => /\bnot read\b/i.test(cell))) return [];
    return [...subject.matchAll(/`([^`]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => known.has(name) && !silent.has(name));
  });
}
