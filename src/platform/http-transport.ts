import { Agent, buildConnector, Client, request as undiciRequest, type Dispatcher } from 'undici';
import type { HttpReply, HttpRequest, HttpTransport } from './http.ts';
import type { Scheduler } from './scheduler.ts';

const DEFAULT_MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** Below the servers' usual 5 s: a connection that they are about to close is not picked up. */
const KEEP_ALIVE_MS = 3_000;
const RETIRE_MS = 10;

/** Marks what failed before there was a connection: the one proof that nothing was sent. */
class ConnectFailure extends Error {
  readonly cause_code: string;
  constructor(error: Error & { code?: string }) {
    super(error.message || String(error.code ?? error.name), { cause: error });
    this.cause_code = error.code ?? error.name;
  }
}

function connector(timeoutMs: number, ipv4: boolean): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, ...(ipv4 ? { family: 4 } : {}) });
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error) callback(new ConnectFailure(error), null);
      else callback(null, socket);
    });
  };
}

/**
 * The transport over real sockets. The deadline is ours and total, because undici's timeouts count
 * idle time only: a reply that trickles would never end.
 */
export function createHttpTransport(scheduler: Scheduler): HttpTransport {
  const pools = {
    any: new Agent({ connect: connector(10_000, false), keepAliveTimeout: KEEP_ALIVE_MS }),
    ipv4: new Agent({ connect: connector(10_000, true), keepAliveTimeout: KEEP_ALIVE_MS }),
  };

  /** Clients that have done their one request. */
  const retired = new Set<Client>();

  async function send(request: HttpRequest): Promise<HttpReply> {
    // A connection of its own means a client of its own, closed once the reply is read.
    const own = request.fresh ? ownClient(request) : null;
    if (own !== null && 'kind' in own) return own;
    const dispatcher = own ?? (request.ipv4 ? pools.ipv4 : pools.any);
    const abort = new AbortController();
    let late = false;
    const cancelDeadline = scheduler.after(request.deadlineMs, () => {
      late = true;
      abort.abort();
    });
    let status: number | null = null;
    try {
      const reply = await undiciRequest(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        dispatcher,
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
      return failure(error, late, status, request.deadlineMs);
    } finally {
      cancelDeadline();
      if (own) retire(own);
    }
  }

  /** Not on the way of the answer, nor of what is done with it: tearing down takes a while of its own. */
  function retire(client: Client): void {
    retired.add(client);
    scheduler.after(RETIRE_MS, () => {
      retired.delete(client);
      void client.destroy();
    });
  }

  return {
    send,
    async close() {
      await Promise.all([pools.any, pools.ipv4, ...retired].map((each) => each.destroy()));
    },
  };
}

function ownClient(request: HttpRequest): Client | HttpReply {
  try {
    return new Client(new URL(request.url).origin, {
      connect: connector(request.deadlineMs, request.ipv4 === true),
    });
  } catch (error) {
    return { kind: 'not_sent', cause: 'ERR_INVALID_URL', message: (error as Error).message };
  }
}

/** Null when it is too large. By events: an iterator takes some turns of the event loop more. */
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
  const code = (error as { code?: string }).code;
  // An invalid URL, header or method is found before a socket is opened.
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return { kind: 'not_sent', cause: code, message: (error as Error).message };
  }
  // The parser's error carries a code for some faults only.
  const malformed =
    (error as Error).name === 'HTTPParserError' || code?.startsWith('HPE_') === true;
  return {
    kind: 'broken',
    cause: malformed ? 'malformed' : 'reset',
    message: error instanceof Error ? error.message : String(error),
    status,
  };
}

function connectFailure(error: unknown): ConnectFailure | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof ConnectFailure) return each;
  }
  return null;
}
