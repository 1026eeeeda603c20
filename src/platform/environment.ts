import { parseEnv } from 'node:util';
import { modeOpenToOthers, systemFiles } from './files.ts';
/** The process's environment variables: read for settings, written for the token's third level. */
export interface Environment {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  remove(name: string): void;
  /** All variables, as they are now. */
  all(): Readonly<Record<string, string | undefined>>;
}

export const systemEnvironment: Environment = {
  get: (name) => process.env[name],
  set(name, value) {
    process.env[name] = value;
  },
  remove(name) {
    delete process.env[name];
  },
  all: () => ({ ...process.env }),
};

/** A separate environment, for tests and for a gateway inside another program. */
export function memoryEnvironment(initial: Record<string, string | undefined> = {}): Environment {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(initial)) {
    if (value !== undefined) values.set(name, value);
  }
  return {
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    remove: (name) => void values.delete(name),
    all: () => Object.fromEntries(values),
  };
}

/**
 * Adds the variables of a `.env` file to the process's; variables that are already set keep their
 * values. `check` gets the file's text before, and throws to refuse it. Returns a warning where others
 * may read or write the file, and null otherwise.
 */
export function loadEnvironmentFile(path: string, check: (text: string) => void): string | null {
  const found = systemFiles.readNamed(path);
  if (found === null) return null;
  // A byte order mark would become part of the first name.
  const text = found.content.replace(/^\uFEFF/, '');
  check(text);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  const mode = modeOpenToOthers(path);
  if (mode === null) return null;
  return (
    `${path} can be read or written by other users of this machine (mode ${mode}), and may hold ` +
    `secrets: make it private with: chmod 600 ${path}`
  );
}
