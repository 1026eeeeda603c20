import packageJson from '../package.json' with { type: 'json' };
import { type BackupCommand, runBackupCommand } from './backup/command.ts';
import { ConfigurationError, ConfigurationErrors } from './config/configuration-error.ts';
import type { UpgradeCommand } from './compose/upgrade.ts';
import type { KeysCommand } from './callers/keys-command.ts';
import { declaredInstances } from './config/brokers.ts';
import { createDataLock, DataLockError } from './platform/data-lock.ts';
import { readCommand } from './config/arguments.ts';
import { checkEnvironmentFile } from './config/environment-file.ts';
import { loadConfiguration } from './config/load-configuration.ts';
import { systemClock, systemScheduler } from './platform/clock.ts';
import { systemIds } from './platform/ids.ts';
import { loadEnvironmentFile, systemEnvironment } from './platform/environment.ts';
import type { Log } from './platform/log.ts';
import { fieldOf, messageOf } from './platform/values.ts';
import { FileError, keepNewFilesPrivate, systemFiles } from './platform/files.ts';
import { outliveOutputs, systemStreams } from './platform/standard-streams.ts';

/** Starts the gateway from environment and `.env`; SIGTERM and SIGINT stop it, work in flight first. */
async function main(): Promise<void> {
  keepNewFilesPrivate();
  outliveOutputs();
  const warning = readEnvironmentFile();
  const { compose } = await import('./compose.ts');
  const composed = await compose();
  if (warning !== null) composed.log.warn(warning);
  const stop = async (signal: string): Promise<void> => {
    composed.log.info('stopping: no new requests; what is on its way is waited for', {
      reason: signal,
    });
    await composed[Symbol.asyncDispose]();
    composed.log.info('stopped', { reason: signal });
  };
  tellCrash(composed.openLastLog());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop(signal));
  }
  try {
    const listening = await composed.listen();
    composed.log.info('listening', { address: listening.url });
    composed.tellStart(packageJson.version, listening);
  } catch (error) {
    await composed[Symbol.asyncDispose]();
    throw error;
  }
}

/** The process ends by itself and prints where: the log says that it was no stop. */
function tellCrash(log: Pick<Log, 'error'>): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    log.error(
      'the gateway ends now, because of an error that nobody foresaw; a start recovers what was on its way',
      {
        kind: error.name,
      },
    );
  });
}

/** Lists and changes keys, whether a gateway runs or not. */
async function changeKeys(command: KeysCommand): Promise<string> {
  keepNewFilesPrivate();
  readEnvironmentFile();
  const { runKeysCommand } = await import('./callers/keys-command.ts');
  const { createHttpTransport } = await import('./platform/http-transport.ts');
  const { settings, secrets } = loadConfiguration({
    ...{ environment: systemEnvironment, files: systemFiles, clock: systemClock },
  });
  const { dataDirectory, host, port } = settings.server;
  const anyHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const transport = createHttpTransport(systemScheduler);
  const done = runKeysCommand(command, {
    ...{ files: systemFiles, clock: systemClock, ids: systemIds },
    lockData: createDataLock(systemFiles),
    transport,
    address: `http://${anyHost.includes(':') ? `[${anyHost}]` : anyHost}:${port}`,
    ...{ dataDirectory, adminKey: secrets.adminKey, brokers: declaredInstances([]) },
  });
  // Its connections would keep the process alive.
  return done.finally(() => transport.close());
}

/** Backs the data directory of the settings up, puts a backup back, or brings it to this version. */
async function copyData(command: BackupCommand | UpgradeCommand): Promise<string> {
  keepNewFilesPrivate();
  readEnvironmentFile();
  const { settings } = loadConfiguration({
    ...{ environment: systemEnvironment, files: systemFiles, clock: systemClock },
  });
  const { dataDirectory } = settings.server;
  // On standard error: what is printed at the end may be read by a program.
  const at = { dataDirectory, version: packageJson.version, tell: systemStreams.tell };
  if (command.kind !== 'upgrade') return runBackupCommand(command, at);
  const { runUpgradeCommand } = await import('./compose/upgrade.ts');
  return runUpgradeCommand(command, at);
}

/** Connects an assistant with the gateway that runs, until the assistant ends. */
async function connectAssistant(): Promise<void> {
  const warning = readEnvironmentFile();
  if (warning !== null) systemStreams.tell(warning);
  // Only this is loaded: the gateway itself is another process.
  const { composeBridge } = await import('./compose/bridge.ts');
  const ports = { environment: systemEnvironment, files: systemFiles, streams: systemStreams };
  await composeBridge(ports);
}

/** Why the process ended, before what is wrong: nothing was sent to any broker. */
const NOT_STARTED = 'The gateway did not start: ';

/** Returns a warning where others may read the file. */
function readEnvironmentFile(): string | null {
  return loadEnvironmentFile('.env', (text) => checkEnvironmentFile('.env', text));
}

let isStart = false;
try {
  const command = readCommand(process.argv.slice(2));
  isStart = command.kind === 'start';
  if (command.kind === 'start') await main();
  else if (command.kind === 'assistant') await connectAssistant();
  else if (command.kind === 'print') process.stdout.write(`${command.text}\n`);
  else if (command.kind === 'keys') process.stdout.write(`${await changeKeys(command)}\n`);
  else process.stdout.write(`${await copyData(command)}\n`);
} catch (error) {
  // One line for what the user can put right; the whole story for what nobody foresaw.
  const known =
    fieldOf(error, 'name') === 'KeysCommandError' ||
    [ConfigurationError, ConfigurationErrors, DataLockError, FileError].some(
      (kind) => error instanceof kind,
    );
  const system = error instanceof Error && 'syscall' in error;
  const text = known || system ? messageOf(error) : String(fieldOf(error, 'stack') ?? error);
  const asJson = !isStart && process.argv.includes('--json');
  if (asJson) process.stdout.write(`${JSON.stringify({ error: text }, null, 2)}\n`);
  process.stderr.write(`altbroker-gateway: ${isStart ? NOT_STARTED : ''}${text}\n`);
  process.exitCode = 1;
}
