import type { Socket } from 'node:net';
import { Agent, Client, request as undiciRequest, type Dispatcher } from 'undici';
import { codeOf, fieldOf, messageOf } from './values.ts';
import {
  ConnectFailure,
  connector,
  createOneUseConnections,
  publicConnector,
} from './http-connections.ts';
import {
  CONNECT_WITHIN_MS,
  HELD_BACK,
  type HttpReply,
  type HttpRequest,
  type HttpTransport,
} from './http.ts';
import type { Scheduler } from './clock.ts';

const DEFAULT_MAX_REPLY_BYTES = 64 * 1024 * 1024;
/**
 * Shorter than the servers' usual 5 s, so that no request uses a connection that is about to close.
 */
const KEEP_ALIVE_MS = 3_000;
const RETIRE_MS = 10;

export interface TransportOptions {
  /** Reaches addresses of the public internet alone, by requests that are neither `fresh` nor `ipv4`. */
  readonly publicOnly?: boolean;
}

/**
 * The transport over real sockets. The deadline is our own and covers the whole request: undici's
 * timeouts count idle time only, so a reply that arrives byte by byte would never end.
 */
export function createHttpTransport(
  scheduler: Scheduler,
  { publicOnly = false }: TransportOptions = {},
): HttpTransport {
  const anyAddress = publicOnly ? publicConnector() : connector(false);
  const pools = {
    any: new Agent({ connect: anyAddress, keepAliveTimeout: KEEP_ALIVE_MS }),
    ipv4: new Agent({ connect: connector(true), keepAliveTimeout: KEEP_ALIVE_MS }),
  };
  const connections = createOneUseConnections(scheduler);

  /** Clients whose one request is done. */
  const retired = new Set<OwnClient>();

  async function send(request: HttpRequest): Promise<HttpReply> {
    const abort = new AbortController();
    const cancelDeadline = scheduler.after(request.deadlineMs, () => abort.abort());
    let own: OwnClient | null = null;
    let status: number | null = null;
    try {
      // A fresh connection has its own client, which is closed once the reply is read.
      if (request.fresh) {
        own = ownClient(request.url, request.mayLeave);
        own.give(await connection(request));
      }
      const reply = await undiciRequest(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        dispatcher: own?.client ?? (request.ipv4 ? pools.ipv4 : pools.any),
        signal: abort.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      status = reply.statusCode;
      const body = await readAll(reply.body, request.maxReplyBytes ?? DEFAULT_MAX_REPLY_BYTES);
      if (body === null) {
        abort.abort();
        return { kind: 'broken', cause: 'too_large', message: 'the reply is too large', status };
      }
      return {
        kind: 'answered',
        status,
        statusText: reply.statusText,
        headers: flatten(reply.headers),
        body,
      };
    } catch (error) {
      return failure(error, abort.signal.aborted, status, request.deadlineMs);
    } finally {
      cancelDeadline();
      if (own) retire(own);
    }
  }

  /**
   * Rejects with a ConnectFailure where there is none in time: a connection that opens later is closed.
   */
  function connection({ url, ipv4 = false, deadlineMs }: HttpRequest): Promise<Socket> {
    const withinMs = Math.min(deadlineMs, CONNECT_WITHIN_MS);
    return new Promise((resolve, reject) => {
      let late = false;
      const cancelWait = scheduler.after(withinMs, () => {
        late = true;
        reject(connectFailureOf('ETIMEDOUT', `no connection within ${withinMs} ms`));
      });
      connections.take(url, ipv4).then(
        (socket) => {
          cancelWait();
          if (late) socket.destroy();
          else resolve(socket);
        },
        (error: unknown) => {
          cancelWait();
          reject(error);
        },
      );
    });
  }

  /** Clients are closed later, because closing takes time that would delay the answer. */
  function retire(own: OwnClient): void {
    retired.add(own);
    scheduler.after(RETIRE_MS, () => {
      retired.delete(own);
      void own.destroy();
    });
  }

  return {
    send,
    connectAhead: ({ url, ipv4 }) => connections.openAhead(url, ipv4 === true),
    async close() {
      connections.close();
      await Promise.all([pools.any, pools.ipv4, ...retired].map((each) => each.destroy()));
    },
  };
}

/** A client for one request on the given connection. */
interface OwnClient {
  readonly client: Client;
  give(socket: Socket): void;
  /** Closes the client and its connection, also when the client has not used the connection yet. */
  destroy(): Promise<void>;
}

function connectFailureOf(code: string, message: string): ConnectFailure {
  return new ConnectFailure(Object.assign(new Error(message), { code }));
}

/** A question that fails has not been answered with yes. */
function isTrue(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

/** Throws for an invalid address. */
function ownClient(url: string, mayLeave: () => boolean = () => true): OwnClient {
  let given: Socket | null = null;
  let used = false;
  const client = new Client(new URL(url).origin, {
    connect(_options, callback) {
      // The client accepts a connection only after it has asked for one.
      void Promise.resolve().then(() => {
        // Nothing here knows whether the first connection was written to, so there is no second
        // one.
        if (used) return void client.destroy();
        used = true;
        // The last moment before the request is written.
        if (given === null || given.destroyed || given.readableLength > 0) {
          const message = 'the connection was closed, or answered before it was asked';
          return callback(new ConnectFailure(new Error(message)), null);
        }
        if (isTrue(mayLeave)) return callback(null, given);
        callback(connectFailureOf(HELD_BACK, 'it was kept back before it was written'), null);
      });
    },
  });
  return {
    client,
    give: (socket) => void (given = socket),
    destroy() {
      given?.destroy();
      return client.destroy();
    },
  };
}

/**
 * Null when it is too large. Uses events, because an iterator takes more turns of the event loop.
 */
function readAll(body: Dispatcher.ResponseData['body'], limit: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) resolve(null);
      else chunks.push(chunk);
    });
    body.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    body.once('error', reject);
    body.once('close', () => reject(new Error('the reply ended early')));
  });
}

function flatten(
  headers: Record<string, string | string[] | undefined>,
): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function failure(
  error: unknown,
  late: boolean,
  status: number | null,
  deadlineMs: number,
): HttpReply {
  const connect = connectFailure(error);
  if (connect) return { kind: 'not_sent', cause: connect.cause_code, message: connect.message };
  if (late) {
    return {
      kind: 'broken',
      cause: 'deadline',
      message: `no whole reply within ${deadlineMs} ms`,
      status,
    };
  }
  const code = codeOf(error);
  // undici reports an invalid URL, header or method before it opens a socket.
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return { kind: 'not_sent', cause: code, message: messageOf(error) };
  }
  // The parser's errors have a code in some cases only.
  const malformed =
    fieldOf(error, 'name') === 'HTTPParserError' || code?.startsWith('HPE_') === true;
  return {
    kind: 'broken',
    cause: malformed ? 'malformed' : 'reset',
    message: messageOf(error),
    status,
  };
}

function connectFailure(error: unknown): ConnectFailure | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof ConnectFailure) return each;
  }
  return null;
}
