import type { BrokerId, BrokerInstance } from '../domain/broker.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import { shown } from './configuration-error.ts';
import type { Files } from '../platform/files.ts';
import type { LogLevel } from '../platform/log.ts';
import { readAlt } from './alt-settings.ts';
import { brokerInstances, declaredInstances, INSTANCES, namesOf } from './brokers.ts';
import { readDailyLoss, readOrderLimits } from './order-limits.ts';
import { readPrimaryLogin } from './primary-login.ts';
import { createReaders, type Readers } from './readers.ts';
import type {
  Configuration,
  ExitSettings,
  OrderSettings,
  PaperSettings,
  PrimarySettings,
  RoutingSettings,
  Secrets,
  ServerSettings,
} from './settings.ts';
import { readReminder, readSquareOff, readTelegram } from './telegram-settings.ts';
import { readWebhooks } from './webhook-settings.ts';
import { readSources } from './sources.ts';
import { warningsOf } from './warnings.ts';

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

/**
 * Reads and checks every setting (.env.example): the environment over the optional file. Throws a
 * ConfigurationError for a wrong one, and ConfigurationErrors for several: one line each, without a secret.
 */
export function loadConfiguration(parts: {
  environment: Environment;
  files: Files;
  clock: Pick<Clock, 'now'>;
  /** Instances besides those of the settings; routes may name them too. */
  brokers?: readonly BrokerInstance[];
}): Configuration {
  const added = parts.brokers ?? [];
  const declared = declaredInstances(added);
  const sources = readSources(parts.environment, parts.files);
  const read = createReaders(sources);
  const settings = {
    server: readServer(read),
    alt: readAlt(read, sources),
    primary: readPrimary(read),
    routing: readRouting(read, declared),
    orders: readOrders(read),
    exits: readExits(read),
    paper: readPaper(read),
    telegram: readTelegram(read, sources),
    reminder: readReminder(read),
    squareOff: readSquareOff(read),
    webhooks: readWebhooks(read, sources),
    assistants: { trading: read.flag('APP_MCP_TRADING', false) },
  };
  const secrets: Secrets = {
    altApiSecret: read.secret('APP_ALT_BROKER_API_SECRET', 'get'),
    altAccessToken: {
      environment: read.secret('APP_ALT_BROKER_ACCESS_TOKEN', 'fromEnvironment'),
      configuration: read.secret('APP_ALT_BROKER_ACCESS_TOKEN', 'fromFile'),
    },
    primaryAccessToken: read.secret('APP_PRIMARY_ACCESS_TOKEN', 'get'),
    primaryLogin: readPrimaryLogin(read, sources),
    adminKey: read.secret('APP_API_KEY', 'get'),
    telegramBotToken: read.secret('APP_TELEGRAM_BOT_TOKEN', 'get'),
    webhookSecret: read.secret('APP_WEBHOOK_SECRET', 'get'),
  };
  read.throwRefused();
  return {
    settings,
    secrets,
    brokers: brokerInstances(settings, secrets, added),
    warnings: [...sources.warnings, ...warningsOf(settings, secrets, parts.clock.now())],
  };
}

