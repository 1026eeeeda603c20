import type { Configuration, ServerSettings } from '../config/settings.ts';
import type { BrokerInstance } from '../domain/broker.ts';
import { readableTime } from '../domain/ist.ts';
import type { KillSwitch } from '../execution/submit/kill-switch.ts';
import type { Log } from '../platform/log.ts';
import { type Screen, systemScreen } from '../platform/standard-streams.ts';
import type { Session, SessionState } from '../session/session.ts';
import type { Listening } from './listeners.ts';
import { isTextLog } from './ports.ts';

export interface SummaryParts {
  readonly version: string;
  readonly configuration: Configuration;
  readonly session: Pick<Session, 'current'> | null;
  readonly dataDirectory: string;
  readonly listening: Listening;
  /** Why no order, or none that opens a position, is sent now; empty where nothing stops them. */
  readonly stopped: readonly string[];
  /** The path of a link that signs one browser in; null where others may read what is told. */
  readonly signIn: string | null;
}

/**
 * What a person wants to know at a start, in about ten lines: what is configured, where the dashboard is, and what is
 * missing (docs/operations.md, "The log"). It holds no secret.
 */
export function startSummary(parts: SummaryParts): readonly string[] {
  const { configuration, session, listening } = parts;
  const { settings, brokers } = configuration;
  const origin = settings.server.publicUrl ?? reachable(listening.url);
  const state: SessionState = session?.current() ?? { state: 'absent' };
  const rows: readonly (readonly [string, string])[] = [
    ['Listening at', listening.url],
    ['Dashboard', dashboardText(origin, parts.signIn)],
    ['Brokers', brokers.map((each) => brokerText(each)).join('; ')],
    ['Orders go to', routeText(settings.routing.trading, brokers)],
    ['Prices come from', settings.routing.marketData.join(', then ')],
    [
      'Login',
      session === null ? 'no broker that has one is set up' : loginText(state, brokers, origin),
    ],
    ['Data directory', parts.dataDirectory],
    ['Postbacks', listening.postbackUrl ?? 'none: fills are seen by reading the order book'],
    ...(listening.hooksUrl === null
      ? []
      : [['Signals', `${listening.hooksUrl}… takes the alerts of other programs`] as const]),
    ...parts.stopped.map((text) => ['Stopped', text] as const),
    ...missing(configuration, state, origin).map((text) => ['Missing', text] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `altbroker-gateway ${parts.version} has started.`,
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
  ];
}

/** What stops orders of every key: an engaged kill switch, and a data directory that is not armed. */
export function whatIsStopped(
  killSwitch: Pick<KillSwitch, 'engaged' | 'reason'> | null,
  disarmed: string | null,
): readonly string[] {
  const engaged =
    killSwitch?.engaged === true
      ? [
          `the kill switch is engaged${killSwitch.reason === null ? '' : ` (${killSwitch.reason})`}: only cancels, exits and orders ` +
            'that reduce a position are sent; altbroker-gateway kill --release lets the others pass',
        ]
      : [];
  return [...engaged, ...(disarmed === null ? [] : [disarmed])];
}

/** An address that listens on every interface is no address to open. */
function reachable(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1');
}

function dashboardText(origin: string, signIn: string | null): string {
  if (signIn === null) return `${origin}/ (\`altbroker-gateway open\` signs a browser in)`;
  return `${origin}${signIn} (signs in once, within ten minutes)`;
}

function brokerText({ name, title, mode, settings }: BrokerInstance): string {
  return `${name}, the ${title}: ${shownMode(mode)}${settings === null ? ', not set up' : ''}`;
}

const shownMode = (mode: BrokerInstance['mode']): string => (mode === 'live' ? 'LIVE' : mode);

function routeText(route: readonly string[], brokers: readonly BrokerInstance[]): string {
  const named = route.flatMap((name) => brokers.filter((each) => each.name === name));
  return named
    .map(
      (each) =>
        `${each.name} (${shownMode(each.mode)}${each.settings === null ? ', not set up' : ''})`,
    )
    .join(', then ');
}

function loginText(
  state: SessionState,
  brokers: readonly BrokerInstance[],
  origin: string,
): string {
  if (state.state === 'valid') {
    return `valid until ${readableTime(state.expiresAt)}${state.userId === null ? '' : `, as ${state.userId}`}`;
  }
  const userId = brokers.find(({ login }) => login !== undefined)?.login?.userId ?? null;
  const who = userId === null ? 'any user of the broker' : `user ${userId}`;
  return `${who} is asked to log in at ${loginUrl(origin)}`;
}

const loginUrl = (origin: string): string => `${origin}/api/altbroker/login`;

function missing(
  { settings, brokers }: Configuration,
  state: SessionState,
  origin: string,
): readonly string[] {
  const { routing, telegram } = settings;
  const routed = (name: string): boolean =>
    routing.trading.includes(name) || routing.marketData.includes(name);
  const unset = brokers.filter((each) => each.settings === null && routed(each.name));
  const hasLogin = brokers.find(({ login, settings: set }) => login !== undefined && set !== null);
  return [
    ...unset.map(({ name, setUpAdvice }) => setUpAdvice ?? `The broker ${name} is not set up.`),
    ...(hasLogin && state.state !== 'valid'
      ? [`a login: until then, no order reaches the ${hasLogin.title} (${loginUrl(origin)})`]
      : []),
    ...brokers.flatMap(({ name, missing: needed }) => (routed(name) ? (needed ?? []) : [])),
    ...(telegram === null
      ? ['a chat for alerts: set APP_TELEGRAM_BOT_TOKEN and APP_TELEGRAM_CHAT_ID']
      : []),
  ];
}

/** Text for a person whatever the log's level, and lines of the log for a program that keeps it. */
export function tellSummary(
  lines: readonly string[],
  { log, ...server }: Pick<ServerSettings, 'logLevel' | 'logFormat'> & { readonly log: Log },
  screen: Screen = systemScreen,
): void {
  if (server.logLevel === 'silent') return;
  if (isTextLog(server, screen)) screen.write(`${lines.join('\n')}\n`);
  // Two columns are for the eye.
  else for (const line of lines) log.info(line.trim().replace(/ {2,}/, ': '));
}
