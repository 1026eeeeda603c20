import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { messageOf } from '../platform/values.ts';
import { ConfigurationError } from './configuration-error.ts';

/** What the command line asks for: to start the gateway, or to print a text and end. */
export type Command =
  { readonly kind: 'start' } | { readonly kind: 'print'; readonly text: string };

const HELP = `Starts altbroker-gateway, one local server in front of your brokers.

  npm start                 starts it; Ctrl+C stops it, work on its way first
  npm start -- --help       prints this
  npm start -- --version    prints the version

Every setting is a variable of the environment or a line of the file .env in the current directory;
.env.example lists them all, with their defaults. Without any, the gateway runs with a paper account
on http://127.0.0.1:8420, and writes its admin key to data/admin-key.`;

/** Throws a ConfigurationError for an argument that there is not. */
export function readCommand(args: readonly string[]): Command {
  const { help, version } = parse(args);
  if (help === true) return { kind: 'print', text: HELP };
  if (version === true) return { kind: 'print', text: packageJson.version };
  return { kind: 'start' };
}

function parse(args: readonly string[]): { help?: boolean; version?: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    return values;
  } catch (error) {
    const got = messageOf(error).split('. ')[0] ?? '';
    const takes = '--help or --version; settings are given as variables or in .env';
    throw new ConfigurationError('the command line', got, takes);
  }
}
