import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Clock } from '../platform/clock.ts';
import type { IncomingMessage, ServerResponse } from '../platform/http-server.ts';
import type { createPino } from '../platform/log.ts';
import type { LogLineLimit } from './log-line-limit.ts';
import { notesOf, type RequestNotes } from './request-context.ts';

export type PinoLogger = ReturnType<typeof createPino>;

type Noted = Pick<RequestNotes, 'requestId' | 'startedAt' | 'pattern' | 'caller'>;

export interface RequestLog {
  readonly handler: RequestHandler;
  /** The line of a request that was answered without `handler`. */
  write(request: IncomingMessage, response: ServerResponse, notes: Noted): void;
}

/** Answers to who sent no valid key, checksum or login, or is not let in from where it asks. */
const REFUSALS_OF_SENDER = new Set([401, 403, 421, 429]);
const MESSAGE = 'answered';

/**
 * One line for each request, of allow-listed fields. No header, query or requested path, because they
 * can hold a request token, a key or a state. A refusal of the sender is a warning that names the
 * sender's network address. Requests above `limit` have no line; the next line says how many they were.
 */
export function createRequestLog(
  logger: PinoLogger,
  clock: Clock,
  limit: LogLineLimit,
): RequestLog {
  const line = (request: IncomingMessage, response: ServerResponse, notes: Noted) => {
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
  const levelOf = (response: ServerResponse) => {
    if (!limit.mayWrite(response.statusCode)) return 'silent';
    if (response.statusCode >= 500) return 'error';
    return isRefusalOfSender(response) ? 'warn' : 'info';
  };
  const noted = (request: Request, response: Response) =>
    line(request, response, notesOf(response));
  return {
    write(request, response, notes) {
      logger[levelOf(response)](line(request, response, notes), MESSAGE);
    },
    handler: pinoHttp<Request, Response>({
      logger,
      // The library never serialises request and response itself. Nobody logs by its loggers of one request: the
      // line names the request, so that the library makes one logger for it instead of two.
      quietResLogger: true,
      wrapSerializers: false,
      serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
      genReqId: (_request, response) => notesOf(response).requestId,
      customLogLevel: (_request, response) => levelOf(response),
      customSuccessObject: noted,
      customErrorObject: noted,
      customSuccessMessage: () => MESSAGE,
      customErrorMessage: () => MESSAGE,
    }),
  };
}

function isRefusalOfSender({ statusCode }: ServerResponse): boolean {
  return REFUSALS_OF_SENDER.has(statusCode);
}
