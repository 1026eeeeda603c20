import type { Operation } from './operation.ts';
import { pagesOf } from './pages.ts';
import { type AnyInput, type Connection, prepareRequest } from './request.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import { send } from './send.ts';
import { type Streams, streamsOf } from './streams.ts';
import type { Answer, Calls, PagedName, PageInput, PageItem } from './types.ts';

export interface ClientOptions {
  /** Where the gateway listens: `http://127.0.0.1:8420`. */
  readonly baseUrl: string;
  /** A key of the gateway (docs/keys.md). */
  readonly key: string;
  /** Milliseconds for one attempt; 15,000 when absent, since an order may take the gateway 13 seconds. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds after which no further attempt of a call begins; 30,000 when absent. An order whose first attempts
   * never arrived may leave that much later than it was asked for.
   */
  readonly patienceMs?: number;
  /** Parts of the surrounding program that are to be replaced, such as `fetch`. */
  readonly runtime?: Partial<Runtime>;
}

/** A call for each operation, the lists that come in pages, and the streams. */
export type Client = Calls &
  Streams & {
    /** Each page of a list, as `for await (const page of client.pages('getOrders', { status: 'open' }))`. */
    pages<Name extends PagedName>(
      name: Name,
      input?: PageInput<Name>,
    ): AsyncGenerator<Answer<Name>, void, undefined>;
    /** Each item of a list, over all its pages. */
    items<Name extends PagedName>(
      name: Name,
      input?: PageInput<Name>,
    ): AsyncGenerator<PageItem<Name>, void, undefined>;
  };

const TIMEOUT_MS = 15_000;
const PATIENCE_MS = 30_000;

/** A call by its name, before the document gives it its types. */
type AnyCall = (input?: AnyInput) => Promise<unknown>;

/**
 * Makes a client for these operations. Throws a TypeError for options that no request could be sent with. Each call
 * rejects with a ProblemError or a NoAnswerError, or with a TypeError for input that cannot be sent.
 */
export function clientFor(
  operations: Readonly<Record<string, Operation>>,
  options: ClientOptions,
): Client {
  const connection = connectionOf(options);
  const timeoutMs = positive('timeoutMs', options.timeoutMs ?? TIMEOUT_MS);
  const patienceMs = positive('patienceMs', options.patienceMs ?? PATIENCE_MS);
  const runtime = { ...systemRuntime, ...options.runtime };
  const calls = new Map<string, AnyCall>(
    Object.entries(operations).map(([name, operation]) => [
      name,
      async (input = {}) => {
        const request = prepareRequest([name, operation], input, connection, runtime.newKey);
        const limits = {
          timeoutMs: positive('timeoutMs', input.timeoutMs ?? timeoutMs),
          patienceMs: positive('patienceMs', input.patienceMs ?? patienceMs),
          signal: input.signal ?? null,
        };
        return send(request, limits, runtime);
      },
    ]),
  );
  const pages = (name: string, input: AnyInput = {}) => {
    const call = calls.get(name);
    if (call === undefined) throw new TypeError(`there is no operation ${name}`);
    return pagesOf(name, call, input);
  };
  async function* items(name: string, input?: AnyInput): AsyncGenerator {
    for await (const { data } of pages(name, input)) yield* data;
  }
  const streams = streamsOf(connection, patienceMs, runtime);
  // The types of the calls are those of the document, from which the table is made as well.
  return { ...Object.fromEntries(calls), pages, items, ...streams } as unknown as Client;
}

function connectionOf({ baseUrl, key }: ClientOptions): Connection {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`baseUrl is "${baseUrl}": it must be like http://127.0.0.1:8420`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('baseUrl has a user name or a password: the gateway takes a key alone');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/api/v1')) {
    throw new TypeError(`baseUrl is "${baseUrl}": leave /api/v1 out, the client adds it`);
  }
  if (!/^[!-~]+$/.test(key)) {
    throw new TypeError('key is empty, or has spaces or characters that no key of the gateway has');
  }
  return { baseUrl: `${url.origin}${path}`, key };
}

function positive(name: string, value: number): number {
  const isPatience = name === 'patienceMs';
  if (Number.isFinite(value) && (isPatience ? value >= 0 : value > 0)) return value;
  throw new TypeError(`${name} is ${value}: it must be a number of milliseconds`);
}
