import type { Request, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Clock } from '../platform/clock.ts';
import type { createPino } from '../platform/log.ts';

export type PinoLogger = ReturnType<typeof createPino>;

/** What later steps tell of a request, for its line in the log. */
export interface RequestNotes {
  readonly requestId: string;
  readonly startedAt: number;
  /** The route's path as it was declared, never as it was asked for. */
  pattern: string | null;
  caller: string | null;
  /** Whether a handler that could change something has begun. */
  changing: boolean;
}

export function notesOf(response: Response): RequestNotes {
  return response.locals as RequestNotes;
}

/**
 * One line for each request, of allow-listed fields. No header, no query, no address: a request
 * token, a key and a state travel in those.
 */
export function requestLog(logger: PinoLogger, clock: Clock) {
  const line = (request: Request, response: Response) => {
    const notes = notesOf(response);
    return {
      method: request.method,
      path: notes.pattern ?? '(no route)',
      status: response.statusCode,
      ms: Math.round(clock.elapsed() - notes.startedAt),
      ...(notes.caller === null ? {} : { caller: notes.caller }),
    };
  };
  return pinoHttp<Request, Response>({
    logger,
    // The library's own view of request and response is never made.
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    customAttributeKeys: { reqId: 'requestId' },
    genReqId: (_request, response) => notesOf(response).requestId,
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessObject: line,
    customErrorObject: line,
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered',
  });
}