function readServer(read: Readers): ServerSettings {
  const port = { from: 0, to: 65_535, decimals: 0 };
  const hostTakes = 'an IP address or a host name, such as 127.0.0.1';
  const hostsTake = 'a comma-separated list of hosts, each with its port if it has one, no repeats';
  const mainPort = read.number('APP_PORT', port, 8420);
  const postbackPort = read.number('APP_POSTBACK_PORT', port, -1);
  if (postbackPort === mainPort && mainPort !== 0) {
    const takes = 'a port of its own: a tunnel must not reach the one of APP_PORT';
    read.refuse('APP_POSTBACK_PORT', shown(String(postbackPort)), takes);
  }
  const hooksPort = read.number('APP_HOOKS_PORT', port, -1);
  if (hooksPort > 0 && (hooksPort === mainPort || hooksPort === postbackPort)) {
    const takes = 'a port of its own, other than those of APP_PORT and APP_POSTBACK_PORT';
    read.refuse('APP_HOOKS_PORT', shown(String(hooksPort)), takes);
  }
  const hosts = read.list(
    'APP_ALLOWED_HOSTS',
    /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i,
    hostsTake,
  );
  const dataDirectory = read.text('APP_DATA_DIR', /^[^\0\r\n]{1,1024}$/, 'the path of a directory');
  const event = { from: 0, to: 1e15, decimals: 0, unit: 'events' };
  const acceptJournalAt = read.number('APP_ACCEPT_JOURNAL_AT', event, -1);
  return {
    host: read.text('APP_HOST', /^[0-9a-z.:-]{1,253}$/i, hostTakes) ?? '127.0.0.1',
    port: mainPort,
    postbackPort: postbackPort === -1 ? null : postbackPort,
    hooksPort: hooksPort === -1 ? null : hooksPort,
    hooksForwardedHeader: read.text(
      'APP_HOOKS_FORWARDED_HEADER',
      /^[a-z][a-z0-9-]{0,63}$/i,
      'the name of a header, such as X-Forwarded-For',
    ),
    allowedHosts: (hosts ?? []).map((host) => host.toLowerCase()),
    publicUrl: read.url(
      'APP_PUBLIC_URL',
      'an http or https address without user, query or fragment',
    ),
    dataDirectory: dataDirectory ?? 'data',
    dataDirectoryNamed: dataDirectory !== null,
    acceptJournalAt: acceptJournalAt === -1 ? null : acceptJournalAt,
    logLevel: read.choice('APP_LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: read.choice('APP_LOG_FORMAT', ['auto', 'text', 'json'] as const, 'auto'),
  };
}

function readPrimary(read: Readers): PrimarySettings {
  const statuses = read.list(
    'APP_ORDER_EXTRA_TERMINAL_STATUSES',
    /^[a-z][a-z _-]{0,63}$/i,
    'a comma-separated list of order statuses, no repeats',
  );
  return {
    baseUrl:
      read.url(
        'APP_PRIMARY_BASE_URL',
        'an http or https address without user, query or fragment',
      ) ?? 'https://api.indstocks.com',
    orderRemarksEnabled: read.flag('APP_BROKER_ORDER_REMARKS_ENABLED', false),
    extraTerminalStatuses: (statuses ?? []).map((status) => status.toUpperCase()),
    stopOrders: read.choice('APP_PRIMARY_STOP_ORDERS', ['smart', 'plain'] as const, 'smart'),
  };
}

function readRouting(
  read: Readers,
  declared: ReturnType<typeof declaredInstances>,
): RoutingSettings {
  const { alt, primary, paper } = INSTANCES;
  return {
    marketData: readRoute(read, 'APP_ROUTE_MARKET_DATA', namesOf(declared, 'live'), [
      alt.name,
      primary.name,
    ]),
    trading: readRoute(read, 'APP_ROUTE_TRADING', namesOf(declared), [alt.name, paper.name]),
    paperOnOutage: read.flag('APP_PAPER_ON_OUTAGE', false),
  };
}

/** A route takes the names of configured instances, and no others. */
function readRoute(
  read: Readers,
  name: 'APP_ROUTE_MARKET_DATA' | 'APP_ROUTE_TRADING',
  brokers: readonly BrokerId[],
  otherwise: readonly BrokerId[],
): readonly BrokerId[] {
  const takes = `a comma-separated list of ${brokers.join(', ')}, no repeats`;
  return read.list(name, new RegExp(`^(${brokers.join('|')})$`), takes) ?? otherwise;
}

function readOrders(read: Readers): OrderSettings {
  const seconds = (from: number, to: number, decimals: number) => ({
    ...{ from, to, decimals },
    unit: 'seconds',
  });
  return {
    pollMs: read.number('APP_ORDER_POLL_SECONDS', seconds(0.5, 60, 3), 1) * 1000,
    uncertainAbsentAfterMs:
      read.number('APP_UNCERTAIN_ABSENT_AFTER_SECONDS', seconds(1, 86_400, 0), 180) * 1000,
    unrecognisedStatusMs:
      read.number('APP_UNRECOGNISED_STATUS_SECONDS', seconds(1, 86_400, 0), 60) * 1000,
    marketHours: read.choice('APP_MARKET_HOURS', ['exchange', 'always'] as const, 'exchange'),
    freezeQuantities: readFreezeQuantities(read),
    limits: readOrderLimits(read),
    ...readDailyLoss(read),
  };
}

function readExits(read: Readers): ExitSettings {
  const percent = { from: 0, to: 20, decimals: 2, unit: 'percent' };
  const seconds = { from: 1, to: 600, decimals: 0, unit: 'seconds' };
  return {
    limitOffsetPercent: read.number('APP_EXIT_LIMIT_OFFSET_PERCENT', percent, 0.3),
    widening: read.number('APP_EXIT_WIDENING', { from: 0, to: 10, decimals: 2 }, 1),
    restMs: read.number('APP_EXIT_SECONDS', seconds, 10) * 1000,
    attempts: read.number('APP_EXIT_ATTEMPTS', { from: 1, to: 20, decimals: 0 }, 3),
    restWithoutBid: read.flag('APP_EXIT_REST_WITHOUT_BID', false),
  };
}

function readFreezeQuantities(read: Readers): ReadonlyMap<string, number> {
  const listed = read.list(
    'APP_FREEZE_QUANTITIES',
    /^([A-Z]{2,8}:)?[A-Z0-9][A-Z0-9 &_-]{0,49}=[1-9]\d{0,8}$/i,
    'a comma-separated list such as NIFTY=1800,BANKNIFTY=600, no repeats',
  );
  const pairs = listed ?? [];
  const quantities = new Map(
    pairs.map((pair) => {
      const [name = '', quantity = ''] = pair.split('=');
      return [name.toUpperCase(), Number(quantity)];
    }),
  );
  if (quantities.size < pairs.length) {
    const takes = 'each name once';
    read.refuse('APP_FREEZE_QUANTITIES', shown(pairs.join(',')), takes);
  }
  return quantities;
}

function readPaper(read: Readers): PaperSettings {
  const rupees = (from: number, to: number) => ({ from, to, decimals: 2, unit: 'rupees' });
  return {
    cash: read.number('APP_PAPER_CASH', rupees(1, 1_000_000_000_000), 10_000_000),
    brokerage: read.number('APP_PAPER_BROKERAGE', rupees(0, 10_000), 20),
    fills: read.choice('APP_PAPER_FILLS', ['book', 'last'] as const, 'book'),
  };
}
