import type { ErrorRequestHandler } from 'express';
import type { Log } from '../platform/log.ts';
import { fieldsOf } from './problems.ts';
import { notesOf } from './request-log.ts';
import { writeProblem } from './reply-writer.ts';

const MOST_FRAMES = 4;

/** Answers every error, so that the library's own error page is never sent. */
export function answerError(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const notes = notesOf(response);
    const fields = fieldsOf(error, notes.changing);
    if (fields.code === 'internal') {
      const about = { requestId: notes.requestId, ...describe(error) };
      log.error('a request failed with an unexpected error', about);
    }
    // An answer that has begun can only be cut off, so that the client does not take a part for the
    // whole.
    if (response.headersSent) request.socket.destroy();
    else writeProblem(response, fields);
  };
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
