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

/** A field of a value that may be anything; undefined where the value has none or is no object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The message of a thrown value; any value can be thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code that the system or a library gives an error, such as `ENOENT`; undefined without one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = fieldOf(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Makes a value when it is first asked for, and gives the same one ever after. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
