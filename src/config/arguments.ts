import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { messageOf } from '../platform/values.ts';
import { ConfigurationError } from './configuration-error.ts';

/** What the command line asks for: to start the gateway, or to do something else and end. */
export type Command =
  | { readonly kind: 'start' }
  | { readonly kind: 'assistant' }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'backup' | 'restore'; readonly directory: string };

const HELP = `Starts altbroker-gateway, one local server in front of your brokers.

  npm start                 starts it; Ctrl+C stops it, work on its way first
  npm start -- --help       prints this
  npm start -- --version    prints the version
  node src/main.ts mcp      connects an assistant, by its standard streams, with the gateway that runs
                            (APP_MCP_KEY, APP_MCP_URL: docs/assistants.md); with the node of node_modules/.bin

  npm start -- backup DIR   copies the data directory into a new directory in DIR, while the gateway
                            runs or not
  npm start -- restore DIR  puts such a copy back; the gateway must not run

Every setting is a variable of the environment or a line of the file .env in the current directory;
.env.example lists them all, with their defaults. Without any, the gateway runs with a paper account
on http://127.0.0.1:8420, and writes its admin key to data/admin-key.`;

/** Throws a ConfigurationError for an argument that there is not. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const { help, version } = values;
  if (help === true) return { kind: 'print', text: HELP };
  if (version === true) return { kind: 'print', text: packageJson.version };
  const [name, directory, ...more] = positionals;
  if (name === undefined) return { kind: 'start' };
  if (name === 'mcp' && directory === undefined) return { kind: 'assistant' };
  if ((name === 'backup' || name === 'restore') && directory !== undefined && more.length === 0) {
    return { kind: name, directory };
  }
  throw refused(positionals.join(' '));
}

function parse(args: readonly string[]): {
  readonly values: { help?: boolean; version?: boolean };
  readonly positionals: readonly string[];
} {
  try {
    return parseArgs({
      allowPositionals: true,
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    throw refused(messageOf(error).split('. ')[0] ?? '');
  }
}

function refused(got: string): ConfigurationError {
  const takes =
    'mcp, backup DIR, restore DIR, --help or --version; settings are given as variables or in .env';
  return new ConfigurationError('the command line', got, takes);
}
