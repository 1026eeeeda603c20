import { join } from 'node:path';
import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import { ConfigurationError } from './configuration-error.ts';
import { createReaders } from './readers.ts';
import { readSources } from './sources.ts';

/** What a command needs to call the gateway that runs (docs/command-line.md). */
export interface CommandSettings {
  /** Where the gateway listens, without a path. */
  readonly url: string;
  /** Null where there is none in the settings. */
  readonly key: string | null;
}

const DEFAULT_PORT = 8420;

/**
 * The address is that of APP_CLI_URL, or of the gateway's own settings; the key that of APP_CLI_KEY, of
 * APP_API_KEY, or of the file that the first start writes. Throws a ConfigurationError, or ConfigurationErrors
 * for several.
 */
export function readCommandSettings(environment: Environment, files: Files): CommandSettings {
  const sources = readSources(environment, files);
  const read = createReaders(sources);
  const port = read.number('APP_PORT', { from: 0, to: 65_535, decimals: 0 }, DEFAULT_PORT);
  const url = read.url('APP_CLI_URL', 'an http or https address without user, query or fragment');
  const key = read.secret('APP_CLI_KEY', 'get') ?? read.secret('APP_API_KEY', 'get');
  const host = sources.get('APP_HOST') ?? '127.0.0.1';
  const directory = sources.get('APP_DATA_DIR') ?? 'data';
  read.throwRefused();
  return {
    url: url ?? `http://${reachable(host)}:${port === 0 ? DEFAULT_PORT : port}`,
    key: key?.reveal() ?? (files.readPrivate(join(directory, 'admin-key'))?.trim() || null),
  };
}

/** A gateway that listens on every address is reached on this machine's own. */
function reachable(host: string): string {
  const known = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return known.includes(':') ? `[${known}]` : known;
}

/** What a command says that needs a key, where there is none. */
export const noKey = (): ConfigurationError =>
  new ConfigurationError(
    'APP_CLI_KEY',
    'nothing',
    'a key of the gateway: APP_API_KEY and the file admin-key of the data directory have none either; make one ' +
      'with keys add',
  );
