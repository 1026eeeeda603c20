import type { Express, Request } from 'express';
import { GatewayProblem } from '../domain/problem.ts';
import { isUpgrade } from '../platform/http-upgrade.ts';
import type { Ids } from '../platform/ids.ts';
import type { Caller } from '../callers/caller.ts';
import { checkedInputs } from './checked-inputs.ts';
import { type Authenticate, checkNavigation } from './access.ts';
import { cookieOf } from './cookies.ts';
import type { Route, RouteRequest, WantedType } from './define-route.ts';
import { whenClosed, writeReply } from './answers.ts';
import { parseJson } from './parse-json.ts';
import type { RepeatedReads } from './repeated-reads.ts';
import { notesOf } from './request-context.ts';

const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

export interface MountParts {
  readonly authenticate: Authenticate;
  readonly ids: Ids;
  readonly repeated: RepeatedReads;
}

/** Adds a route to the server: checks the key, then the request's parts, then calls the handler. */
export function mountRoute(app: Express, route: Route, parts: MountParts): void {
  const { authenticate, ids, repeated } = parts;
  app[VERBS[route.method]](expressPath(route.path), async (request, response, next) => {
    if (route.only !== undefined && request.method === 'HEAD') return next();
    const notes = notesOf(response);
    notes.pattern = route.path;
    if (wantedType(request.headers.accept) === 'html') notes.page = route.pages ?? null;
    if (route.only === 'navigation') checkNavigation(request);
    const { caller, holds: keyHolds } = authenticate(request, route);
    notes.caller = caller?.id ?? null;
    const checked = await checkedRequest(route, request, caller, notes.requestId);
    notes.changing = route.method !== 'GET';
    const heard = repeated.heard(request);
    const reply = heard
      ? await heard()
      : await route.handler({
          ...{ ...checked, caller, keyHolds, isUpgrade: isUpgrade(request) },
          onGone: (listener) => whenClosed(response, listener),
        });
    if (caller !== null && reply.status === 200) repeated.keep(request, route, caller, checked);
    writeReply(request, response, reply, () => ids.secret(16));
  });
}

export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

type Checked = Omit<RouteRequest<unknown, unknown, unknown, unknown, null>, 'caller'>;

async function checkedRequest(
  route: Route,
  request: Request,
  caller: Caller | null,
  requestId: string,
): Promise<Checked> {
  const given = {
    params: { ...request.params },
    query: { ...request.query },
    headers: declaredHeaders(route, request),
    readBody: (): Promise<unknown> =>
      route.rawBody ? readText(request, route.rawBody.limit) : readJson(request),
  };
  return {
    ...(await checkedInputs(route, given, caller)),
    requestId,
    cookie: (name) => cookieOf(request.headers.cookie, name),
    ...{ host: request.headers.host?.toLowerCase(), authorization: request.headers.authorization },
    wants: wantedType(request.headers.accept),
    address: request.socket.remoteAddress ?? '',
  };
}

/** Only named types count: a client that accepts anything, as most programs do, has named none. */
function wantedType(accept: string | undefined): WantedType {
  const types = (accept ?? '').toLowerCase();
  if (types.includes('text/html')) return 'html';
  if (types.includes('text/event-stream')) return 'events';
  return types.includes('application/json') ? 'json' : null;
}

/** The headers that a route declares, by its own spelling; others are ignored. */
function declaredHeaders(
  { headers, listHeaders = [] }: Pick<Route, 'headers' | 'listHeaders'>,
  request: Request,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(headers?.shape ?? {})) {
    const lines = request.headersDistinct[name.toLowerCase()] ?? [];
    if (lines.length > 1 && !listHeaders.includes(name)) {
      const detail = `header.${name}: is sent more than once; send it once`;
      throw new GatewayProblem({ code: 'invalid_request', detail });
    }
    if (lines.length > 0) values[name] = lines.join(', ');
  }
  return values;
}

export const JSON_LIMIT = 256 * 1024;

/** A JSON body of at most 256 KiB; undefined when there is none. */
export async function readJson(request: Request): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!isJson(request.headers['content-type'])) {
    throw new GatewayProblem({
      code: 'unsupported_media_type',
      detail: 'The body must be JSON: send the header Content-Type: application/json.',
    });
  }
  return parseJson(await readText(request, JSON_LIMIT));
}

/** A body as text, of any type. Compressed bodies are refused: they can expand to any size. */
export async function readText(request: Request, limit: number): Promise<string> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new GatewayProblem({
      code: 'unsupported_media_type',
      detail: 'The body is compressed: send it uncompressed.',
    });
  }
  const body = await readBytes(request, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new GatewayProblem({
      code: 'invalid_request',
      detail: 'The body is not UTF-8: encode it as UTF-8.',
    });
  }
}

/**
 * Rejects as soon as the body is known to be longer than `limit` bytes: before it is read where its
 * length is declared. What follows is discarded (`listen` in platform/http-server.ts).
 */
function readBytes(request: Request, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (): void => {
      request.off('data', take);
      const detail = `The body is larger than the ${limit} bytes that this route accepts.`;
      reject(new GatewayProblem({ code: 'body_too_large', detail }));
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) refuse();
      else chunks.push(chunk);
    };
    const lose = (): void => {
      const detail = 'The body did not arrive whole: send the request again.';
      reject(new GatewayProblem({ code: 'invalid_request', detail }));
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) return refuse();
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', lose);
    request.once('close', lose);
  });
}

function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(contentType ?? '');
}
