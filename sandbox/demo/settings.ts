import type { ServedSandbox } from '../transport/serve.ts';

/** What the demo's gateway and its simulated brokers are set up with. Nothing of it opens a real account. */
export const KITE = { apiKey: 'demo-api-key', apiSecret: 'demo-api-secret', userId: 'AB1234' };
export const PRIMARY_TOKEN = 'demo-primary-token';
export const ADMIN_KEY = 'demo-admin-key-for-rehearsals';

/** Leaves the dashboard's page to the person to open. */
export const NO_BROWSER = '--no-browser';

export const DEMO_HELP = `Usage: npx altbroker-gateway demo [APP_NAME=value…] [${NO_BROWSER}]
       npx altbroker-gateway demo buy [--json]
       npx altbroker-gateway demo break hang_after|kill [--json]

Rehearses with simulated brokers, without an account, a network or real money, and opens the dashboard in your browser. Ctrl+C stops it,
and deletes everything that it has written (docs/demo.md).

  APP_NAME=value    a further setting of the gateway, such as APP_ROUTE_TRADING=alt,primary,paper
  ${NO_BROWSER}      prints the link of the dashboard, and opens no browser

With a demo that runs in another terminal:

  buy               places one order for 10 INFY through the gateway
  break hang_after  the broker accepts an order and never answers: a naive script and the gateway meet that side by side
  break kill        kills the gateway while its order is at the broker, and starts it again
  --json            prints the whole run as JSON once it has ended, for programs

  -h, --help        prints this`;

/** Whether the words ask for the help. */
export const isForHelp = (words: readonly string[]): boolean =>
  words.includes('--help') || words.includes('-h');

/** A word or a setting of the command line, or a setting of the environment, that the demo cannot use. */
export class DemoUsageError extends Error {
  override readonly name = 'DemoUsageError';
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The ports of the demo. 0 takes a free one; not for the gateway's, which a start after a kill has to find again. */
export interface DemoPorts {
  readonly gateway: number;
  readonly postback: number;
  readonly kite: number;
  readonly primary: number;
  readonly control: number;
}

/** Where the commands of a second terminal find the demo. */
export const CONTROL_ORIGIN = 'http://127.0.0.1:8432';

/** Throws DemoUsageError for a port of the environment that is none. */
export function portsFrom(environment: Variables): DemoPorts {
  function portFrom(name: string, otherwise: number): number {
    const text = environment[name] ?? '';
    if (text === '') return otherwise;
    const port = Number(text);
    if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
    throw new DemoUsageError(`${name} is "${text}": it must be a port from 1 to 65535`);
  }
  return {
    gateway: portFrom('APP_PORT', 8420),
    postback: portFrom('APP_POSTBACK_PORT', 8421),
    ...{ kite: 8430, primary: 8431, control: 8432 },
  };
}

/** Reads settings for the gateway from the command line, each as `NAME=value`. Throws DemoUsageError. */
export function furtherSettings(given: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const text of given) {
    const [, name, value] = /^(APP_[A-Z0-9_]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new DemoUsageError(
        `"${text}" is not a setting: write it like APP_ROUTE_TRADING=alt,primary,paper, or ${NO_BROWSER}. ` +
          'With a demo that runs in another terminal: buy, break hang_after, break kill. --help says more',
      );
    }
    settings[name] = value;
  }
  return settings;
}

/** Settings of the demo that the command line may change; the others connect its parts. */
const MAY_DIFFER = ['APP_LOG_LEVEL', 'APP_MARKET_HOURS', 'APP_PRIMARY_ACCESS_TOKEN'];

/** Where the process of the gateway finds the controls of the demo. No setting of a gateway has this name. */
export const CONTROL_VARIABLE = 'DEMO_CONTROL_ORIGIN';

export interface GatewaySettings {
  readonly ports: Pick<DemoPorts, 'gateway' | 'postback'>;
  readonly dataDirectory: string;
  readonly sandbox: Pick<
    ServedSandbox,
    'kiteOrigin' | 'tickerUrl' | 'primaryOrigin' | 'controlOrigin'
  >;
  readonly further: Readonly<Record<string, string>>;
  /** That of the person's shell. Settings of a real gateway in it, above all a token, do not reach the demo. */
  readonly environment: Variables;
}

/** The whole environment of the demo's gateway. Throws DemoUsageError for a setting that the demo needs itself. */
export function gatewayEnvironment(parts: GatewaySettings): Record<string, string> {
  const { ports, dataDirectory, sandbox, further, environment } = parts;
  const own: Record<string, string> = {
    APP_PORT: String(ports.gateway),
    APP_POSTBACK_PORT: String(ports.postback),
    APP_DATA_DIR: dataDirectory,
    APP_LOG_LEVEL: environment['APP_LOG_LEVEL'] ?? 'warn',
    APP_API_KEY: ADMIN_KEY,
    APP_MARKET_HOURS: 'always',
    APP_ALT_BROKER_API_KEY: KITE.apiKey,
    APP_ALT_BROKER_API_SECRET: KITE.apiSecret,
    APP_ALT_BROKER_USER_ID: KITE.userId,
    APP_ALT_BROKER_API_ROOT: sandbox.kiteOrigin,
    APP_ALT_BROKER_LOGIN_URL: `${sandbox.kiteOrigin}/connect/login`,
    APP_ALT_BROKER_TICKER_URL: sandbox.tickerUrl,
    APP_PRIMARY_BASE_URL: sandbox.primaryOrigin,
    APP_PRIMARY_ACCESS_TOKEN: PRIMARY_TOKEN,
  };
  for (const name of Object.keys(further)) {
    const isOwn = name in own || name === 'APP_CONFIG_FILE';
    if (isOwn && !MAY_DIFFER.includes(name)) {
      throw new DemoUsageError(
        `${name} is set by the demo: see docs/demo.md for the settings that you can change`,
      );
    }
  }
  const others = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('APP_'),
  );
  return {
    ...Object.fromEntries(others),
    ...{ ...own, ...further, [CONTROL_VARIABLE]: sandbox.controlOrigin },
  };
}
