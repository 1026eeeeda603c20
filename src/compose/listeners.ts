import { ConfigurationError, shown } from '../config/configuration-error.ts';
import type { ServerSettings } from '../config/settings.ts';
import type { Scheduler } from '../platform/clock.ts';
import { listen, type HttpListener, type RequestListener } from '../platform/http-server.ts';
import type { Log } from '../platform/log.ts';
import { codeOf } from '../platform/values.ts';

export interface Listening {
  readonly url: string;
  /** Null when the settings name no second port. */
  readonly postbackUrl: string | null;
  /** Null when the settings name no port for hooks. */
  readonly hooksUrl: string | null;
}

/**
 * Open connections of each listener: what comes through a tunnel uses up none of the main one's, and
 * all together leave some of the 1,024 files that a process may usually have open.
 */
const MOST_CONNECTIONS = { APP_PORT: 512, APP_POSTBACK_PORT: 256, APP_HOOKS_PORT: 64 };

/**
 * What the main listener takes as address and headers: 3,000 instruments can be named in the address of a stream,
 * with 31 characters each. What comes through a tunnel needs no more than Node's own 16 KiB.
 */
const MAIN_HEADER_BYTES = 128 * 1_024;

export interface ListenersParts {
  readonly log: Log;
  readonly scheduler: Scheduler;
  /** Closes what this opens. */
  readonly owned: AsyncDisposableStack;
  readonly beforeClose: () => void;
  /** Gets the port of the main listener once it has one. */
  readonly onMainPort: (port: number) => void;
  /** Called once all are open. */
  readonly begin: () => void;
}

type Setting = keyof typeof MOST_CONNECTIONS;

/** Opens the listeners of the settings, the main one first. Rejects when a port cannot be had. */
export async function openListeners(
  apps: { readonly [Name in 'main' | 'postback' | 'hooks']: RequestListener },
  settings: ServerSettings,
  parts: ListenersParts,
): Promise<Listening> {
  const { host, port, postbackPort, hooksPort } = settings;
  const origin = host.includes(':') ? `http://[${host}]` : `http://${host}`;
  const listeners: HttpListener[] = [];
  // All at once: while one of them waits for a request to end, no other takes a new one.
  parts.owned.defer(async () => {
    if (listeners.length > 0) parts.beforeClose();
    await Promise.all(listeners.map((listener) => listener.close()));
  });
  const open = async (app: RequestListener, at: number, name: Setting): Promise<string> => {
    const listener = await openListener(app, { host, port: at, name }, parts);
    listeners.push(listener);
    if (name === 'APP_PORT') parts.onMainPort(listener.port);
    return `${origin}:${listener.port}`;
  };
  const url = await open(apps.main, port, 'APP_PORT');
  const postback =
    postbackPort === null ? null : await open(apps.postback, postbackPort, 'APP_POSTBACK_PORT');
  const hooks = hooksPort === null ? null : await open(apps.hooks, hooksPort, 'APP_HOOKS_PORT');
  parts.begin();
  return {
    url,
    postbackUrl: postback && `${postback}/api/altbroker/postback`,
    hooksUrl: hooks && `${hooks}/hooks/`,
  };
}

async function openListener(
  app: RequestListener,
  { host, port, name }: { readonly host: string; readonly port: number; readonly name: Setting },
  { log, scheduler }: ListenersParts,
): Promise<HttpListener> {
  const maxConnections = MOST_CONNECTIONS[name];
  const onFull = (): void =>
    log.warn('connections were closed: too many are open', {
      setting: name,
      count: maxConnections,
    });
  try {
    const maxHeaderBytes = name === 'APP_PORT' ? MAIN_HEADER_BYTES : undefined;
    const limits = { maxConnections, onFull, ...(maxHeaderBytes && { maxHeaderBytes }) };
    return await listen(app, { host, port, scheduler, ...limits });
  } catch (error) {
    throw listenError(error, host, port, name);
  }
}

/** What a host says when it cannot be listened on, as the setting that would put it right. */
function listenError(error: unknown, host: string, port: number, name: string): unknown {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(name, String(port), 'a free port: another program has this one');
  }
  if (code === 'EACCES') {
    return new ConfigurationError(name, String(port), 'a port that this user may listen on');
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
    return new ConfigurationError('APP_HOST', shown(host), 'an address of this machine');
  }
  return error;
}
