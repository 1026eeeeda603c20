import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import type { Secret } from '../platform/secret.ts';
import { createReaders } from './readers.ts';
import { readSources } from './sources.ts';

/** What the bridge to an assistant needs (docs/assistants.md). It needs no setting of the gateway itself. */
export interface BridgeSettings {
  /** Where the gateway takes messages of assistants. */
  readonly url: string;
  readonly key: Secret;
}

const DEFAULT_PORT = 8420;

/** Throws a ConfigurationError, or ConfigurationErrors for several. */
export function readBridgeSettings(environment: Environment, files: Files): BridgeSettings {
  const sources = readSources(environment, files);
  const read = createReaders(sources);
  const port = read.number('APP_PORT', { from: 0, to: 65_535, decimals: 0 }, DEFAULT_PORT);
  const url = read.url('APP_MCP_URL', 'an http or https address without user, query or fragment');
  const key = read.secret('APP_MCP_KEY', 'get');
  if (sources.get('APP_MCP_KEY') === null) {
    read.refuse('APP_MCP_KEY', 'nothing', 'the key of the assistant (docs/assistants.md)');
  }
  read.throwRefused();
  if (key === null) throw new Error('a key that is missing was refused');
  return { url: url ?? `http://127.0.0.1:${port === 0 ? DEFAULT_PORT : port}/mcp`, key };
}
