import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '../kernel/ports.ts';
import type { Sandbox, SandboxSettings } from '../kernel/sandbox.ts';
import { createSandbox } from '../kernel/sandbox.ts';
import type { KiteSettings, PrimarySettings } from '../kernel/settings.ts';
import type { WireReaction, WireRequest } from '../kernel/wire.ts';
import { controlReply } from './control.ts';
import { postAndForget } from './post.ts';
import { createRealClock } from './real-clock.ts';
import { playReaction, readRequest } from './socket.ts';
import { serveTicker, TICKER_PATH } from './ticker-socket.ts';

type DoorName = 'kite' | 'primary' | 'control';

export interface ServeSettings extends Omit<
  SandboxSettings,
  'clock' | 'random' | 'kite' | 'primary' | 'post'
> {
  kite: Omit<KiteSettings, 'origin'>;
  primary: Omit<PrimarySettings, 'origin'>;
  /** The same seed gives the same prices at the same time. */
  seed?: number | string;
}

export interface ServeOptions {
  settings: ServeSettings;
  /** Free ports when absent or 0. */
  ports?: Partial<Record<DoorName, number>>;
}

export interface ServedSandbox {
  kiteOrigin: string;
  /** Kite's ticker, at Kite's port. */
  tickerUrl: string;
  primaryOrigin: string;
  controlOrigin: string;
  sandbox: Sandbox;
  /** Connections are refused from now on, and the open ones drop. */
  stopListening(door: DoorName): Promise<void>;
  /** Listens on the same port again. */
  resume(door: DoorName): Promise<void>;
  close(): Promise<void>;
}

interface Listener {
  server: Server;
  origin: string;
  port: number;
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Opens a door whose answers are decided later: origins are known only once all doors stand. */
async function open(
  port: number,
  answer: (request: WireRequest) => WireReaction,
): Promise<Listener> {
  const own: Listener = { server: createServer(), origin: '', port: 0 };
  const listener: RequestListener = (message, response) => {
    readRequest(message, own.origin).then(
      (request) => playReaction(answer(request), response),
      () => response.destroy(),
    );
  };
  own.server.on('request', listener);
  own.port = await listen(own.server, port);
  own.origin = `http://127.0.0.1:${own.port}`;
  return own;
}

/** Both brokers and their controls on three loopback ports, on the wall clock. */
export async function serveSandbox(options: ServeOptions): Promise<ServedSandbox> {
  const { settings, ports = {} } = options;
  const clock = createRealClock();
  const built: { sandbox?: Sandbox } = {};
  const broker = (request: WireRequest): WireReaction =>
    built.sandbox?.handle(request) ?? { kind: 'refuse' };
  const control = (request: WireRequest): WireReaction =>
    built.sandbox
      ? { kind: 'answer', ...controlReply(built.sandbox, clock, request), delayMs: 0 }
      : { kind: 'refuse' };
  const doors: Record<DoorName, Listener> = {
    kite: await open(ports.kite ?? 0, broker),
    primary: await open(ports.primary ?? 0, broker),
    control: await open(ports.control ?? 0, control),
  };
  const ticker = serveTicker(doors.kite.server, () => built.sandbox?.ticker ?? null);
  const sandbox = createSandbox({
    ...settings,
    clock,
    random: seededRandom(settings.seed ?? 1),
    kite: { ...settings.kite, origin: doors.kite.origin },
    primary: { ...settings.primary, origin: doors.primary.origin },
    post: postAndForget,
  });
  built.sandbox = sandbox;
  return {
    kiteOrigin: doors.kite.origin,
    tickerUrl: `${doors.kite.origin.replace('http:', 'ws:')}${TICKER_PATH}`,
    primaryOrigin: doors.primary.origin,
    controlOrigin: doors.control.origin,
    sandbox,
    stopListening(door) {
      if (door === 'kite') ticker.cutAll();
      return shut(doors[door].server);
    },
    resume: async (door) => void (await listen(doors[door].server, doors[door].port)),
    async close() {
      clock.stop();
      ticker.cutAll();
      await Promise.all(Object.values(doors).map(({ server }) => shut(server)));
    },
  };
}
