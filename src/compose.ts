import { join } from 'node:path';
import { createAltBroker, type AltBroker } from './adapters/alt/index.ts';
import { createAltTicker, type Ticker } from './adapters/alt/ticker/ticker.ts';
import { createPaperBroker } from './adapters/paper/index.ts';
import { createPrimaryBroker } from './adapters/primary/index.ts';
import { createCallers, type Callers } from './callers/callers.ts';
import { loadConfiguration } from './config/load-configuration.ts';
import { ConfigurationError } from './config/configuration-error.ts';
import type { Configuration, ServerSettings } from './config/settings.ts';
import type { BrokerId } from './domain/broker.ts';
import type { InstrumentLookup } from './domain/instrument.ts';
import { isMarketOpen } from './domain/market-hours.ts';
import { lacksSession, notSent, type NotSent } from './domain/outcome.ts';
import type { Broker } from './domain/ports.ts';
import { createEventLog, type EventLog } from './events/event-log.ts';
import { createExecution, type Execution } from './execution/execution.ts';
import { createSqliteJournal } from './execution/journal.ts';
import { createInstrumentDirectory, type InstrumentDirectory } from './instruments/directory.ts';
import { createKeptLists } from './instruments/kept-lists.ts';
import { asMarketData, createMarketDataRoute } from './market-data/market-data-route.ts';
import { createQuoteBoard, type QuoteBoard } from './market-data/quote-board.ts';
import { createTickBoard } from './market-data/tick-board.ts';
import { createTickedBoard } from './market-data/ticked-board.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { openNodeCron, type OpenCron } from './platform/cron.ts';
import { createDataLock, type DataLock } from './platform/data-lock.ts';
import { openRoomyDatabase, type DatabaseOpener } from './platform/database.ts';
import { systemEnvironment, type Environment } from './platform/environment.ts';
import { systemFiles, type Files } from './platform/files.ts';
import { listen, type HttpListener, type RequestListener } from './platform/http-server.ts';
import { createHttpTransport } from './platform/http-transport.ts';
import type { HttpTransport } from './platform/http.ts';
import { systemIds, type Ids } from './platform/ids.ts';
import { createLog, createPino, type Log } from './platform/log.ts';
import type { Messenger } from './platform/messenger.ts';
import { systemScheduler, type Scheduler } from './platform/scheduler.ts';
import { createSocketConnector } from './platform/websocket-connector.ts';
import type { SocketConnector } from './platform/websocket.ts';
import { openReminderFile } from './reminder/reminder-file.ts';
import { createReminder } from './reminder/reminder.ts';
import { createPortfolio } from './portfolio/portfolio.ts';
import { brokerView, createGatewayInterface } from './router/create-gateway.ts';
import type { Gateway } from './router/gateway.ts';
import { createApp } from './routes/app.ts';
import { hostsOf } from './routes/host-check.ts';
import type { PinoLogger } from './routes/request-log.ts';
import { createSession } from './session/create-session.ts';
import type { Session, SessionControl } from './session/session.ts';
import { createChat, createTelegrafMessenger } from './telegram/index.ts';
import { createTokenStore } from './token-store/token-store.ts';

/** The outside world, part by part. Whatever is absent is the real thing. */
export interface Ports {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly transport: HttpTransport;
  /** Null for none. A transport that is handed in brings its own, or there are none. */
  readonly sockets: SocketConnector | null;
  readonly openDatabase: DatabaseOpener;
  readonly files: Files;
  readonly lockData: DataLock;
  readonly environment: Environment;
  readonly pino: PinoLogger;
}

export interface Overrides extends Partial<Ports> {
  /** Takes the place of what environment and file say. */
  readonly configuration?: Configuration;
  /**
   * Takes Telegram's place. With it, reminder, alerts and commands run whatever the settings say;
   * without it, when they name a bot and a chat, and nothing of them is there otherwise.
   */
  readonly messenger?: Messenger;
  /** Takes node-cron's place: for virtual time, see test/support/virtual-cron.ts. */
  readonly openCron?: OpenCron;
}

/** The whole gateway, wired and awake, not listening yet. Disposing it stops and closes everything. */
export interface Composed extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly session: Session | null;
  /** For what looks on: a simulation's checker, a test. Faces see the gateway alone. */
  readonly execution: Execution;
  readonly callers: Callers;
  readonly configuration: Configuration;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly pino: PinoLogger;
  /** The two HTTP faces: everything, and the postback route alone. */
  readonly faces: { readonly main: RequestListener; readonly postback: RequestListener };
  /** Opens the listeners of the settings. Rejects when a port cannot be had. */
  listen(): Promise<Listening>;
}

