import type { Problem, ProblemOrder } from './types.ts';

/** What every error of the client tells about the request that it is about. */
interface RequestFacts {
  /** The operationId, such as `placeOrder`. */
  readonly operation: string;
  /** The idempotency key that every attempt of the request had; null for a request without one. */
  readonly key: string | null;
  /** How many times the request was sent. */
  readonly attempts: number;
}

/**
 * The gateway answered with a problem (docs/problems.md). Programs go by `code` and `mayHaveExecuted`, people by
 * the message.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly operation: string;
  readonly key: string | null;
  readonly attempts: number;
  /** Of the answer: 400 to 599. */
  readonly httpStatus: number;
  readonly code: Problem['code'];
  /** Whether what was asked for may have happened all the same: find out before you do anything else. */
  readonly mayHaveExecuted: boolean;
  /** Whether sending the request again, also under a new key, cannot make anything happen twice. */
  readonly retrySafe: boolean;
  /** The order that is concerned; null where the answer names none. */
  readonly order: ProblemOrder | null;
  /** After how many milliseconds the request may succeed; null where the gateway does not know. */
  readonly retryAfterMs: number | null;
  readonly requestId: string;
  /** The whole problem, with the members that only some codes have. */
  readonly problem: Problem;

  constructor(
    problem: Problem,
    facts: RequestFacts & {
      readonly httpStatus: number;
      readonly retryAfterMs: number | null;
    },
  ) {
    super(`${facts.operation}: ${problem.detail} (${problem.code})${adviceFor(problem, facts)}`);
    this.operation = facts.operation;
    this.key = facts.key;
    this.attempts = facts.attempts;
    this.httpStatus = facts.httpStatus;
    this.code = problem.code;
    this.mayHaveExecuted = problem.mayHaveExecuted;
    this.retrySafe = problem.retrySafe;
    this.order = problem.order ?? null;
    this.retryAfterMs = facts.retryAfterMs;
    this.requestId = problem.requestId;
    this.problem = problem;
  }
}

function adviceFor({ code, mayHaveExecuted }: Problem, { key }: RequestFacts): string {
  if (!mayHaveExecuted) return '';
  if (code === 'idempotency_conflict') {
    return `. The key ${key} belongs to an earlier request: read what that one did`;
  }
  return key === null
    ? '. What was asked for may have happened: read the state before you send it again'
    : `. What was asked for may have happened: send the same request with the key ${key} to find out`;
}

/** Why there is no answer that says what happened. */
export type NoAnswerReason =
  /** The connection failed or was cut. */
  | 'connection'
  /** No whole answer within `timeoutMs`. */
  | 'timeout'
  /** An answer that is not the gateway's, such as the error page of a proxy, or one that was cut off. */
  | 'unreadable'
  /** The caller's signal ended the call. */
  | 'aborted';

/**
 * No answer says what became of the request. **After a request that changes something, that is not "nothing has
 * happened"**: send the same request with `key`, which makes no second order and answers how the first stands.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly operation: string;
  readonly key: string | null;
  readonly attempts: number;
  readonly reason: NoAnswerReason;
  /** False for a read, and for a request that was never sent. */
  readonly mayHaveExecuted: boolean;
  /** Whether sending the request again, also under a new key, cannot make anything happen twice. */
  readonly retrySafe: boolean;

  constructor(
    facts: RequestFacts & {
      readonly reason: NoAnswerReason;
      readonly mayHaveExecuted: boolean;
      readonly retrySafe: boolean;
      readonly inBody: boolean;
      readonly cause: unknown;
    },
  ) {
    super(`${facts.operation}: ${WORDS[facts.reason]}${nextStep(facts)}`, { cause: facts.cause });
    this.operation = facts.operation;
    this.key = facts.key;
    this.attempts = facts.attempts;
    this.reason = facts.reason;
    this.mayHaveExecuted = facts.mayHaveExecuted;
    this.retrySafe = facts.retrySafe;
  }
}

const WORDS: Readonly<Record<NoAnswerReason, string>> = {
  connection: 'the gateway could not be reached, or the connection was cut',
  timeout: 'the gateway did not answer in time',
  unreadable: 'the answer cannot be read as one of the gateway',
  aborted: 'the call was aborted',
};

function nextStep(facts: {
  readonly key: string | null;
  readonly mayHaveExecuted: boolean;
  readonly retrySafe: boolean;
  readonly inBody: boolean;
}): string {
  if (!facts.mayHaveExecuted) return '. Nothing was changed: call it again when you like';
  if (facts.key !== null) {
    return `. It may have happened: send the same request with the key ${facts.key} to find out, never with another key`;
  }
  if (facts.inBody) {
    return '. It may have happened: send the same basket, each order with the same clientOrderId, to find out';
  }
  return facts.retrySafe
    ? '. It may have happened: calling it again does no harm'
    : '. It may have happened: read the state before you send it again';
}
