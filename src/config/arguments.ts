import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { messageOf } from '../platform/values.ts';
import { ConfigurationError } from './configuration-error.ts';
import { COMMAND_HELP, START_HELP } from './help.ts';

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

/** Throws a ConfigurationError for an argument that there is not. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const { help, version, json, ...options } = values;
  const printed: Printed = json === true ? { json } : {};
  if (help === true) return { kind: 'print', text: helpOf(positionals[0]) };
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

const helpOf = (word: string | undefined): string => {
  const named = Object.entries(COMMAND_HELP).find(([name]) => name === word);
  return named?.[1] ?? START_HELP;
};

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
