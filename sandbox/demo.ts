import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browseSecretly, hasDisplay } from '../cli/browser.ts';
import { compose } from '../src/compose.ts';
import { serveSandbox } from './transport/serve.ts';

/**
 * Runs the sandbox and the gateway together, without credentials and without a network: for a first
 * hour with the gateway, and to rehearse what it does when a broker fails.
 */

const KITE = { apiKey: 'demo-api-key', apiSecret: 'demo-api-secret', userId: 'AB1234' };
const PRIMARY_TOKEN = 'demo-primary-token';
const ADMIN_KEY = 'demo-admin-key-for-rehearsals';

/** Settings of the demo that the command line may change; the others connect its parts. */
const MAY_DIFFER = ['APP_LOG_LEVEL', 'APP_MARKET_HOURS', 'APP_PRIMARY_ACCESS_TOKEN'];

function portFrom(name: string, otherwise: number): number {
  const text = process.env[name] ?? '';
  if (text === '') return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} is "${text}": it must be a port from 1 to 65535`);
}

/** Leaves the dashboard's page to the person to open. */
const NO_BROWSER = '--no-browser';

/** Reads settings for the gateway from the command line, each as `NAME=value`. */
function furtherSettings(given: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const text of given) {
    const [, name, value] = /^(APP_[A-Z0-9_]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(
        `"${text}" is not a setting: write it like APP_ROUTE_TRADING=alt,primary,paper, or ${NO_BROWSER}`,
      );
    }
    settings[name] = value;
  }
  return settings;
}

async function demo(): Promise<void> {
  const given = process.argv.slice(2);
  const further = furtherSettings(given.filter((text) => text !== NO_BROWSER));
  const { stdout, platform } = process;
  // Before the settings of the demo are put in place of the environment's.
  const opens =
    !given.includes(NO_BROWSER) &&
    hasDisplay({ isTerminal: stdout.isTTY, platform, environment: process.env });
  const port = portFrom('APP_PORT', 8420);
  const postbackPort = portFrom('APP_POSTBACK_PORT', 8421);
  await using stack = new AsyncDisposableStack();
  // A new directory, deleted with the demo: never the one where real orders are kept.
  const dataDirectory = mkdtempSync(join(tmpdir(), 'altbroker-demo-'));
  stack.defer(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const sandbox = await serveSandbox({
    ports: { kite: 8430, primary: 8431, control: 8432 },
    settings: {
      market: 'always-open',
      kite: {
        ...KITE,
        redirectUrl: `http://127.0.0.1:${port}/api/altbroker/callback`,
        postbackUrl: `http://127.0.0.1:${postbackPort}/api/altbroker/postback`,
      },
      primary: { accessToken: PRIMARY_TOKEN, clientId: '1234567' },
    },
  });
  stack.defer(() => sandbox.close());

  const demoSettings = {
    APP_PORT: String(port),
    APP_POSTBACK_PORT: String(postbackPort),
    APP_DATA_DIR: dataDirectory,
    APP_LOG_LEVEL: process.env.APP_LOG_LEVEL ?? 'warn',
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
    const own = name in demoSettings || name === 'APP_CONFIG_FILE';
    if (own && !MAY_DIFFER.includes(name)) {
      throw new Error(
        `${name} is set by the demo: see docs/sandbox.md for the settings that you can change`,
      );
    }
  }
  // Settings of a real gateway in this shell, above all a token, must not reach the demo.
  for (const name of Object.keys(process.env))
    if (name.startsWith('APP_')) delete process.env[name];
  Object.assign(process.env, demoSettings, further);
  const composed = await compose();
  stack.use(composed);
  const { url } = await composed.listen();
  const link = `${url}${composed.adminLink()}`;
  const isOpened = opens && (await browseSecretly(link));
  process.stdout.write(welcome(url, sandbox.controlOrigin, { link, isOpened }));
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function welcome(
  url: string,
  control: string,
  { link, isOpened }: { readonly link: string; readonly isOpened: boolean },
): string {
  const key = `-H 'Authorization: Bearer ${ADMIN_KEY}'`;
  return `
The gateway and two rehearsal brokers are running. Nothing here is real money.

     ${isOpened ? 'The dashboard opens in your browser. If it does not, use' : 'The dashboard, in a browser: use'} this link, once, within ten minutes:
     ${link}

  1. Before login, prices come from the primary brokerage and orders go to the paper account:
     curl -s ${key} '${url}/api/v1/quotes?instruments=NSE:INFY,NSE:RELIANCE'

  2. Sign in at the alternative broker, in a browser:
     ${url}/api/altbroker/login

  3. After login, the same calls are served by the alternative broker:
     curl -s ${key} -H 'Content-Type: application/json' -H 'Idempotency-Key: my-first-order' \\
       -d '{"instrument":"NSE:INFY","side":"BUY","quantity":10,"orderType":"MARKET","product":"CNC"}' \\
       ${url}/api/v1/orders
     curl -s ${key} ${url}/api/v1/orders

  4. Break the broker: it accepts the next order, and its reply never arrives.
     curl -s -H 'Content-Type: application/json' -d '{"broker":"kite","kind":"hang_after","match":{"path":"/orders/regular"},"times":1}' ${control}/faults
     Place an order again, under another key: after 8 s it is "uncertain", and a moment later found.

  All calls: ${url}/docs      Stop with Ctrl+C.

`;
}

try {
  await demo();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
