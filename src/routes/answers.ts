import helmet from 'helmet';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { ProblemFields } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import { FileWriteError } from '../platform/files.ts';
import { acceptSocket } from '../platform/http-upgrade.ts';
import type { createPino, Log } from '../platform/log.ts';
import type { ProblemPage, Reply, StreamOut } from './define-route.ts';
import type { LogLineLimit } from './log-line-limit.ts';
import { fieldsOf, PROBLEM_TYPE, problemOf, statusOf } from './problems.ts';
import type { ElapsedMs } from '../units/branded.ts';

const REALM = 'Bearer realm="altbroker-gateway"';

/** Writes a handler's reply to the response. `nonce` makes a new nonce for each page. */
export function writeReply(
  request: Request,
  response: Response,
  reply: Reply,
  nonce: () => string,
): void {
  if (reply.headers) response.set({ ...reply.headers });
  const { content } = reply;
  switch (content.kind) {
    case 'json':
      writeJson(response.status(reply.status), content.value);
      return;
    case 'problem':
      writeProblem(response, content.fields, reply.status);
      return;
    case 'empty':
      response.status(reply.status).end();
      return;
    case 'text':
      response.status(reply.status).type(content.type).send(content.text);
      return;
    case 'events':
      content.open(openEvents(response));
      return;
    case 'socket':
      acceptSocket(request, response, content);
      return;
    case 'html': {
      const once = nonce();
      allowStyle(request, response, once);
      response.status(reply.status).type('html').send(content.page(once));
      return;
    }
  }
}

/**
 * In one piece with the head, past what Express does for any kind of answer: a tag, whether the client has the
 * answer already, the type by the value. Answers of the gateway are never stored.
 */
function writeJson(response: Response, value: unknown): void {
  const text = JSON.stringify(value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** No cache and no proxy may keep back what was written. */
const EVENTS_HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

function openEvents(response: Response): StreamOut {
  response.status(200).set(EVENTS_HEAD);
  response.flushHeaders();
  // A connection that breaks has its `close` as well.
  response.on('error', () => undefined);
  return {
    write: (text) => response.write(text),
    onDrain: (listener) => void response.once('drain', listener),
    onClose: (listener) => void response.once('close', listener),
    end: (text) => void response.end(text),
    destroy: () => void response.destroy(),
  };
}

export function writeProblem(response: Response, fields: ProblemFields, status?: number): void {
  const { requestId } = notesOf(response);
  const problem = problemOf(fields, { requestId, method: response.req.method }, status);
  if (fields.retryAfterMs !== undefined) {
    response.set('Retry-After', String(Math.ceil(fields.retryAfterMs / 1000)));
  }
  if (fields.code === 'unauthorized') response.set('WWW-Authenticate', REALM);
  if (fields.code === 'forbidden') {
    response.set('WWW-Authenticate', `${REALM}, error="insufficient_scope"`);
  }
  response.status(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** Allows no resources and no frames; `style` is the nonce of the page's own style. */
export function contentPolicy(style: string | null) {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      ...(style === null ? {} : { styleSrc: [`'nonce-${style}'`] }),
    },
  });
}

function allowStyle(request: Request, response: Response, nonce: string): void {
  contentPolicy(nonce)(request, response, () => undefined);
}

export type PinoLogger = ReturnType<typeof createPino>;

/** What later steps note about a request, for its line in the log. */
export interface RequestNotes {
  readonly requestId: string;
  readonly startedAt: ElapsedMs;
  /** The route's path as declared, never as requested. */
  pattern: string | null;
  /** Makes the page of a problem, where the route has pages and a person asks; null otherwise. */
  page: ProblemPage | null;
  caller: string | null;
  /** Whether a handler that could change something has begun. */
  changing: boolean;
}

declare module 'express-serve-static-core' {
  interface Locals {
    notes: RequestNotes;
  }
}

export function notesOf(response: Response): RequestNotes {
  return response.locals.notes;
}

/** Answers to who sent no valid key, checksum or login, or is not let in from where it asks. */
const REFUSALS_OF_SENDER = new Set([401, 403, 421, 429]);

/**
 * One line for each request, of allow-listed fields. No header, query or requested path, because they
 * can hold a request token, a key or a state. A refusal of the sender is a warning that names the
 * sender's network address. Requests above `limit` have no line; the next line says how many they were.
 */
export function requestLog(logger: PinoLogger, clock: Clock, limit: LogLineLimit) {
  const line = (request: Request, response: Response) => {
    const notes = notesOf(response);
    const unwritten = limit.takeUnwritten();
    return {
      requestId: notes.requestId,
      method: request.method,
      path: notes.pattern ?? '(no route)',
      status: response.statusCode,
      ms: Math.round(clock.elapsed() - notes.startedAt),
      ...(notes.caller === null ? {} : { caller: notes.caller }),
      ...(isRefusalOfSender(response) ? { address: request.socket.remoteAddress } : {}),
      ...(unwritten === 0 ? {} : { unwritten }),
    };
  };
  return pinoHttp<Request, Response>({
    logger,
    // The library never serialises request and response itself. Nobody logs by its loggers of one request: the
    // line names the request, so that the library makes one logger for it instead of two.
    quietResLogger: true,
    wrapSerializers: false,
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    genReqId: (_request, response) => notesOf(response).requestId,
    customLogLevel: (_request, response) => {
      if (!limit.mayWrite(response.statusCode)) return 'silent';
      if (response.statusCode >= 500) return 'error';
      return isRefusalOfSender(response) ? 'warn' : 'info';
    },
    customSuccessObject: line,
    customErrorObject: line,
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered',
  });
}

function isRefusalOfSender({ statusCode }: Response): boolean {
  return REFUSALS_OF_SENDER.has(statusCode);
}

const MOST_FRAMES = 4;

/** Answers every error, so that the library's own error page is never sent. */
export function answerError(log: Log, nonce: () => string): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const notes = notesOf(response);
    const fields = fieldsOf(error, notes.changing);
    if (fields.code === 'internal') logUnexpected(log, notes.requestId, error);
    if (error instanceof FileWriteError) {
      log.error('a change was not made', { requestId: notes.requestId, reason: error.message });
    }
    // An answer that has begun can only be cut off, so that the client does not take a part for the
    // whole.
    if (response.headersSent) request.socket.destroy();
    else if (notes.page) {
      const content = { kind: 'html', page: notes.page(fields) } as const;
      writeReply(request, response, { status: statusOf(fields.code), content }, nonce);
    } else writeProblem(response, fields);
  };
}

export function logUnexpected(log: Log, requestId: string, error: unknown): void {
  log.error('a request failed with an unexpected error', { requestId, ...describe(error) });
}

/** Kind and place of an error. Its message is left out, because it may contain a secret. */
function describe(error: unknown): { kind: string; source: string } {
  if (!(error instanceof Error)) return { kind: typeof error, source: 'unknown' };
  const frames = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim().replace(/(file:\/\/)?\/\S*\/(src|node_modules)\//, '$2/'));
  return { kind: error.name, source: frames.join(' ') };
}
