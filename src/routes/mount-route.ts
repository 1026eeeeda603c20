import type { Express, Request, Response } from 'express';
import type { Ids } from '../platform/ids.ts';
import type { Authenticate } from './authenticate.ts';
import { readJson, readText } from './body.ts';
import { check, declaredHeaders } from './check.ts';
import { cookieOf } from './cookies.ts';
import type { Method, Route, RouteRequest } from './define-route.ts';
import { z } from 'zod';
import { notesOf } from './request-log.ts';
import { writeReply } from './reply-writer.ts';

const NOTHING = z.strictObject({});
const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

export interface MountParts {
  readonly authenticate: Authenticate;
  readonly ids: Ids;
}

/** Adds a route to the server: checks the key, then the request's parts, then calls the handler. */
export function mountRoute(app: Express, route: Route, parts: MountParts): void {
  const { authenticate, ids } = parts;
  app[VERBS[route.method]](expressPath(route.path), async (request, response) => {
    const notes = notesOf(response);
    notes.pattern = route.path;
    const caller = authenticate(request, route.scope);
    notes.caller = caller?.id ?? null;
    const checked = await checkedRequest(route, request, response);
    notes.changing = route.method !== 'GET';
    const reply = await route.handler({ ...checked, caller });
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
  response: Response,
): Promise<Checked> {
  const params = check(route.params ?? NOTHING, { ...request.params }, 'path');
  const query = check(route.query ?? NOTHING, { ...request.query }, 'query');
  const headers = route.headers
    ? check(route.headers, declaredHeaders(route.headers, request), 'header')
    : {};
  return {
    params,
    query,
    headers,
    body: await readBody(route, request, response),
    cookie: (name) => cookieOf(request.headers.cookie, name),
    wants: wantedType(request.headers.accept),
  };
}

async function readBody(route: Route, request: Request, response: Response): Promise<unknown> {
  if (route.rawBody) return readText(request, response, route.rawBody.limit);
  if (isReading(route.method)) return undefined;
  const body = await readJson(request, response);
  return check(
    route.body ?? z.undefined({ error: 'is not accepted here: send no body' }),
    body,
    'body',
  );
}

function isReading(method: Method): boolean {
  return method === 'GET';
}

/** Only named types count: a client that accepts anything, as most programs do, has named none. */
function wantedType(accept: string | undefined): 'json' | 'html' | null {
  const types = (accept ?? '').toLowerCase();
  if (types.includes('text/html')) return 'html';
  return types.includes('application/json') ? 'json' : null;
}
