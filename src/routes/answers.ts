import type { ErrorRequestHandler, Request, Response } from 'express';
import type { ProblemFields } from '../domain/problem.ts';
import { FileWriteError } from '../platform/files.ts';
import { acceptSocket } from '../platform/http-upgrade.ts';
import type { Log } from '../platform/log.ts';
import type { Reply, StreamOut } from './define-route.ts';
import { fieldsOf, PROBLEM_TYPE, problemOf, statusOf } from './problems.ts';
import { contentPolicy, JSON_TYPE, notesOf } from './request-context.ts';

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
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Calls the listener once a connection is closed, soon where it is already: a client may go before its answer begins. */
export function whenClosed(
  response: Pick<Response, 'closed' | 'once'>,
  listener: () => void,
): void {
  if (response.closed) void Promise.resolve().then(listener);
  else response.once('close', listener);
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
    onClose: (listener) => whenClosed(response, listener),
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

function allowStyle(request: Request, response: Response, nonce: string): void {
  contentPolicy(nonce)(request, response, () => undefined);
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
