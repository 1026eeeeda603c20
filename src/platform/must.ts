/**
 * The value, where only the program's own rules say that there is one. Throws where they do not hold,
 * with the rule: `why` is a whole clause, such as `each expiring order is in the book`.
 */
export function must<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) {
    throw new Error(`a value is missing that has to be there: ${why}`);
  }
  return value;
}
