import { milliseconds, problemIn } from './attempt.ts';
import { NoAnswerError, type NoAnswerReason, ProblemError } from './errors.ts';
import type { Operation } from './operation.ts';
import { mayRepeat, waitBefore } from './repetition.ts';
import type { Runtime } from './runtime.ts';
import { createParser } from './server-sent.ts';
import type { Problem } from './types.ts';

/** A stream of server-sent events, over all the connections that it takes. */
export interface FollowedStream {
  /** The operationId, for errors. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes on after this id; null begins now. */
  readonly after: string | null;
  /** A connection on which nothing comes for so long is dead, ms. */
  readonly silenceMs: number;
  /** So long after the last connection no further one is tried, ms. */
  readonly patienceMs: number;
  readonly signal: AbortSignal | null;
}

/** `lost`: the connection has ended, and another one is tried. */
export type Followed =
  | { readonly kind: 'message'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'lost' };

type Failure =
  | { readonly kind: 'no_answer'; readonly reason: NoAnswerReason; readonly cause: unknown }
  | {
      readonly kind: 'problem';
      readonly httpStatus: number;
      readonly problem: Problem;
      readonly retryAfterMs: number | null;
    };

/** Whether another connection may be tried follows as it does for reads. */
const READING: Operation = {
  ...{ method: 'GET', path: '', query: [], keyIn: null, answers: 'json' },
  ...{ repeatable: true, reads: true },
};

/**
 * Follows a stream, and connects again when a connection ends: after the last id that came, where events have ids. Ends
 * without an error when `signal` is aborted. Throws a ProblemError, or a NoAnswerError where there is no connection for
 * `patienceMs`.
 */
export async function* follow(
  stream: FollowedStream,
  runtime: Runtime,
): AsyncGenerator<Followed, void, undefined> {
  const state: State = { lastId: stream.after, wasOpen: false };
  let attempts = 0;
  let lostAt = runtime.now();
  while (!stream.signal?.aborted) {
    attempts += 1;
    state.wasOpen = false;
    const failure = yield* connect(stream, state, runtime);
    if (stream.signal?.aborted) return;
    if (state.wasOpen) {
      [attempts, lostAt] = [0, runtime.now()];
      yield { kind: 'lost' };
    }
    const wait = waitBefore(attempts + 1, failure.kind === 'problem' ? failure.retryAfterMs : null);
    const isOver = runtime.now() - lostAt + wait > stream.patienceMs;
    if (isOver || !mayRepeat(READING, failure)) throw errorOf(stream.name, failure, attempts);
    await pause(wait, stream.signal, runtime);
  }
}

interface State {
  lastId: string | null;
  wasOpen: boolean;
}

/** One connection, to its end. */
async function* connect(
  stream: FollowedStream,
  state: State,
  runtime: Runtime,
): AsyncGenerator<Followed, Failure, undefined> {
  const controller = new AbortController();
  const cut = (): void => controller.abort();
  stream.signal?.addEventListener('abort', cut);
  /** Waits for no longer than the stream may be silent; how long its reader takes does not count. */
  async function within<T>(waits: Promise<T>): Promise<T> {
    const cancel = runtime.after(stream.silenceMs, cut);
    try {
      return await waits;
    } finally {
      cancel();
    }
  }
  try {
    const response = await within(
      runtime.fetch(stream.url, {
        headers: {
          ...{ Accept: 'text/event-stream', ...stream.headers },
          ...(state.lastId === null ? {} : { 'Last-Event-ID': state.lastId }),
        },
        ...{ signal: controller.signal, redirect: 'error', cache: 'no-store' },
      }),
    );
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (!response.ok || !isStream || !response.body) {
      return refusalOf(response, await within(response.text()));
    }
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const parse = createParser();
    for (;;) {
      const { done, value } = await within(reader.read());
      if (done) return lost('connection', new Error('the stream has ended'));
      for (const { id, data } of parse(decoder.decode(value, { stream: true }))) {
        const message: unknown = JSON.parse(data);
        state.wasOpen = true;
        if (isObject(message)) yield { kind: 'message', value: message };
        // Once its reader has come back for more: what was handled does not come again.
        if (id !== null) state.lastId = id;
      }
    }
  } catch (cause) {
    return lost('connection', cause);
  } finally {
    stream.signal?.removeEventListener('abort', cut);
    // Also where the reader has left the loop.
    controller.abort();
  }
}

const lost = (reason: NoAnswerReason, cause: unknown): Failure => ({
  ...{ kind: 'no_answer', reason, cause },
});

function refusalOf({ status, headers }: Response, text: string): Failure {
  const problem = problemIn(text);
  if (problem === null) return lost('unreadable', new Error(`HTTP status ${status}`));
  return {
    ...{ kind: 'problem', httpStatus: status, problem },
    retryAfterMs: milliseconds(headers.get('Retry-After')),
  };
}

function errorOf(name: string, failure: Failure, attempts: number): ProblemError | NoAnswerError {
  const facts = { operation: name, key: null, attempts };
  if (failure.kind === 'problem')
    return new ProblemError(failure.problem, { ...facts, ...failure });
  const { reason, cause } = failure;
  return new NoAnswerError({
    ...{ ...facts, reason, cause },
    ...{ mayHaveExecuted: false, retrySafe: true, inBody: false },
  });
}

function pause(ms: number, signal: AbortSignal | null, runtime: Runtime): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = runtime.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
