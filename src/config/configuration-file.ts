import type { Files } from '../platform/files.ts';
import { ConfigurationError, shown } from './configuration-error.ts';
import { FILE_SETTING, isSecretName } from './names.ts';

/**
 * Reads the optional JSON file: one object whose names are those of the environment, whose values
 * are texts, numbers, booleans, or lists of texts; null counts as unset. A file that holds a secret
 * must be private. Throws a ConfigurationError that quotes nothing of the file's content.
 */
export function readConfigurationFile(files: Files, path: string): ReadonlyMap<string, string> {
  const refuse = (takes: string): ConfigurationError =>
    new ConfigurationError(FILE_SETTING, shown(path), takes);
  const found = attempt(
    () => files.readNamed(path),
    () => refuse('the path of a file that can be read'),
  );
  if (found === null) throw refuse('the path of a file that exists');
  const entries = attempt(
    // The parser's message quotes a piece of the text, which may be a secret.
    () => parse(found.content),
    () => refuse('the path of a file that holds one JSON object'),
  );
  const settings = new Map<string, string>();
  for (const [name, value] of entries) {
    if (value === null) continue;
    const text = textOf(value);
    if (text === null) {
      const takes = 'a text, a number, a boolean or a list of texts in the configuration file';
      throw new ConfigurationError(name, 'something else', takes);
    }
    settings.set(name, text);
  }
  if (!found.isPrivate && [...settings.keys()].some(isSecretName)) throw notPrivate(path);
  return settings;
}

function parse(content: string): readonly (readonly [string, unknown])[] {
  const value: unknown = JSON.parse(content);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError();
  return Object.entries(value);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.join(',');
  }
  return null;
}

function notPrivate(path: string): ConfigurationError {
  return new ConfigurationError(
    FILE_SETTING,
    `${shown(path)}, which holds a secret and can be read or written by others`,
    'a private file (chmod 600)',
  );
}

function attempt<T>(run: () => T, refusal: () => ConfigurationError): T {
  try {
    return run();
  } catch {
    throw refusal();
  }
}
