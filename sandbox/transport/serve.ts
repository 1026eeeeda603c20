import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '../kernel/ports.ts';
import type { Sandbox, SandboxSettings } from '../kernel/sandbox.ts';
import { createSandbox } from '../kernel/sandbox.ts';
import type { KiteSettings, PrimarySettings } from '../kernel/settings.ts';
import type { Reply, WireReaction, WireRequest } from '../kernel/wire.ts';
import { controlReply } from './control.ts';
import { postAndForget } from './post.ts';
import { createRealClock } from './real-clock.ts';
import { playReaction, readRequest } from './socket.ts';
import { serveTicker, TICKER_PATH } from './ticker-socket.ts';

type ListenerName = 'kite' | 'primary' | 'control';

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
  ports?: Partial<Record<ListenerName, number>>;
  /** Answers requests at the port of the controls before they do; null for those that it leaves to them. */
  control?: (request: WireRequest) => Reply | null;
}

export interface ServedSandbox {
  kiteOrigin: string;
  /** Kite's ticker, at Kite's port. */
  tickerUrl: string;
  primaryOrigin: string;
  controlOrigin: string;
  sandbox: Sandbox;
  /** Refuses connections from now on, and drops the open ones. */
  stopListening(name: ListenerName): Promise<void>;
  /** Listens on the same port again. */
  resume(name: ListenerName): Promise<void>;
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

/**
 * Opens a listener that gets its replies later: origins are known only once all listeners are open.
 */
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
  const control = (request: WireRequest): WireReaction => {
    if (!built.sandbox) return { kind: 'refuse' };
    const reply = options.control?.(request) ?? controlReply(built.sandbox, clock, request);
    return { kind: 'answer', ...reply, delayMs: 0 };
  };
  const listeners: Record<ListenerName, Listener> = {
    kite: await open(ports.kite ?? 0, broker),
    primary: await open(ports.primary ?? 0, broker),
    control: await open(ports.control ?? 0, control),
  };
  const ticker = serveTicker(listeners.kite.server, () => built.sandbox?.ticker ?? null);
  const sandbox = createSandbox({
    ...settings,
    clock,
    random: seededRandom(settings.seed ?? 1),
    kite: { ...settings.kite, origin: listeners.kite.origin },
    primary: { ...settings.primary, origin: listeners.primary.origin },
    post: postAndForget,
  });
  built.sandbox = sandbox;
  return {
    kiteOrigin: listeners.kite.origin,
    tickerUrl: `${listeners.kite.origin.replace('http:', 'ws:')}${TICKER_PATH}`,
    primaryOrigin: listeners.primary.origin,
    controlOrigin: listeners.control.origin,
    sandbox,
    stopListening(name) {
      if (name === 'kite') ticker.cutAll();
      return shut(listeners[name].server);
    },
    resume: async (name) => void (await listen(listeners[name].server, listeners[name].port)),
    async close() {
      clock.stop();
      ticker.cutAll();
      await Promise.all(Object.values(listeners).map(({ server }) => shut(server)));
    },
  };
}
