import request, { type Response } from 'supertest';
import { expect } from 'vitest';
import type { Caller, Scope } from '../../../src/callers/caller.ts';
import { CallerError } from '../../../src/callers/key-records.ts';
import type { Scheduler } from '../../../src/platform/clock.ts';
import type { KeyRegistry } from '../../../src/routes/keys.ts';
import { createIds } from '../../../src/platform/ids.ts';
import { listen } from '../../../src/platform/http-server.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { mcpRoutes } from '../../../src/mcp/mcp-routes.ts';
import { allRoutes } from '../../../src/routes/all-routes.ts';
import { createApp, type AppParts } from '../../../src/routes/app.ts';
import { hostsOf } from '../../../src/routes/access.ts';
import { createStreamTickets } from '../../../src/routes/stream-tickets.ts';
import { PROBLEM_TYPE, problemSchema } from '../../../src/routes/problems.ts';
import type { ProblemCode } from '../../../src/domain/problem.ts';
import { documentCheck, type DocumentCheck } from '../../support/document-check.ts';
import { eventBench } from '../../support/event-bench.ts';
import { memoryHooks } from '../../support/memory-hooks.ts';
import { memorySignIns } from '../../support/memory-sign-ins.ts';
import { memoryWebhooks } from '../../support/memory-webhooks.ts';
import { priceBench } from '../../support/price-bench.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { fakeGateway } from './fake-gateway.ts';
import { fakeSession } from './fake-session.ts';
import { NOW } from './samples.ts';

export const KEYS: Readonly<Record<Scope, string>> = {
  read: 'Bearer read-key',
  trade: 'Bearer trade-key',
  admin: 'Bearer admin-key',
};

const callerOf = (scope: Scope): Caller => ({
  ...{ id: `key_${scope}`, name: scope, scope, broker: null, mode: null },
});

/** Who asks with a key, the same object each time. */
export const CALLERS: Readonly<Record<Scope, Caller>> = {
  read: callerOf('read'),
  trade: callerOf('trade'),
  admin: callerOf('admin'),
};

export const BROKERS = [
  { name: 'alt', mode: 'live' },
  { name: 'primary', mode: 'live' },
  { name: 'paper', mode: 'paper' },
] as const;

const refuse = (): never => {
  throw new CallerError('admin_key', 'these keys are fixed');
};
const NO_KEYS: KeyRegistry = {
  add() {
    throw new CallerError('name_taken', 'these keys are fixed');
  },
  ...{ list: () => [], change: refuse, setStop: refuse },
  ...{ rotate: refuse, revoke: refuse },
};

/** Turns end without anybody moving the time; everything else waits for it. */
const atOnce = (time: VirtualTime): Scheduler => ({
  after: (ms, run) => time.after(ms, run),
  endOfTurn: (run) => void setImmediate(run),
});

export type Harness = Awaited<ReturnType<typeof startApp>>;

/** What routes call to answer, beside the gateway. */
const CALLED = [
  ...(['session', 'keys', 'arming', 'events', 'priceReaders', 'tickets', 'webhooks'] as const),
  ...(['hooks', 'signals', 'signIns', 'metrics'] as const),
];

/**
 * Both HTTP applications on loopback, with a fake gateway and a fake session. `around` puts something between the routes
 * and what they call.
 */
