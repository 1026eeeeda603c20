import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  serveSandbox,
  type ServedSandbox,
  type ServeSettings,
} from '../../sandbox/transport/serve.ts';
import { compose, type Composed } from '../../src/compose.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { createPino } from '../../src/platform/log.ts';
import { createSocketClient, type SocketClient } from './socket-client.ts';

export const ADMIN_KEY = 'abg_served-admin-key';
export const KITE = { apiKey: 'kitekey', apiSecret: 'kitesecret', userId: 'AB1234' };
const PRIMARY_TOKEN = 'primary-raw-token';

/** Both brokers on real sockets, a data directory, and what a gateway in front of them is told. */
export interface Stage extends AsyncDisposable {
  readonly served: ServedSandbox;
  readonly dataDirectory: string;
  /** A gateway's environment; ports of 0, and no token. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where postbacks go from now on; nowhere before. */
  forwardPostbacksTo(url: string | null): void;
}

export interface StageOptions {
  readonly sandbox?: Partial<Omit<ServeSettings, 'kite' | 'primary'>>;
  /** The gateway's callback, for a browser that goes there by itself; nowhere when absent. */
  readonly redirectUrl?: string;
}

export async function createStage(options: StageOptions = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const dataDirectory = mkdtempSync(join(tmpdir(), 'abg-served-'));
  stack.defer(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const tunnel = await createTunnel();
  stack.defer(() => tunnel.close());
  const served = await serveSandbox({
    settings: {
      market: 'always-open',
      ...options.sandbox,
      kite: {
        ...KITE,
        redirectUrl: options.redirectUrl ?? 'http://127.0.0.1:1/api/altbroker/callback',
        postbackUrl: tunnel.url,
      },
      primary: { accessToken: PRIMARY_TOKEN, clientId: '1234567' },
    },
  });
  stack.defer(() => served.close());
  const owned = stack.move();
  return {
    served,
    dataDirectory,
    environment: {
      APP_PORT: '0',
      APP_POSTBACK_PORT: '0',
      APP_DATA_DIR: dataDirectory,
      APP_API_KEY: ADMIN_KEY,
      APP_MARKET_HOURS: 'always',
      APP_ORDER_POLL_SECONDS: '0.5',
      APP_ALT_BROKER_API_KEY: KITE.apiKey,
      APP_ALT_BROKER_API_SECRET: KITE.apiSecret,
      APP_ALT_BROKER_USER_ID: KITE.userId,
      APP_ALT_BROKER_API_ROOT: served.kiteOrigin,
      APP_ALT_BROKER_LOGIN_URL: `${served.kiteOrigin}/connect/login`,
      APP_PRIMARY_BASE_URL: served.primaryOrigin,
      APP_PRIMARY_ACCESS_TOKEN: PRIMARY_TOKEN,
    },
    forwardPostbacksTo: tunnel.forwardTo,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What a person puts before the postback listener, so that the broker can reach it. */
async function createTunnel(): Promise<{
  readonly url: string;
  forwardTo(url: string | null): void;
  close(): Promise<void>;
}> {
  let target: string | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      if (target === null) return;
      const body = Buffer.concat(chunks);
      fetch(target, { method: 'POST', body }).catch(() => undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/postback`,
    forwardTo(url) {
      target = url;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A gateway of this process, listening; disposing it stops it. */
export interface ServedGateway extends AsyncDisposable {
  readonly composed: Composed;
  readonly url: string;
  /** Of the listener that has the postback route alone. */
  readonly postbackUrl: string;
  /** Of the listener of hooks, without a secret; null where the settings name no port for it. */
  readonly hooksUrl: string | null;
  readonly client: SocketClient;
}

export async function serveGateway(
  stage: Stage,
  more: Readonly<Record<string, string>> = {},
  pino = createPino('silent', { write: () => undefined }),
): Promise<ServedGateway> {
  const composed = await compose({
    environment: memoryEnvironment({ ...stage.environment, ...more }),
    pino,
  });
  const { url, postbackUrl, hooksUrl } = await composed.listen();
  if (postbackUrl === null) throw new Error('a stage names a port for postbacks');
  stage.forwardPostbacksTo(postbackUrl);
  return {
    composed,
    url,
    postbackUrl,
    hooksUrl,
    client: createSocketClient(url, ADMIN_KEY),
    [Symbol.asyncDispose]: () => Promise.resolve(composed[Symbol.asyncDispose]()),
  };
}
