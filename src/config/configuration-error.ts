/** A wrong setting: the gateway does not start. One line: the setting, its value, what it takes. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** The setting's name, `APP_PORT`. */
  readonly setting: string;

  constructor(setting: string, got: string, takes: string) {
    super(`${setting}: got ${got}; it takes ${takes}`);
    this.setting = setting;
  }
}

/**
 * Several wrong settings at once, so that one start tells them all: a line of a few words, then one for
 * each of them.
 */
export class ConfigurationErrors extends Error {
  override readonly name = 'ConfigurationErrors';
  readonly errors: readonly ConfigurationError[];

  constructor(errors: readonly ConfigurationError[]) {
    const lines = errors.map(({ message }) => `\n  ${message}`);
    super(`${errors.length} mistakes in the settings:${lines.join('')}`);
    this.errors = errors;
  }
}

/** Throws what was collected: nothing, the one error, or all of them in one. */
export function throwAll(errors: readonly ConfigurationError[]): void {
  const [first, ...others] = errors;
  if (first !== undefined) throw others.length === 0 ? first : new ConfigurationErrors(errors);
}

/** A value that is not a secret, for a message: on one line of at most 80 characters. */
export function shown(value: string): string {
  const line = JSON.stringify(value);
  return line.length > 80 ? `${line.slice(0, 76)}…"` : line;
}

/** What a message says instead of a secret. */
export function hidden(value: string): string {
  const length = value.length === 1 ? '1 character' : `${value.length} characters`;
  return `a value of ${length}, not shown because it is a secret`;
}
