import type { Callers } from './callers/callers.ts';
import { openArming } from './compose/arming.ts';
import { composeAssistants } from './compose/assistants.ts';
import { composeCallers } from './compose/callers.ts';
import { composeChat } from './compose/chat.ts';
import { composeDashboard } from './compose/dashboard.ts';
import { prepareData } from './compose/data-directory.ts';
import { type Listening, openListeners } from './compose/listeners.ts';
import { createSessionGate } from './compose/session-gate.ts';
import { startSummary, tellSummary, whatIsStopped } from './compose/start-summary.ts';
import { composeSignals } from './compose/signals.ts';
import { composeStreams } from './compose/streams.ts';
import { composeWebhooks } from './compose/webhooks.ts';
import { openLastLog, portsOf, type Overrides } from './compose/ports.ts';
import { BROKER_MODULES } from './compose/brokers.ts';
import { composeGateway } from './compose/gateway.ts';
import { measuring } from './compose/metrics.ts';
import { loadConfiguration } from './config/load-configuration.ts';
import type { Configuration } from './config/settings.ts';
import type { Execution } from './execution/execution.ts';
import { unreadBookNotice } from './execution/reconcile/unread-book.ts';
import type { Readiness } from './routes/health.ts';
import { createMetrics } from './metrics/metrics.ts';
import { systemClock } from './platform/clock.ts';
import { systemEnvironment } from './platform/environment.ts';
import { systemFiles } from './platform/files.ts';
import type { RequestListener } from './platform/http-server.ts';
import { createLog, type Log } from './platform/log.ts';
import { systemScreen } from './platform/standard-streams.ts';
import type { Gateway } from './router/gateway.ts';
import { asProblems } from './router/problems.ts';
import { createApp } from './routes/app.ts';
import { hostsOf } from './routes/access.ts';
import type { PinoLogger } from './routes/request-log.ts';
import type { Session } from './session/session.ts';

/** Who stops a key whose daily loss has reached its limit, in the record of the key. No key has this id. */
const GATEWAY = 'gateway';

export type { Listening } from './compose/listeners.ts';
export type { Overrides, Ports } from './compose/ports.ts';

/** The whole gateway, wired and awake, not listening yet. Disposing it stops and closes everything. */
export interface Composed extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly session: Session | null;
  /** For what looks on: a simulation's checker, a test. Entry points see the gateway alone. */
  readonly execution: Execution;
  readonly callers: Callers;
  readonly configuration: Configuration;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly pino: PinoLogger;
  /** A log for the line that tells of a crash: it is written before the process ends. */
  openLastLog(): Pick<Log, 'error'>;
  /** The HTTP applications: every route, the postback route alone, and that of hooks alone. */
  readonly apps: {
    readonly main: RequestListener;
    readonly postback: RequestListener;
    readonly hooks: RequestListener;
  };
  /** The path of a link that signs one browser in as the admin: once, within ten minutes. */
  adminLink(): string;
  /** Opens the listeners of the settings, then begins. Rejects when a port cannot be had. */
  listen(): Promise<Listening>;
  /**
   * Nothing can refuse the start any more: new sessions may be begun at brokers. A start that is refused must not end
   * the session of the gateway that runs.
   */
  begin(): void;
  /** Tells what is configured and what is missing: in a terminal as text, and to the log elsewhere. */
  tellStart(version: string, listening: Listening): void;
}

/**
 * Puts the gateway together: this file and those in compose/ are the one place that names concrete
 * parts. Throws what a wrong setting or data directory throws.
 */