export async function startApp(
  changes: Partial<AppParts> = {},
  around: <Part extends object>(part: Part) => Part = (part) => part,
) {
  const time = new VirtualTime(NOW);
  const fake = fakeGateway();
  const login = fakeSession();
  const bench = eventBench({ clock: time, scheduler: time });
  const prices = priceBench(time, atOnce(time));
  const lines: string[] = [];
  const pino = createPino('debug', { write: (line) => void lines.push(line) });
  const check = await documentCheck();
  const wrong: string[] = [];
  const ports = { main: 0 };
  let made = 0;
  const ids = createIds((count) => new Uint8Array(count).fill((made += 1)));
  const parts: AppParts = {
    gateway: fake.gateway,
    session: login.session,
    noLogin: { code: 'no_broker', detail: 'Set APP_ALT_BROKER_API_KEY.', broker: 'alt' },
    brokers: BROKERS,
    keys: NO_KEYS,
    arming: { arm: async () => false },
    callers: {
      authenticate(header) {
        const scope = (Object.keys(KEYS) as Scope[]).find((each) => KEYS[each] === header);
        return scope ? CALLERS[scope] : null;
      },
    },
    clock: time,
    ids,
    log: createLog(pino),
    pino,
    allowedHosts: () => hostsOf(ports.main, ['gateway.test']),
    publicUrl: null,
    further: (routes) =>
      mcpRoutes(routes, {
        ...{ gateway: fake.gateway, clock: time, scheduler: atOnce(time), log: createLog(pino) },
        ...{ trading: true, loginUrl: () => null },
      }),
    ready: () => ({ ready: true, reasons: [], notices: [], isDiskLow: false, disarmed: null }),
    events: bench.readers,
    priceReaders: prices.readers,
    tickets: createStreamTickets({ clock: time, ids }),
    webhooks: memoryWebhooks(bench, time).registry,
    hooks: memoryHooks(time),
    ...memorySignIns(time, ids),
    signals: {
      take: () => Promise.reject(new Error('there are no hooks')),
      newest: async () => [],
    },
    metrics: { text: async () => 'altbroker_ready 1\n', contentType: 'text/plain; version=0.0.4' },
    ...changes,
  };
  for (const name of CALLED) {
    const part = parts[name];
    if (part !== null) Object.assign(parts, { [name]: around(part) });
  }
  const apps = createApp(parts);
  const main = await listen(apps.main, { host: '127.0.0.1', port: 0 });
  const postback = await listen(apps.postback, { host: '127.0.0.1', port: 0 });
  ports.main = main.port;
  const url = `http://127.0.0.1:${main.port}`;
  const postbackUrl = `http://127.0.0.1:${postback.port}`;
  return {
    ...{ time, fake, login, bench, prices, lines, url, postbackUrl, routes: allRoutes(parts) },
    mounted: mountedRoutes(apps.application),
    /** Handlers of every path: the checks before the routes, and the answers where no route is. */
    unrouted: apps.application.router.stack.filter(({ route }) => route === undefined).length,
    http: checked(request(url), wrong, check),
    postback: checked(request(postbackUrl), wrong, ofPostbackListener(check)),
    async close() {
      prices.readers.stop();
      await Promise.all([main.close(), postback.close()]);
      expect(wrong, 'replies that are not as in the OpenAPI document').toEqual([]);
    },
  };
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** It has one route: it answers all others as paths that are not there. */
function ofPostbackListener(check: DocumentCheck): DocumentCheck {
  return (reply) => (reply.status === 404 ? null : check(reply));
}

/** Notes each reply that is not as the document says: `close` then fails. */
function checked<T extends Pick<ReturnType<typeof request>, (typeof VERBS)[number]>>(
  http: T,
  wrong: string[],
  check: DocumentCheck,
): T {
  for (const verb of VERBS) {
    const send = http[verb].bind(http);
    http[verb] = (path) =>
      send(path).on('response', (reply: Response) => {
        // What is no text by its type, such as a picture, is given as bytes.
        const text = Buffer.isBuffer(reply.body) ? reply.body.toString() : reply.text;
        const found = check({
          ...{ method: verb.toUpperCase(), path, status: reply.status },
          ...(text ? { contentType: reply.type } : {}),
          body: reply.type.includes('json') ? reply.body : text,
        });
        if (found !== null) wrong.push(found);
      });
  }
  return http;
}

/**
 * Each method and path that the application has a handler for, as the document writes them. What
 * `app.all` mounts only refuses, and has every method.
 */
function mountedRoutes({ router }: ReturnType<typeof createApp>['application']): readonly string[] {
  return router.stack.flatMap(({ route }) => {
    const methods = route?.stack.map(({ method }) => method) ?? [];
    if (route === undefined || methods.length > 5) return [];
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    return methods.map((method) => `${method.toUpperCase()} ${path}`);
  });
}

/** Asserts that a reply matches the schema that its route declares. */
export function expectDeclared(harness: Harness, route: string, response: Response): void {
  const found = harness.routes.find((each) => `${each.method} ${each.path}` === route);
  const declared = found?.replies[response.status];
  expect(declared, `${route} answered ${response.status}: ${response.text}`).toBeDefined();
  expect(response.type).toBe(declared?.contentType ?? 'application/json');
  expect(declared?.schema?.parse(response.body)).toEqual(response.body);
}

/** Asserts that a reply is a complete problem document with this code, without internal details. */
export function expectProblem(response: Response, status: number, code: ProblemCode) {
  expect({ status: response.status, type: response.type, code: response.body.code }).toEqual({
    status,
    type: PROBLEM_TYPE,
    code,
  });
  const problem = problemSchema.loose().parse(response.body);
  expect(problem.status).toBe(status);
  expect(problem.requestId).toBe(response.headers['x-request-id']);
  expect(response.text).not.toMatch(/ at .*\.(ts|js)|node_modules|"stack"/);
  return problem;
}
