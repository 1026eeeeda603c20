import type { NoAnswerReason } from './errors.ts';
import type { PreparedRequest } from './request.ts';
import type { Runtime } from './runtime.ts';
import type { Problem } from './types.ts';

/** What one attempt came to. */
export type AttemptResult =
  | {
      readonly kind: 'success';
      readonly httpStatus: number;
      readonly body: unknown;
      readonly requestId: string | null;
      readonly replayed: boolean;
    }
  | {
      readonly kind: 'problem';
      readonly httpStatus: number;
      readonly problem: Problem;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'no_answer'; readonly reason: NoAnswerReason; readonly cause: unknown };

/** Sends the request once. Never rejects: whatever is thrown is a request without an answer. */
export async function attempt(
  request: PreparedRequest,
  timeoutMs: number,
  signal: AbortSignal | null,
  { fetch, after }: Pick<Runtime, 'fetch' | 'after'>,
): Promise<AttemptResult> {
  // Not AbortSignal.any: browsers have it only since 2024.
  const controller = new AbortController();
  let ended: 'timeout' | 'aborted' | null = null;
  const end = (reason: 'timeout' | 'aborted'): void => {
    ended ??= reason;
    controller.abort();
  };
  const onAbort = (): void => end('aborted');
  signal?.addEventListener('abort', onAbort);
  const cancelTimer = after(timeoutMs, () => end('timeout'));
  try {
    const response = await fetch(request.url, {
      method: request.operation.method,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
      signal: controller.signal,
      // A redirect would take the key, and perhaps the order, to another server.
      redirect: 'error',
      cache: 'no-store',
    });
    const text = await response.text();
    return read(response, text, request);
  } catch (cause) {
    return { kind: 'no_answer', reason: ended ?? 'connection', cause };
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

function read(
  { status, headers }: Response,
  text: string,
  { operation }: PreparedRequest,
): AttemptResult {
  const unreadable = (why: string): AttemptResult => ({
    kind: 'no_answer',
    reason: 'unreadable',
    cause: new Error(`${why}, with HTTP status ${status}`),
  });
  if (status >= 200 && status < 300) {
    const facts = {
      ...{ kind: 'success' as const, httpStatus: status, requestId: headers.get('X-Request-Id') },
      replayed: headers.get('Idempotent-Replayed') === 'true',
    };
    if (operation.answers === 'text') return { ...facts, body: text };
    const body = parse(text);
    return isObject(body) ? { ...facts, body } : unreadable('the answer is no JSON object');
  }
  const problem = parse(text);
  if (!isProblem(problem)) return unreadable('the answer is no problem of the gateway');
  return {
    ...{ kind: 'problem', httpStatus: status, problem },
    retryAfterMs: milliseconds(headers.get('Retry-After')),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The problem in the text of an answer; null where it is none of the gateway's. */
export function problemIn(text: string): Problem | null {
  const problem = parse(text);
  return isProblem(problem) ? problem : null;
}

/** A body without these two fields says nothing about what happened, whoever wrote it. */
const isProblem = (value: unknown): value is Problem =>
  isObject(value) &&
  typeof value.code === 'string' &&
  typeof value.mayHaveExecuted === 'boolean' &&
  typeof value.retrySafe === 'boolean';

/** The gateway writes whole seconds. */
export function milliseconds(retryAfter: string | null): number | null {
  return retryAfter !== null && /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null;
}