export async function compose(overrides: Overrides = {}): Promise<Composed> {
  const files = overrides.files ?? systemFiles;
  const environment = overrides.environment ?? systemEnvironment;
  const added = overrides.brokers ?? [];
  const configuration =
    overrides.configuration ??
    loadConfiguration({
      ...{ environment, files, brokers: added },
      clock: overrides.clock ?? systemClock,
    });
  const { settings } = configuration;
  const ports = portsOf(overrides, files, environment, configuration);
  const { scheduler, pino } = ports;
  const log = createLog(pino);
  for (const warning of configuration.warnings) log.warn(warning);
  await using stack = new AsyncDisposableStack();
  const dataDirectory = prepareData(settings.server, files, log);
  const lock = ports.lockData(dataDirectory);
  stack.defer(() => lock.release());
  stack.defer(() => ports.transport.close());
  const arming = openArming({ ...ports, dataDirectory, log });
  const gate = createSessionGate(arming.disarmed);
  const metrics = createMetrics();
  const common = { configuration, ports, dataDirectory, log, metrics, stack };
  const brokerModules = [...BROKER_MODULES, ...(overrides.brokerModules ?? [])];
  const modules = await composeGateway({ ...common, ...arming, ...gate, brokerModules });
  const { gateway, login, execution } = modules;
  const streams = composeStreams(ports, modules);
  const callers = composeCallers({ ...common, execution, streams });
  execution.watchKeyLosses((id, reason) => void callers.setStop(id, { reason, by: GATEWAY }));
  const dashboard = composeDashboard(
    { ...common, callers, streams },
    systemFiles,
    overrides.dashboard,
  );
  const { hooks, signals } = composeSignals({ ...common, modules, callers });
  // In process, requests carry the port of the settings; a listener that was given 0 has its own.
  let mainPort = settings.server.port;
  const apps = createApp({
    ...ports,
    gateway,
    session: login.session,
    noLogin: login.absent,
    brokers: configuration.brokers,
    log,
    callers,
    keys: callers,
    allowedHosts: () => hostsOf(mainPort, settings.server.allowedHosts),
    publicUrl: settings.server.publicUrl,
    ready: () => ({ ...readiness(execution), disarmed: arming.disarmed() }),
    arming: {
      arm: (by) =>
        asProblems(() =>
          arming.arm((since) => execution.tell('gateway.armed', { by, ...since }, {})),
        ),
    },
    ...streams,
    ...{ signIns: dashboard.signIns, dashboard: dashboard.dashboard },
    webhooks: composeWebhooks({ ...common, modules }),
    ...{ hooks, signals, forwardedHeader: settings.server.hooksForwardedHeader },
    ...measuring(metrics, { ...ports, gateway, execution, session: login.session }),
    ownRoutes: overrides.ownRoutes ?? [],
    further: composeAssistants({ ...common, modules, port: () => mainPort }),
  });
  await composeChat({ ...common, overrides, modules, port: () => mainPort });
  await signals.resume();
  const owned = stack.move();

  return {
    ...{ ...gate, gateway, execution, callers },
    session: login.session,
    configuration,
    dataDirectory,
    log,
    pino,
    apps,
    adminLink: dashboard.adminLink,
    async listen() {
      owned.defer(ports.ofProcess.start());
      return await openListeners(apps, settings.server, {
        ...{ ...gate, log, scheduler, owned },
        // Readers that wait would hold the close up.
        beforeClose: () => streams.stop(),
        onMainPort(port) {
          mainPort = port;
        },
      });
    },
    tellStart(version, listening) {
      // A log is kept, and others may read it: a link is for a person at a terminal.
      const signIn = systemScreen.isTerminal ? dashboard.adminLink() : null;
      const stopped = whatIsStopped(execution.killSwitch(), arming.disarmed());
      const parts = { version, listening, configuration, dataDirectory, signIn, stopped };
      tellSummary(startSummary({ ...parts, session: login.session }), { ...settings.server, log });
    },
    openLastLog: () => openLastLog(settings.server, systemScreen),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Not ready while what a crash left open has not been looked up at its broker. */
function readiness(execution: Execution): Omit<Readiness, 'disarmed'> {
  const reasons = execution
    .recovering()
    .map((broker) => `the order book of ${broker} has not been read whole since the start`);
  const notices = execution.unreadBooks().map(unreadBookNotice);
  return { ready: reasons.length === 0, reasons, notices, isDiskLow: execution.state.disk.isLow };
}
