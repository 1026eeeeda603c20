import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProcessTransport } from '../../sandbox/transport/in-process.ts';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import { createSandbox, type Sandbox, type SandboxSettings } from '../../sandbox/kernel/sandbox.ts';
import { compose, type Composed, type Overrides } from '../../src/compose.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { memoryEnvironment, type Environment } from '../../src/platform/environment.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import { createPino } from '../../src/platform/log.ts';
import { plus } from '../../src/units/branded.ts';
import { documentCheck } from './document-check.ts';
import { inProcessHttp, type InProcessReply, type InProcessRequest } from './in-process-http.ts';
import { createLife, type Life } from './life.ts';
import { createSandboxTransport } from './sandbox-transport.ts';
import { VirtualTime } from './virtual-time.ts';

/** Every commit is synced: in memory that takes no time. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const ADMIN_KEY = 'abg_test-admin-key';
export const KITE = { apiKey: 'kitekey', apiSecret: 'kitesecret', userId: 'AB1234' };
export const PRIMARY_TOKEN = 'primary-raw-token';

export interface RigOptions {
  /** ISO 8601; Friday 6 November 2026, 11:00 IST when absent: an ordinary trading day. */
  readonly start?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
  readonly seed?: string;
  /** Of the sandbox: how long answers take, for one. */
  readonly sandbox?: Partial<
    Omit<SandboxSettings, 'clock' | 'random' | 'kite' | 'primary' | 'post'>
  >;
  /** Of the sandbox's Kite. */
  readonly kite?: Pick<SandboxSettings['kite'], 'unsellable'>;
  /** Writes another body in place of the sandbox's. */
  readonly alter?: (request: HttpRequest, body: string) => string;
  /** How long a new connection takes to open, ms. */
  readonly connectingMs?: () => number;
  /** How far the brokers' clocks are ahead of the gateway's, ms. */
  readonly aheadMs?: number;
  /** In place of the usual ones. */
  readonly secrets?: Partial<RigSecrets>;
  /** Whether the gateway begins without listening; true when absent. */
  readonly begins?: boolean;
}

export interface RigSecrets {
  readonly adminKey: string;
  readonly apiSecret: string;
  readonly primaryToken: string;
}

/** A whole gateway and a whole sandbox in this process, under one clock that the test moves. */
export interface Rig extends AsyncDisposable {
  readonly time: VirtualTime;
  readonly sandbox: Sandbox;
  readonly composed: Composed;
  readonly dataDirectory: string;
  readonly environment: Environment;
  /** Every request that left towards a broker. */
  readonly sent: readonly HttpRequest[];
  /** Lines that the gateway has logged. */
  readonly log: string[];
  /** A request with the admin key; settles under the clock. */
  call(request: InProcessRequest): Promise<InProcessReply>;
  /** As call, but time stands still: for what is to happen while the request is under way. */
  begin(request: InProcessRequest): Promise<InProcessReply>;
  get(path: string): Promise<InProcessReply>;
  post(path: string, json: unknown, headers?: Record<string, string>): Promise<InProcessReply>;
  /** A postback, to the application that a tunnel may reach. */
  postback(body: string): Promise<InProcessReply>;
  /** The whole login, as a browser goes through it; resolves with the callback's reply. */
  logIn(): Promise<InProcessReply>;
  /** Stops this gateway and starts another on the same data directory. */
  restart(environment?: Environment): Promise<void>;
  /** Kills this gateway where it stands, and starts another on what is on disk. */
  crash(): Promise<void>;
}

function sandboxOf(
  time: VirtualTime,
  secrets: RigSecrets,
  options: RigOptions,
  post: SandboxSettings['post'],
): Sandbox {
  return createSandbox({
    market: 'exchange',
    ...options.sandbox,
    clock: time,
    random: seededRandom(options.seed ?? 'rig'),
    kite: {
      ...KITE,
      ...options.kite,
      apiSecret: secrets.apiSecret,
      origin: 'http://kite.test',
      redirectUrl: 'http://127.0.0.1:8420/api/altbroker/callback',
      postbackUrl: 'http://127.0.0.1:8421/api/altbroker/postback',
    },
    primary: { accessToken: secrets.primaryToken, clientId: '1', origin: 'http://primary.test' },
    post,
  });
}

const behind = (time: VirtualTime, ms: number): Clock => ({
  now: () => plus(time.now(), -ms),
  elapsed: () => time.elapsed(),
});

