import { createServer, type RequestListener } from 'node:http';
import { systemScheduler, type Scheduler } from './scheduler.ts';

export type { RequestListener };

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** How long `close` waits for requests in flight before it cuts them. Default 20 s. */
  readonly graceMs?: number;
  readonly scheduler?: Scheduler;
}

export interface HttpListener {
  /** The port in use: the assigned one where 0 was asked for. */
  readonly port: number;
  /**
   * Takes no new connection, lets requests in flight be answered, and resolves when every
   * connection is closed. Calling it again waits for the same.
   */
  close(): Promise<void>;
}

/** Above an order's deadline towards its broker, with the wait for a permit before it. */
const GRACE_MS = 20_000;
/**
 * Above what clients usually keep: a connection that the server closes just as an order comes in on
 * it leaves the client in doubt.
 */
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };

/** Listens; rejects with what the host says (`EADDRINUSE`, `EACCES`, …) when it cannot. */
export function listen(app: RequestListener, options: ListenOptions): Promise<HttpListener> {
  const { scheduler = systemScheduler, graceMs = GRACE_MS } = options;
  let closing: Promise<void> | null = null;
  const server = createServer(TIMES, (req, res) => {
    // A connection that is kept alive past its last answer would hold the close up.
    res.once('close', () => {
      if (closing) scheduler.endOfTurn(() => server.closeIdleConnections());
    });
    app(req, res);
  });

  function close(): Promise<void> {
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
