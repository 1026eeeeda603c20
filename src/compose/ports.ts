import type { BrokerModule } from '../adapters/kit/broker-module.ts';
import type { Configuration, ServerSettings } from '../config/settings.ts';
import type { BrokerInstance } from '../domain/broker.ts';
import { type Clock, type Scheduler, systemClock, systemScheduler } from '../platform/clock.ts';
import type { OpenCron } from '../platform/cron.ts';
import { createDataLock, type DataLock } from '../platform/data-lock.ts';
import { openRoomyDatabase, type DatabaseOpener } from '../platform/database.ts';
import type { Environment } from '../platform/environment.ts';
import { type Identify, identifyFile } from '../platform/directories.ts';
import type { Files } from '../platform/files.ts';
import { createHttpTransport } from '../platform/http-transport.ts';
import type { HttpTransport } from '../platform/http.ts';
import { systemIds, type Ids } from '../platform/ids.ts';
import {
  createLastLog,
  createLog,
  createLogOutput,
  createPino,
  type Log,
  type LogOutput,
} from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { createProcessFigures, type ProcessFigures } from '../platform/process-figures.ts';
import { type Screen, systemScreen } from '../platform/standard-streams.ts';
import { createSocketConnector } from '../platform/websocket-connector.ts';
import type { SocketConnector } from '../platform/websocket.ts';
import type { PinoLogger } from '../routes/request-log.ts';
import type { DashboardFiles } from '../routes/dashboard.ts';
import type { Route } from '../routes/define-route.ts';
import { createLogText } from './log-lines.ts';

/** The outside world, part by part. Whatever is absent is the real thing. */
export interface Ports {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly transport: HttpTransport;
  /** Makes the connections of webhooks: to public addresses alone, unless private ones are allowed. */
  readonly webhookTransport: (privateAddresses: boolean) => HttpTransport;
  /** Null for none. A transport that is handed in brings its own, or there are none. */
  readonly sockets: SocketConnector | null;
  readonly openDatabase: DatabaseOpener;
  readonly files: Files;
  readonly lockData: DataLock;
  /** What tells a data directory from a copy of it, by the file of its lock. */
  readonly identify: Identify;
  readonly environment: Environment;
  readonly pino: PinoLogger;
  readonly ofProcess: ProcessFigures;
  /** What happens when a mistake of the gateway asks for a move that the table does not have. */
  readonly onImpossible: 'throw' | 'dispute';
}

export interface Overrides extends Partial<Ports> {
  /** Replaces the settings of the environment and the file. */
  readonly configuration?: Configuration;
  /**
   * Takes Telegram's place. With it, reminder, alerts and commands run whatever the settings say;
   * without it, when they name a bot and a chat, and nothing of them is there otherwise.
   */
  readonly messenger?: Messenger;
  /** Kinds of broker besides those that come with the gateway (docs/adding-a-broker.md). */
  readonly brokerModules?: readonly BrokerModule[];
  /** Instances besides those of the settings; the routes of the settings may name them. */
  readonly brokers?: readonly BrokerInstance[];
  /** Further routes of the main listener, outside the OpenAPI document. src/main.ts passes none. */
  readonly ownRoutes?: readonly Route[];
  /** Makes the files of the dashboard's page from those that were built. src/main.ts changes none. */
  readonly dashboard?: (built: DashboardFiles) => DashboardFiles;
  /** Replaces node-cron: for virtual time, see test/support/virtual-cron.ts. */
  readonly openCron?: OpenCron;
}

/** The given ports, and the real ones for the rest. */
export function portsOf(
  overrides: Overrides,
  files: Files,
  environment: Environment,
  { settings }: Configuration,
): Ports {
  const scheduler = overrides.scheduler ?? systemScheduler;
  return {
    clock: overrides.clock ?? systemClock,
    scheduler,
    ids: overrides.ids ?? systemIds,
    transport: overrides.transport ?? createHttpTransport(scheduler),
    webhookTransport:
      overrides.webhookTransport ??
      ((privateAddresses) => createHttpTransport(scheduler, { publicOnly: !privateAddresses })),
    sockets: socketsOf(overrides, scheduler),
    openDatabase: overrides.openDatabase ?? openRoomyDatabase,
    lockData: overrides.lockData ?? createDataLock(files),
    // A lock that is handed in has no file that could be told from a copy.
    identify: overrides.identify ?? (overrides.lockData ? () => null : identifyFile),
    files,
    environment,
    ofProcess: overrides.ofProcess ?? createProcessFigures(),
    pino: overrides.pino ?? openLog(settings.server, systemScreen),
    onImpossible: overrides.onImpossible ?? 'dispute',
  };
}

/** Lines of JSON, or of text where a person reads them (decision 0062). */
export function openLog(
  { logLevel, logFormat }: Pick<ServerSettings, 'logLevel' | 'logFormat'>,
  screen: Screen,
): PinoLogger {
  if (!isTextLog({ logFormat }, screen)) return openJsonLog(logLevel, createLogOutput(1));
  const text = createLogText((line) => screen.write(line), { colours: screen.hasColours });
  return createPino(logLevel, text);
}

export function openJsonLog(logLevel: ServerSettings['logLevel'], output: LogOutput): PinoLogger {
  const logger = createPino(logLevel, output);
  output.onTakenAgain((reason) =>
    logger.warn(
      { reason },
      'the log could not be written for a while: lines are missing before this one',
    ),
  );
  return logger;
}

/** For the line that tells of a crash: it is written before the process ends. A text log always is. */
export function openLastLog(
  { logLevel, logFormat }: Pick<ServerSettings, 'logLevel' | 'logFormat'>,
  screen: Screen,
): Pick<Log, 'error'> {
  if (!isTextLog({ logFormat }, screen)) return createLastLog(logLevel);
  return createLog(openLog({ logLevel, logFormat }, screen));
}

export function isTextLog(
  { logFormat }: Pick<ServerSettings, 'logFormat'>,
  { isTerminal }: Pick<Screen, 'isTerminal'>,
): boolean {
  return logFormat === 'text' || (logFormat === 'auto' && isTerminal);
}

/** A caller that replaces the transport replaces the sockets too: no request may leave otherwise. */
function socketsOf({ sockets, transport }: Overrides, scheduler: Scheduler): Ports['sockets'] {
  if (sockets !== undefined) return sockets;
  return transport === undefined ? createSocketConnector(scheduler) : null;
}