export interface Listening {
  readonly url: string;
  /** Null when the settings name no second port. */
  readonly postbackUrl: string | null;
}

/** The one place that names concrete parts. Throws what a wrong setting or data directory throws. */
export async function compose(overrides: Overrides = {}): Promise<Composed> {
  const files = overrides.files ?? systemFiles;
  const environment = overrides.environment ?? systemEnvironment;
  const configuration = overrides.configuration ?? loadConfiguration({ environment, files });
  const { settings } = configuration;
  const pino = overrides.pino ?? createPino(settings.server.logLevel);
  const scheduler = overrides.scheduler ?? systemScheduler;
  const ports: Ports = {
    clock: overrides.clock ?? systemClock,
    scheduler,
    ids: overrides.ids ?? systemIds,
    transport: overrides.transport ?? createHttpTransport(scheduler),
    sockets: socketsOf(overrides, scheduler),
    openDatabase: overrides.openDatabase ?? openRoomyDatabase,
    lockData: overrides.lockData ?? createDataLock(files),
    files,
    environment,
    pino,
  };
  const log = createLog(pino);
  for (const warning of configuration.warnings) log.warn(warning);
  await using stack = new AsyncDisposableStack();
  const dataDirectory = prepareData(settings.server, files, log);
  const lock = ports.lockData(dataDirectory);
  stack.defer(() => lock.release());
  stack.defer(() => ports.transport.close());

  const rooms = await composeRooms(configuration, ports, dataDirectory, log, stack);
  const callers = createCallers({
    ...ports,
    log,
    path: join(dataDirectory, 'callers.json'),
    adminKeyPath: join(dataDirectory, 'admin-key'),
    adminKey: configuration.secrets.adminKey,
  });
  // In process, requests carry the port of the settings; a listener that was given 0 has its own.
  let mainPort = settings.server.port;
  const faces = createApp({
    ...ports,
    ...rooms,
    log,
    callers,
    allowedHosts: () => hostsOf(mainPort, settings.server.allowedHosts),
    publicUrl: settings.server.publicUrl,
    ready: () => readiness(rooms.execution),
  });
  const messenger = overrides.messenger ?? (await openTelegram(configuration, ports, log));
  if (messenger) {
    const { host, publicUrl } = settings.server;
    const base = (): string => publicUrl ?? `http://${reachable(host)}:${mainPort}`;
    const parts = { ...ports, ...rooms, log, messenger, dataDirectory };
    const loginUrl = (): string => `${base()}/api/altbroker/login`;
    stack.use(createChat({ ...parts, loginUrl }));
    if (rooms.session) {
      const cron = await (overrides.openCron ?? openNodeCron)({ ...ports, log });
      const file = openReminderFile({ files, log, path: join(dataDirectory, 'reminder.json') });
      const { session } = rooms;
      stack.use(
        createReminder({ ...parts, session, cron, file, settings: settings.reminder, loginUrl }),
      );
    }
  }
  const owned = stack.move();

  async function open(app: RequestListener, port: number): Promise<HttpListener> {
    const listener = await listen(app, { host: settings.server.host, port, scheduler });
    owned.defer(() => listener.close());
    return listener;
  }

  return {
    ...rooms,
    callers,
    configuration,
    dataDirectory,
    log,
    pino,
    faces,
    async listen() {
      const { host, port, postbackPort } = settings.server;
      const shown = host.includes(':') ? `[${host}]` : host;
      const main = await open(faces.main, port);
      mainPort = main.port;
      const url = `http://${shown}:${main.port}`;
      if (postbackPort === null) return { url, postbackUrl: null };
      const postback = await open(faces.postback, postbackPort);
      const postbackUrl = `http://${shown}:${postback.port}/api/altbroker/postback`;
      return { url, postbackUrl };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Whoever replaces the network replaces all of it: nothing is to leave by another way. */
function socketsOf({ sockets, transport }: Overrides, scheduler: Scheduler): Ports['sockets'] {
  if (sockets !== undefined) return sockets;
  return transport === undefined ? createSocketConnector(scheduler) : null;
}

/** Null without a bot's token and a chat: then nothing of Telegram is even loaded. */
async function openTelegram(
  { settings, secrets }: Configuration,
  { clock, scheduler }: Ports,
  log: Log,
): Promise<Messenger | null> {
  const token = secrets.telegramBotToken;
  if (!settings.telegram || !token) return null;
  return createTelegrafMessenger({ ...settings.telegram, token, clock, scheduler, log });
}

/** A host to go to, for one to listen on: every address is none that a browser can open. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Not ready while what a crash left open has not been looked up at its broker. */
function readiness(execution: Execution): { ready: boolean; reasons: string[] } {
  const reasons = execution
    .recovering()
    .map((broker) => `the order book of ${broker} has not been read whole since the start`);
  return { ready: reasons.length === 0, reasons };
}

/**
 * The data directory, private. Where there is none and none can be made, a temporary one, said loudly.
 * One that the user has named, or that is there, may hold orders: to start without them would be to
 * forget which keys have been used, so the start is refused.
 */
function prepareData(
  { dataDirectory: path, dataDirectoryNamed }: ServerSettings,
  files: Files,
  log: Log,
): string {
  try {
    files.makePrivateDirectory(path);
    return path;
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).syscall !== 'mkdir';
    if (dataDirectoryNamed || exists) {
      throw new ConfigurationError(
        'APP_DATA_DIR',
        path,
        `a directory that can be read and written (${error instanceof Error ? error.message : String(error)})`,
      );
    }
    const directory = files.makeTemporaryDirectory('altbroker-gateway-');
    log.error(
      'APP_DATA_DIR cannot be used: orders and the token are kept in a temporary directory, ' +
        'and a restart will not find them',
      { path: directory, reason: error instanceof Error ? error.message : String(error) },
    );
    return directory;
  }
}

async function composeRooms(
  { settings, secrets }: Configuration,
  ports: Ports,
  dataDirectory: string,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<{
  gateway: Gateway;
  session: SessionControl | null;
  execution: Execution;
  events: EventLog;
}> {
  const { clock, scheduler, openDatabase: open } = ports;
  let session: SessionControl | null = null;
  let directory: InstrumentDirectory | null = null;
  let wakePrimary = (): void => undefined;
  const instruments: InstrumentLookup = {
    byName: (name) => directory?.byName(name) ?? null,
    bySecurityId: (exchange, id, segment) => directory?.bySecurityId(exchange, id, segment) ?? null,
  };

  const primary = createPrimaryBroker({
    ...ports,
    log,
    instruments,
    accessToken: () => secrets.primaryAccessToken?.reveal() ?? null,
    login: secrets.primaryLogin,
    onToken: () => wakePrimary(),
    settings: {
      baseUrl: settings.primary.baseUrl,
      remarks: settings.primary.orderRemarksEnabled,
      stopOrders: settings.primary.stopOrders,
      extraTerminalStatuses: settings.primary.extraTerminalStatuses,
    },
  });
  const alt = createAlt();
  if (alt) session = createAltSession(alt);

  /** Why there is no session with a broker. An outage is none: it must not look like one. */
  const sessionBlocked = (broker: BrokerId): NotSent | null => {
    if (broker === 'paper') return null;
    if (broker === 'alt' && !alt) return notSent('token', 'the alternative broker is not set up');
    const blocked = (broker === 'alt' ? alt! : primary).trading!.blocked();
    return lacksSession(blocked) ? blocked : null;
  };
  const view = (broker: BrokerId) => brokerView(broker, sessionBlocked(broker));

  const live: Broker[] = alt ? [alt, primary] : [primary];
  directory = createInstrumentDirectory({
    // The primary's list needs no login, so it is there first and names everything.
    sources: [primary.instruments!, ...(alt ? [alt.instruments] : [])],
    blocked: (source) => sessionBlocked(source.broker)?.reason ?? null,
    kept: createKeptLists({
      files: ports.files,
      directory: dataDirectory,
      addressOf: (broker) =>
        broker === 'alt' ? (settings.alt?.apiRoot ?? '') : settings.primary.baseUrl,
      log,
    }),
    clock,
    scheduler,
    log,
  });
  stack.defer(() => directory.stop());
  const marketData = createMarketDataRoute();
  const boards = new Map<BrokerId, QuoteBoard>(
    live.map((broker) => [broker.id, createQuoteBoard(broker.marketData!, clock, scheduler)]),
  );
  const ticker = createTicker();
  if (ticker) {
    const [board, ticks] = [boards.get('alt')!, createTickBoard(ticker, clock)];
    boards.set('alt', createTickedBoard({ board, ticks, clock }));
  }
  const openBoards = (): QuoteBoard[] =>
    settings.routing.marketData.flatMap((broker) =>
      sessionBlocked(broker) === null ? (boards.get(broker) ?? []) : [],
    );

  const ledger = open(join(dataDirectory, 'paper.db'));
  stack.defer(() => ledger.close());
  const paper = await createPaperBroker({
    ...ports,
    log,
    instruments,
    database: ledger,
    marketData: asMarketData(marketData, openBoards, 'paper'),
    settings: {
      cash: String(settings.paper.cash),
      brokerage: String(settings.paper.brokerage),
      fills: settings.paper.fills,
      marketHours: settings.orders.marketHours,
    },
  });
  stack.use(paper);

  const brokers: Broker[] = [...live, paper];
  const journalFile = open(join(dataDirectory, 'journal.db'));
  stack.defer(() => journalFile.close());
  const { events, store: journal } = createEventLog(createSqliteJournal(journalFile));
  const execution = await createExecution({
    ...ports,
    log,
    instruments,
    loadInstruments: () => directory.ensureLoaded(),
    journal,
    brokers: brokers.map(({ trading, account }) => ({ trading: trading!, account: account! })),
    settings: {
      pollMs: settings.orders.pollMs,
      absentAfterMs: settings.orders.uncertainAbsentAfterMs,
      unrecognisedMs: settings.orders.unrecognisedStatusMs,
      marketHours: settings.orders.marketHours,
      freezeQuantities: settings.orders.freezeQuantities,
    },
  });
  stack.use(execution);
  wakePrimary = () => execution.wake('primary');
  // A token can have been made while the rest was put together.
  if (secrets.primaryLogin !== null && sessionBlocked('primary') === null) wakePrimary();
  session?.onChange(({ kind }) => {
    execution.wake('alt');
    if (kind === 'died') alertOfDeath(execution);
  });
  // Whose it is, and whether the broker still takes it, is asked before anyone relies on it.
  void session?.check();
  // A token that was there before the start is a session that began: what it opens is read now.
  if (session !== null && sessionBlocked('alt') === null) execution.wake('alt');

  if (ticker) {
    stack.defer(() => ticker.stop());
    session?.onChange(() => ticker.follow());
    ticker.follow();
  }

  const gateway = createGatewayInterface({
    brokers,
    execution,
    directory,
    marketData,
    boards,
    portfolios: new Map(
      brokers.map((broker) => [broker.id, createPortfolio(broker.account!, clock)]),
    ),
    postbacks: alt?.postbacks ?? null,
    view,
    routes: settings.routing,
    clock,
  });
  return { gateway, session, execution, events };

  /** Outside market hours the next morning's login is in time. */
  function alertOfDeath({ alert }: Execution): void {
    if (settings.orders.marketHours === 'exchange' && !isMarketOpen(clock.now())) return;
    const message =
      'the alternative broker has ended its session while the market is open: log in again at ' +
      '/api/altbroker/login. Until then orders and prices go along the rest of their routes';
    alert('critical', message).catch((error: unknown) => {
      log.error(message, { reason: error instanceof Error ? error.message : String(error) });
    });
  }

  function createAlt(): AltBroker | null {
    if (!settings.alt || !secrets.altApiSecret) return null;
    return createAltBroker({
      ...ports,
      log,
      accessToken: () => session?.accessToken() ?? null,
      onDeadToken: (accessToken) => session?.tokenDied(accessToken),
      settings: { ...settings.alt, apiSecret: secrets.altApiSecret.reveal() },
    });
  }

  function createTicker(): Ticker | null {
    const { sockets } = ports;
    if (!settings.alt?.tickerUrl || !sockets) return null;
    const { apiKey, tickerUrl } = settings.alt;
    return createAltTicker({
      ...ports,
      sockets,
      log,
      accessToken: () => session?.accessToken() ?? null,
      onOrders: () => execution.wake('alt'),
      // Not the end of the token: an app without market data is refused as well.
      onRefused: () => void session?.check(),
      settings: { apiKey, tickerUrl },
    });
  }

  function createAltSession(broker: AltBroker): SessionControl {
    const tokens = createTokenStore({
      ...ports,
      log,
      path: join(dataDirectory, 'token.json'),
      environmentName: 'APP_ALT_BROKER_ACCESS_TOKEN',
      configurationToken: secrets.altAccessToken.configuration?.reveal() ?? null,
    });
    return createSession({
      ...ports,
      log,
      tokens,
      login: broker.login,
      userId: settings.alt?.userId ?? null,
    });
  }
}