function environmentOf(
  secrets: RigSecrets,
  dataDirectory: string,
  options: RigOptions,
): Environment {
  return memoryEnvironment({
    APP_ALT_BROKER_API_KEY: KITE.apiKey,
    APP_ALT_BROKER_API_SECRET: secrets.apiSecret,
    APP_ALT_BROKER_API_ROOT: 'http://kite.test',
    APP_ALT_BROKER_LOGIN_URL: 'http://kite.test/connect/login',
    APP_PRIMARY_BASE_URL: 'http://primary.test',
    APP_PRIMARY_ACCESS_TOKEN: secrets.primaryToken,
    APP_API_KEY: secrets.adminKey,
    APP_DATA_DIR: dataDirectory,
    ...options.environment,
  });
}

const SECRETS: RigSecrets = {
  adminKey: ADMIN_KEY,
  apiSecret: KITE.apiSecret,
  primaryToken: PRIMARY_TOKEN,
};

async function begun(starting: Promise<Composed>, options: RigOptions): Promise<Composed> {
  const composed = await starting;
  if (options.begins !== false) composed.begin();
  return composed;
}

export async function createRig(options: RigOptions = {}): Promise<Rig> {
  const time = new VirtualTime(options.start ?? '2026-11-06T11:00:00+05:30');
  const dataDirectory = mkdtempSync(join(MEMORY, 'abg-rig-'));
  const log: string[] = [];
  const secrets: RigSecrets = { ...SECRETS, ...options.secrets };
  const sandbox = sandboxOf(time, secrets, options, (request) => {
    void post(request.body, request.headers);
  });
  const wire = inProcessTransport(sandbox, time);
  const transport = createSandboxTransport(wire, time, options.alter, options.connectingMs);
  let environment = environmentOf(secrets, dataDirectory, options);

  let life!: Life;
  const start = (): Promise<Composed> => {
    const { openDatabase } = options.overrides ?? {};
    life = createLife({ scheduler: time, transport, openDatabase });
    const starting = compose({
      clock: behind(time, options.aheadMs ?? 0),
      environment,
      onImpossible: 'throw',
      pino: createPino('debug', { write: (line: string) => void log.push(line) }),
      ...life.ports,
      ...options.overrides,
      openDatabase: life.ports.openDatabase,
    });
    return begun(time.settle(starting), options);
  };
  const check = await documentCheck();
  let composed = await start();

  const post = (text: string, headers: Record<string, string> = {}): Promise<InProcessReply> =>
    inProcessHttp(
      composed.apps.postback,
      check,
    )({
      method: 'POST',
      path: '/api/altbroker/postback',
      text,
      headers,
    });
  const begin: Rig['begin'] = (request) =>
    inProcessHttp(
      composed.apps.main,
      check,
    )({
      ...request,
      headers: { authorization: `Bearer ${secrets.adminKey}`, ...request.headers },
    });
  const call: Rig['call'] = (request) => time.settle(begin(request));

  return {
    time,
    sandbox,
    get composed() {
      return composed;
    },
    dataDirectory,
    get environment() {
      return environment;
    },
    sent: transport.sent,
    log,
    call,
    begin,
    get: (path) => call({ path }),
    post: (path, json, headers = {}) => call({ method: 'POST', path, json, headers }),
    postback: (body) => time.settle(post(body)),
    async logIn() {
      const begun = await call({ path: '/api/altbroker/login' });
      const cookie = String(begun.headers['set-cookie']).split(';')[0]!;
      const page = new URL(String(begun.headers.location));
      const passed = new URLSearchParams(page.searchParams.get('redirect_params') ?? '');
      const callback = new URLSearchParams({
        action: 'login',
        type: 'login',
        status: 'success',
        request_token: sandbox.kite.issueRequestToken(),
        ...Object.fromEntries(passed),
      });
      return call({
        path: `/api/altbroker/callback?${callback.toString()}`,
        headers: { cookie, accept: 'application/json' },
      });
    },
    async restart(next = environment) {
      await time.settle(Promise.resolve(composed[Symbol.asyncDispose]()));
      environment = next;
      composed = await start();
    },
    async crash() {
      life.kill();
      composed = await start();
    },
    async [Symbol.asyncDispose]() {
      await time.settle(Promise.resolve(composed[Symbol.asyncDispose]()));
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
