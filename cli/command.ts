import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/index.ts';
import type { Environment } from '../src/platform/environment.ts';
import type { Files } from '../src/platform/files.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** What a command of the gateway works with. */
export interface Context {
  readonly client: Client;
  /** Where the gateway listens. */
  readonly url: string;
  readonly terminal: Terminal;
  /** What the settings are read from. */
  readonly environment: Environment;
  readonly files: Files;
  /** Whether the settings have a key; only a command that does not need one is run without. */
  readonly hasKey: boolean;
  /** Resolves after this many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** What a command has found out or done: lines for people, and the same as JSON for programs. */
export interface Result {
  readonly lines: readonly string[];
  /** Undefined for a command that has printed what it has already. */
  readonly json: unknown;
  /** `done` when absent. */
  readonly code?: ExitCode;
}

/** Options that every command of the gateway has. */
export interface CommonOptions {
  readonly json?: boolean;
}
/** Options of a command that asks before it does something. */
export interface AskingOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** Adds commands to the program. `run` connects to the gateway, and prints what the command answers. */
export type AddCommands = (program: Command, run: Run) => void;
export type Run = (
  options: CommonOptions,
  command: (context: Context) => Promise<Result>,
  /** `whatever`: also without a key, and where a setting is wrong. */
  needs?: 'settings' | 'whatever',
) => Promise<void>;

export const JSON_OPTION = ['--json', 'print JSON, for programs'] as const;
export const YES_OPTION = ['-y, --yes', 'do it without asking'] as const;
export const BROKER_OPTION = [
  '--broker <name>',
  'alt, primary, paper, or another of your settings',
] as const;

/** A command that could not be carried out, in words for people. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode = EXIT.notDone) {
    super(message);
    this.code = code;
  }
}

/** Asks the person once. Throws CommandFailed unless the answer is yes, or where nobody can be asked. */
export async function confirm(
  { terminal }: Pick<Context, 'terminal'>,
  { yes, json }: AskingOptions,
  lines: readonly string[],
  question: string,
): Promise<void> {
  if (yes === true) return;
  if (json === true || !terminal.isInteractive) {
    const detail = 'this asks before it does something, and nobody can be asked here: add --yes';
    throw new CommandFailed(detail, EXIT.usage);
  }
  for (const line of lines) terminal.tell(line);
  const answer = (await terminal.ask(`${question} [y/N] `))?.trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes')
    throw new CommandFailed('not confirmed: nothing was done');
}

/** A whole number above 0. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number above 0.');
}

/** A price in rupees. */
export function priceNumber(text: string): number {
  if (/^\d{1,8}(\.\d{1,4})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It takes a price above 0, with at most 4 decimals.');
}

/** Takes words in any case, and gives them in capitals. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text.toUpperCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It takes one of ${words.join(', ')}.`);
  };

export const PRODUCTS = ['CNC', 'INTRADAY', 'MARGIN', 'MIS', 'NRML'] as const;
export const productOption = oneOf(PRODUCTS);
/** As the gateway shows them. */
export const PRODUCT_NAMES: Readonly<
  Record<(typeof PRODUCTS)[number], 'CNC' | 'INTRADAY' | 'MARGIN'>
> = {
  ...{ CNC: 'CNC', INTRADAY: 'INTRADAY', MARGIN: 'MARGIN', MIS: 'INTRADAY', NRML: 'MARGIN' },
};

/** The members that are defined: a client's input has none that are undefined. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
