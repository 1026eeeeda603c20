import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { type Cancel, type Scheduler, systemScheduler } from './clock.ts';
import { answerUpgrades, asksForSocket } from './http-upgrade.ts';
import { limitConnections } from './http-connection-limit.ts';

export type { IncomingMessage, RequestListener, ServerResponse };

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How long `close` waits for requests in flight before it cuts them. Default 20 s. */
  readonly graceMs?: number;
  readonly scheduler?: Scheduler;
  /** The most open connections (http-connection-limit.ts). No limit when absent. */
  readonly maxConnections?: number;
  /** Called when a connection was closed for that, at most once a minute. */
  readonly onFull?: () => void;
  /** The longest address and headers of a request together. Node's own limit, 16 KiB, when absent. */
  readonly maxHeaderBytes?: number;
}

export interface HttpListener {
  /** The port in use: the assigned one where 0 was asked for. */
  readonly port: number;
  /**
   * Accepts no new connection, lets requests in flight be answered, and resolves when every
   * connection is closed. A second call waits for the first one.
   */
  close(): Promise<void>;
}

/** Longer than the wait for a permit and an order's deadline at its broker together. */
const GRACE_MS = 20_000;
/**
 * Longer than clients usually keep connections open. If the server closes a connection while an
 * order arrives on it, the client cannot know whether the order was received.
 */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // How often the first two are looked at.
  connectionsCheckingInterval: 5_000,
};

/**
 * For so long the rest of a body is discarded that nobody read, after the answer: a client that still
 * sends would lose the answer if the connection closed at once.
 */
const DISCARD_MS = 1_000;

/** Closes the connection of an answered request whose body goes on and on. */
function limitUnreadBody(req: IncomingMessage, res: ServerResponse, scheduler: Scheduler): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (length === undefined && encoding === undefined) return;
  res.once('finish', () => {
    if (req.complete) return;
    const cancel = scheduler.after(DISCARD_MS, () => req.socket.destroy());
    req.once('end', cancel);
    req.once('close', cancel);
    req.resume();
  });
}

const TELL_FULL_EVERY_MS = 60_000;

/** Listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`, …) when it cannot. */
export function listen(app: RequestListener, options: ListenOptions): Promise<HttpListener> {
  const { scheduler = systemScheduler, graceMs = GRACE_MS } = options;
  let closing: Promise<void> | null = null;
  const answer: RequestListener = (req, res) => {
    // A connection that is kept alive after its last answer would delay the close.
    res.once('close', () => {
      if (closing) scheduler.endOfTurn(() => server.closeIdleConnections());
    });
    limitUnreadBody(req, res, scheduler);
    limit?.note(req, res);
    app(req, res);
  };
  const { maxHeaderBytes } = options;
  const server = createServer(
    {
      ...TIMES,
      shouldUpgradeCallback: asksForSocket,
      ...(maxHeaderBytes === undefined ? {} : { maxHeaderSize: maxHeaderBytes }),
    },
    answer,
  );
  answerUpgrades(server, answer);

  const { maxConnections } = options;
  const limit =
    maxConnections === undefined ? null : limitConnections(server, maxConnections, tellFull);
  let cancelTold: Cancel | null = null;

  function tellFull(): void {
    if (cancelTold) return;
    cancelTold = scheduler.after(TELL_FULL_EVERY_MS, () => (cancelTold = null));
    options.onFull?.();
  }

  function close(): Promise<void> {
    cancelTold?.();
    closing ??= new Promise((resolve) => {
      const cancelCut = scheduler.after(graceMs, () => server.closeAllConnections());
      server.close(() => {
        cancelCut();
        resolve();
      });
      server.closeIdleConnections();
    });
    return closing;
  }

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      resolve({ port: port ?? options.port, close });
    });
  });
}
