/** A setting that stops the start. The message is one line: the setting, what it got, what it takes. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** The setting's name, `APP_PORT`. */
  readonly setting: string;

  constructor(setting: string, got: string, takes: string) {
    super(`${setting}: got ${got}; it takes ${takes}`);
    this.setting = setting;
  }
}

/** How a value that is not a secret is shown: on one line, and not longer than one can read. */
export function shown(value: string): string {
  const line = JSON.stringify(value);
  return line.length > 80 ? `${line.slice(0, 76)}…"` : line;
}

/** How a secret is spoken of. */
export function hidden(value: string): string {
  const length = value.length === 1 ? '1 character' : `${value.length} characters`;
  return `a value of ${length}, not shown because it is a secret`;
}
