import type { Caller } from '../callers/caller.ts';
import type { Callers } from '../callers/callers.ts';
import type { Clock } from '../platform/clock.ts';
import type { IncomingMessage, RequestListener, ServerResponse } from '../platform/http-server.ts';
import type { Ids } from '../platform/ids.ts';
import { isAllowedHost } from './access.ts';
import type { CheckedInputs } from './checked-inputs.ts';
import type { Reply, Route } from './define-route.ts';
import type { ObservedRequest } from './observe-requests.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestLog } from './request-log.ts';
import { textOf } from './shared-texts.ts';

/** How many requests are kept, and how long the address of one may be: programs ask for the same few. */
const MOST_KEPT = 500;
const MOST_CHARACTERS = 2_000;

type Words = Pick<IncomingMessage, 'method' | 'url'>;

export interface RepeatedReads {
  /** Keeps a request that passed every check, and was answered: what was made of it serves those that repeat it. */
  keep(request: Words, route: Route, caller: Caller, checked: CheckedInputs): void;
  /** What its handler has said already to a repeated request that comes to the application all the same; null else. */
  heard(request: IncomingMessage): (() => Promise<Reply>) | null;
  /** The application, behind what answers repeated reads. */
  before(application: RequestListener): RequestListener;
}

export interface RepeatedReadsParts {
  readonly callers: Pick<Callers, 'authenticate'>;
  readonly allowedHosts: () => readonly string[];
  readonly ids: Ids;
  readonly clock: Clock;
  readonly context: Pick<RequestContext, 'jsonHead' | 'began'>;
  readonly log: RequestLog;
  readonly observe: (request: ObservedRequest) => void;
}

interface Kept {
  readonly route: Route;
  /** By who asked: a key that was changed, rotated or revoked since is somebody else. */
  readonly checkedFor: WeakMap<Caller, CheckedInputs>;
}

interface Repeated {
  readonly route: Route;
  readonly caller: Caller;
  readonly checked: CheckedInputs;
}

/**
 * Answers a read that repeats an earlier one word for word, past the routing and the checks of its words, which would
 * come to the same (docs/decisions/0103-repeated-reads.md). Who asks is checked each time, and so is the host. For
 * routes whose handler looks at nothing but the query and the caller (`isRepeatable`), and for JSON answers of status
 * 200 alone: what else the handler says is answered by the application, without asking it again.
 */
export function createRepeatedReads(parts: RepeatedReadsParts): RepeatedReads {
  const { callers, allowedHosts, ids, clock, log, observe } = parts;
  const { jsonHead, began } = parts.context;
  const kept = new Map<string, Kept>();
  const heard = new WeakMap<IncomingMessage, () => Promise<Reply>>();

  function repeatedBy(request: IncomingMessage): Repeated | null {
    if (request.method !== 'GET' || request.headers.upgrade !== undefined) return null;
    const found = kept.get(request.url ?? '');
    if (found === undefined || !isAllowedHost(request, allowedHosts())) return null;
    const caller = callers.authenticate(request.headers.authorization);
    const checked = caller === null ? undefined : found.checkedFor.get(caller);
    if (caller === null || checked === undefined) return null;
    return { route: found.route, caller, checked };
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { route, caller, checked }: Repeated,
    application: RequestListener,
  ): Promise<void> {
    const startedAt = clock.elapsed();
    const requestId = ids.uuid7(clock.now());
    const asked = (async () =>
      route.handler({ ...checked, caller, requestId, cookie: () => null, wants: null }))();
    const reply = await asked.catch(() => null);
    if (reply === null || !isPlain(reply)) {
      heard.set(request, () => asked);
      began(request, startedAt);
      return application(request, response);
    }
    const note = (): void => {
      const ms = clock.elapsed() - startedAt;
      observe({ method: 'GET', route: route.path, status: response.statusCode, ms });
      log.write(request, response, {
        ...{ requestId, startedAt, pattern: route.path, caller: caller.id },
      });
    };
    // Who asked may have gone while the handler was asked.
    if (response.closed) return note();
    response.once('close', note);
    const text = textOf(reply.content.value);
    const length = Buffer.byteLength(text);
    response.writeHead(200, jsonHead(requestId, length));
    // A text of ASCII alone is the same in both, and this one needs no conversion.
    response.end(text, length === text.length ? 'latin1' : 'utf8');
  }

  return {
    keep({ method, url = '' }, route, caller, checked) {
      if (route.isRepeatable !== true || method !== 'GET' || url.length > MOST_CHARACTERS) return;
      const found = kept.get(url) ?? { route, checkedFor: new WeakMap() };
      const { params, query, headers, body } = checked;
      found.checkedFor.set(caller, { params, query, headers, body });
      kept.set(url, found);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    },
    heard: (request) => heard.get(request) ?? null,
    before: (application) => (request, response) => {
      const repeated = repeatedBy(request);
      if (repeated === null) application(request, response);
      else void answer(request, response, repeated, application);
    },
  };
}

type PlainReply = Reply & { readonly content: { readonly kind: 'json' } };

const isPlain = (reply: Reply): reply is PlainReply =>
  reply.status === 200 &&
  reply.content.kind === 'json' &&
  Object.keys(reply.headers ?? {}).length === 0;
