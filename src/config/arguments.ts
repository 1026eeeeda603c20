import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { messageOf } from '../platform/values.ts';
import { ConfigurationError } from './configuration-error.ts';

/** What the command line asks for: to start the gateway, or to do something else and end. */
export type Command =
  | { readonly kind: 'start' }
  | { readonly kind: 'assistant' }
  | { readonly kind: 'print'; readonly text: string }
  | ({ readonly kind: 'backup' | 'restore' | 'upgrade'; readonly directory: string } & Printed)
  | (KeysWords & Printed);

/** How a command that does something and ends prints what it has done. */
interface Printed {
  /** As JSON, for programs. */
  readonly json?: true;
}

type KeysWords =
  | { readonly kind: 'keys'; readonly action: 'list' }
  | { readonly kind: 'keys'; readonly action: 'rotate' | 'revoke'; readonly id: string }
  | { readonly kind: 'keys'; readonly action: 'release'; readonly id: string }
  | {
      readonly kind: 'keys';
      readonly action: 'stop';
      readonly id: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'keys';
      readonly action: 'limits';
      readonly id: string;
      /** Numbers as they were written; those that are absent are no limits any more. */
      readonly limits: Readonly<Partial<Record<LimitOption, string>>>;
    }
  | ({ readonly kind: 'keys'; readonly action: 'add'; readonly name: string } & KeyWords);

/** The limits of a key that the command line sets. */
export type LimitOption = (typeof LIMIT_OPTIONS)[number];
const LIMIT_OPTIONS = [
  'max-order-value',
  'max-order-quantity',
  'max-open-orders',
  'max-orders-per-minute',
  'max-daily-loss',
] as const;

/** The options of a new key, as they were written. */
interface KeyWords {
  readonly scope: string;
  readonly broker: string | null;
  readonly mode: string | null;
}

const HELP = `Starts altbroker-gateway, one local server in front of your brokers.

  npm start                 starts it; Ctrl+C stops it, work on its way first
  npm start -- --help       prints this
  npm start -- --version    prints the version
  node src/main.ts mcp      connects an assistant, by its standard streams, with the gateway that runs
                            (APP_MCP_KEY, APP_MCP_URL: docs/assistants.md); with the node of node_modules/.bin

  npm start -- backup DIR   copies the data directory into a new directory in DIR, while the gateway
                            runs or not
  npm start -- restore DIR  puts such a copy back; the gateway must not run
  npm start -- upgrade DIR  makes a backup in DIR, brings the data directory to this version, and reads
                            every row; the gateway must not run

  npm start -- keys list    lists the keys; like the next six, while the gateway runs or not
  npm start -- keys add NAME --scope read|trade|admin [--broker NAME] [--mode live|paper]
                            makes a key, and prints it
  npm start -- keys rotate ID   gives it a new secret, and prints that
  npm start -- keys revoke ID   ends it
  npm start -- keys stop ID --reason TEXT   engages its own kill switch
  npm start -- keys release ID              releases that
  npm start -- keys limits ID [--max-order-value N] [--max-order-quantity N] [--max-open-orders N]
                            [--max-orders-per-minute N] [--max-daily-loss N]
                            replaces all its limits; those that are left out are none

  --json after keys, backup, restore or upgrade prints JSON, for programs

npx altbroker-gateway takes the same words, and more: demo rehearses with simulated brokers; status,
order, exit and others use the gateway that runs. npx altbroker-gateway --help lists them.

Every setting is a variable of the environment or a line of the file .env in the current directory;
.env.example lists them all, with their defaults. Without any, the gateway runs with a paper account
on http://127.0.0.1:8420, and writes its admin key to data/admin-key.`;

/** Throws a ConfigurationError for an argument that there is not. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const { help, version, json, ...options } = values;
  const printed: Printed = json === true ? { json } : {};
  if (help === true) return { kind: 'print', text: HELP };
  if (version === true) return { kind: 'print', text: packageJson.version };
  const [name, directory, ...more] = positionals;
  if (name === 'keys') return { ...keysCommand(positionals.slice(1), options), ...printed };
  if (Object.keys(options).length > 0) throw refused(args.join(' '));
  const copying = COPYING.find((kind) => kind === name);
  if (json === true && copying === undefined) throw refused(args.join(' '));
  if (name === undefined) return { kind: 'start' };
  if (name === 'mcp' && directory === undefined) return { kind: 'assistant' };
  if (copying !== undefined && directory !== undefined && more.length === 0) {
    return { kind: copying, directory, ...printed };
  }
  throw refused(positionals.join(' '));
}

const COPYING = ['backup', 'restore', 'upgrade'] as const;

function limitsIn(options: KeyOptions): Partial<Record<LimitOption, string>> {
  const named = LIMIT_OPTIONS.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

function keysCommand(words: readonly string[], options: KeyOptions): KeysWords {
  const [action, subject, ...more] = words;
  const { scope, broker = null, mode = null, reason } = options;
  const limits = limitsIn(options);
  const isPlain = Object.keys(options).length === 0;
  if (action === 'list' && subject === undefined && isPlain) return { kind: 'keys', action };
  if (subject !== undefined && more.length === 0) {
    if ((action === 'rotate' || action === 'revoke') && isPlain) {
      return { kind: 'keys', action, id: subject };
    }
    if (action === 'release' && isPlain) return { kind: 'keys', action, id: subject };
    const given = Object.keys(options).length;
    if (action === 'stop' && reason !== undefined && given === 1) {
      return { kind: 'keys', action, id: subject, reason };
    }
    if (action === 'limits' && given === Object.keys(limits).length) {
      return { kind: 'keys', action, id: subject, limits };
    }
    const isOfAdding = reason === undefined && Object.keys(limits).length === 0;
    if (action === 'add' && scope !== undefined && isOfAdding) {
      return { kind: 'keys', action, name: subject, scope, broker, mode };
    }
  }
  const takes =
    'keys list, keys add NAME --scope SCOPE, keys rotate ID, keys revoke ID, keys stop ID --reason TEXT, ' +
    'keys release ID or keys limits ID';
  throw new ConfigurationError('the command line', ['keys', ...words].join(' '), takes);
}

interface KeyOptions extends Partial<Readonly<Record<LimitOption, string>>> {
  readonly reason?: string;
  readonly scope?: string;
  readonly broker?: string;
  readonly mode?: string;
}

function parse(args: readonly string[]): {
  readonly values: { help?: boolean; version?: boolean; json?: boolean } & KeyOptions;
  readonly positionals: readonly string[];
} {
  try {
    return parseArgs({
      allowPositionals: true,
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        scope: { type: 'string' },
        broker: { type: 'string' },
        mode: { type: 'string' },
        reason: { type: 'string' },
        'max-order-value': { type: 'string' },
        'max-order-quantity': { type: 'string' },
        'max-open-orders': { type: 'string' },
        'max-orders-per-minute': { type: 'string' },
        'max-daily-loss': { type: 'string' },
      },
    });
  } catch (error) {
    throw refused(messageOf(error).split('. ')[0] ?? '');
  }
}

function refused(got: string): ConfigurationError {
  const takes =
    'keys …, mcp, backup DIR, restore DIR, upgrade DIR, --help or --version; settings are given as variables or in ' +
    '.env';
  return new ConfigurationError('the command line', got, takes);
}
