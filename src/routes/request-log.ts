import type { Request, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Clock } from '../platform/clock.ts';
import type { createPino } from '../platform/log.ts';

export type PinoLogger = ReturnType<typeof createPino>;

/** What later steps note about a request, for its line in the log. */
export interface RequestNotes {
  readonly requestId: string;
  readonly startedAt: number;
  /** The route's path as declared, never as requested. */
  pattern: string | null;
  caller: string | null;
  /** Whether a handler that could change something has begun. */
  changing: boolean;
}

export function notesOf(response: Response): RequestNotes {
  return response.locals as RequestNotes;
}

/**
 * One line for each request, of allow-listed fields. No header, query or address, because they can
 * hold a request token, a key or a state.
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
    // The library never serialises request and response itself.
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
