import { Command, CommanderError, Help } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { createClient, type Runtime } from '../client/index.ts';
import { type CommandSettings, noKey, readCommandSettings } from '../src/config/cli-settings.ts';
import type { Environment } from '../src/platform/environment.ts';
import type { Files } from '../src/platform/files.ts';
import { fieldOf, messageOf } from '../src/platform/values.ts';
import type { Context, Run } from './command.ts';
import { addArmCommand } from './commands/arm.ts';
import { addCloseAllCommand } from './commands/close-all.ts';
import { addReadCommands } from './commands/account.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommand } from './commands/events.ts';
import { addOpenCommand } from './commands/open.ts';
import { addOrderCommands } from './commands/orders.ts';
import { addPlaceCommand } from './commands/place.ts';
import { addReportCommand } from './commands/report.ts';
import { addStatusCommands } from './commands/status.ts';
import { addWaysOut } from './commands/ways-out.ts';
import type { Outside } from './doctor/outside.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { failureOf } from './failures.ts';
import { LOCAL_COMMANDS } from './local-commands.ts';
import { printing, type Terminal } from './terminal.ts';

export interface CommandLineParts {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly files: Files;
  /** Adds the file .env to the environment; returns a warning, or null. */
  readonly loadEnvironmentFile: () => string | null;
  readonly wait: (ms: number) => Promise<void>;
  /** How servers besides the gateway are asked, and the time of this machine. */
  readonly outside: Outside;
  /** Parts of the client that a test replaces. */
  readonly runtime?: Partial<Runtime>;
}

/** A person waits: the gateway is on this machine, and either answers soon or does not run. */
const PATIENCE_MS = 3_000;

/** Reads the command line, does what it asks for, and returns what the process is to end with. */
export async function runCommandLine(
  args: readonly string[],
  given: CommandLineParts,
): Promise<ExitCode> {
  const terminal = printing(given.terminal);
  const parts = { ...given, terminal };
  let code: ExitCode = EXIT.done;
  const program = createProgram(parts, (ended) => void (code = ended));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Help and version end in this way as well, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    terminal.tell(`altbroker-gateway: ${wordsOf(error)}`);
    return isSetting(error) ? EXIT.usage : EXIT.notDone;
  }
}

function createProgram(parts: CommandLineParts, end: (code: ExitCode) => void): Command {
  const { terminal } = parts;
  const program = new Command('altbroker-gateway')
    .description('One local server in front of your brokers, and the commands to use it.')
    .version(packageJson.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: false, visibleCommands: inOrder })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.tell(text.trimEnd()),
    })
    .showHelpAfterError('(--help says what there is)')
    .exitOverride();
  for (const [name, description] of LOCAL_COMMANDS) program.command(name).description(description);
  const run: Run = async ({ json = false }, command, needs = 'settings') => {
    const context = connect(parts, needs);
    try {
      const { lines, json: value, code = EXIT.done } = await command(context);
      if (!json) for (const line of lines) terminal.out(line);
      else if (value !== undefined) terminal.out(JSON.stringify(value, null, 2));
      end(code);
    } catch (error) {
      const failure = failureOf(error, context.url);
      if (failure === null) throw error;
      if (json) terminal.out(JSON.stringify(failure.json, null, 2));
      terminal.tell(`altbroker-gateway: ${failure.text}`);
      end(failure.code);
    }
  };
  for (const add of [
    addDoctorCommand(parts.outside),
    addOpenCommand,
    addStatusCommands,
    addPlaceCommand,
    addOrderCommands,
    addReadCommands,
    addReportCommand,
    addWaysOut,
    addCloseAllCommand,
    addArmCommand,
    addEventCommand,
  ]) {
    add(program, run);
  }
  return program;
}

/** As somebody needs them who begins: docs/command-line.md has the same order. */
const ORDER = [
  ...['demo', 'start', 'doctor', 'login', 'open', 'status', 'order', 'orders', 'cancel'],
  ...['positions', 'holdings', 'funds', 'report', 'exit', 'close-all', 'kill', 'arm', 'events'],
  ...['quote', 'keys', 'backup', 'restore', 'upgrade', 'mcp'],
];

function inOrder(program: Command): Command[] {
  const place = (command: Command): number => ORDER.indexOf(command.name());
  return new Help().visibleCommands(program).toSorted((one, other) => place(one) - place(other));
}

/** With the address and the key of the settings. Throws what a wrong setting throws, unless `needs` is `whatever`. */
function connect(parts: CommandLineParts, needs: 'settings' | 'whatever'): Context {
  const { terminal, wait, runtime, environment, files } = parts;
  const warning = parts.loadEnvironmentFile();
  if (warning !== null) terminal.tell(warning);
  const { url, key } = settingsFor(parts, needs);
  if (key === null && needs === 'settings') throw noKey();
  const client = createClient({
    ...{ baseUrl: url, key: key ?? 'none', patienceMs: PATIENCE_MS },
    ...(runtime === undefined ? {} : { runtime }),
  });
  return { client, url, terminal, wait, environment, files, hasKey: key !== null };
}

function settingsFor(
  { environment, files }: CommandLineParts,
  needs: 'settings' | 'whatever',
): CommandSettings {
  try {
    return readCommandSettings(environment, files);
  } catch (error) {
    if (needs === 'settings' || !isSetting(error)) throw error;
    return { url: 'http://127.0.0.1:8420', key: null };
  }
}

const SETTING_ERRORS = [
  'ConfigurationError',
  'ConfigurationErrors',
  'FileError',
  'UnsafeFileError',
];
const isSetting = (error: unknown): boolean =>
  SETTING_ERRORS.includes(String(fieldOf(error, 'name')));

/** One line for what the user can put right; the whole story for what nobody foresaw. */
function wordsOf(error: unknown): string {
  // The client refuses input that it cannot send, such as a key with a line break, in this way.
  if (isSetting(error) || error instanceof TypeError) return messageOf(error);
  return String(fieldOf(error, 'stack') ?? error);
}
