import { attempt, type AttemptResult } from './attempt.ts';
import { NoAnswerError, ProblemError } from './errors.ts';
import { mayRepeat, waitBefore } from './repetition.ts';
import type { PreparedRequest } from './request.ts';
import type { Runtime } from './runtime.ts';
import type { AnswerFacts, Problem } from './types.ts';

export interface Limits {
  readonly timeoutMs: number;
  readonly patienceMs: number;
  readonly signal: AbortSignal | null;
}

type Failed = Exclude<AttemptResult, { readonly kind: 'success' }>;

/**
 * Sends one intent, again where that can neither do it twice nor is against its caller's interest
 * (`repetition.ts`), until it has an answer or `patienceMs` are over. Every attempt sends the same bytes.
 *
 * Rejects with a ProblemError or a NoAnswerError.
 */
export async function send(
  request: PreparedRequest,
  { timeoutMs, patienceMs, signal }: Limits,
  runtime: Runtime,
): Promise<AnswerFacts & Readonly<Record<string, unknown>>> {
  const began = runtime.now();
  if (signal?.aborted) throw noAnswer(request, 0, 'aborted', signal.reason);
  let wasLost = false;
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt(request, timeoutMs, signal, runtime);
    if (result.kind === 'success') return answerOf(request, result);
    wasLost ||= result.kind === 'no_answer';
    const wait = waitBefore(attempts, result.kind === 'problem' ? result.retryAfterMs : null);
    const isOver = signal?.aborted === true || runtime.now() - began + wait > patienceMs;
    if (isOver || !mayRepeat(request.operation, result)) {
      throw errorOf(request, result, attempts, wasLost);
    }
    await pause(wait, signal, runtime);
    if (signal?.aborted) {
      if (result.kind === 'problem') throw errorOf(request, result, attempts, wasLost);
      throw noAnswer(request, attempts, 'aborted', signal.reason);
    }
  }
}

function answerOf(
  { key, operation }: PreparedRequest,
  { httpStatus, body, requestId, replayed }: Extract<AttemptResult, { readonly kind: 'success' }>,
): AnswerFacts & Readonly<Record<string, unknown>> {
  const facts = { httpStatus, requestId, key, replayed };
  const isEnvelope =
    operation.answers === 'json' && typeof body === 'object' && body !== null && 'data' in body;
  if (!isEnvelope) return { data: body, ...facts };
  const members = Object.entries(body).filter(([name]) => name !== 'status');
  return { ...Object.fromEntries(members), ...facts };
}

function errorOf(
  request: PreparedRequest,
  failed: Failed,
  attempts: number,
  wasLost: boolean,
): ProblemError | NoAnswerError {
  const { name, operation, key } = request;
  if (failed.kind === 'no_answer') return noAnswer(request, attempts, failed.reason, failed.cause);
  const { problem, ...facts } = failed;
  // A key ties the attempts together, so that the answer is about all of them. Without one, it says what became of
  // the last attempt, and an earlier one was left without an answer.
  const isOpen =
    operation.keyIn === null ? wasLost : saysNothingOfEarlier(request, failed, attempts);
  const told = isOpen && !operation.reads ? openOf(problem, operation) : problem;
  return new ProblemError(isOfNoEarlier(request, failed, attempts) ? nothingOf(told) : told, {
    ...facts,
    operation: name,
    key,
    attempts,
  });
}

/**
 * A directory that may be a copy does not know what the gateway of the original has done under a key, and says so. Under a key
 * that was sent once, to this gateway, it is nothing.
 */
const isOfNoEarlier = (
  { keyIsNew }: PreparedRequest,
  { problem }: Extract<Failed, { readonly kind: 'problem' }>,
  attempts: number,
): boolean => problem.code === 'disarmed' && keyIsNew && attempts === 1;

/** Codes of answers about who may ask, given before the gateway looks at the key of the request. */
const ABOUT_THE_CALLER: ReadonlySet<string> = new Set([
  ...['unauthorized', 'forbidden', 'wrong_host', 'foreign_origin'],
]);

/** An answer about the caller says nothing about an earlier request under the key. A key that was sent once has none. */
const saysNothingOfEarlier = (
  { keyIsNew }: PreparedRequest,
  { problem }: Extract<Failed, { readonly kind: 'problem' }>,
  attempts: number,
): boolean => ABOUT_THE_CALLER.has(problem.code) && !(keyIsNew && attempts === 1);

const openOf = (
  problem: Problem,
  { repeatable }: Pick<PreparedRequest['operation'], 'repeatable'>,
): Problem => ({ ...problem, mayHaveExecuted: true, retrySafe: repeatable });

const nothingOf = (problem: Problem): Problem => ({
  ...problem,
  ...{ mayHaveExecuted: false, retrySafe: true },
});

function noAnswer(
  { name, key, operation }: PreparedRequest,
  attempts: number,
  reason: NoAnswerError['reason'],
  cause: unknown,
): NoAnswerError {
  const mayHaveExecuted = !operation.reads && attempts > 0;
  return new NoAnswerError({
    ...{ operation: name, key, attempts, reason, cause, mayHaveExecuted },
    retrySafe: operation.repeatable || !mayHaveExecuted,
    inBody: operation.keyIn === 'body',
  });
}

/** Resolves after `ms`, or when the signal ends the call. */
function pause(ms: number, signal: AbortSignal | null, { after }: Runtime): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = after(ms, done);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
