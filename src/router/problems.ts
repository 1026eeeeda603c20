import { BrokerError, type BrokerFailure } from '../domain/outcome.ts';
import { GatewayProblem, type OpenCode } from '../domain/problem.ts';
import { UnwrittenRead } from '../execution/reconcile/unwritten-read.ts';
import { CommitError } from '../platform/single-writer.ts';

/**
 * The problem that a caller gets for a failed call. A GatewayProblem and an unexpected error are
 * returned unchanged.
 */
export function toProblem(error: unknown): unknown {
  if (error instanceof GatewayProblem) return error;
  if (error instanceof BrokerError) return brokerProblem(error);
  if (error instanceof CommitError) {
    const what =
      error instanceof UnwrittenRead
        ? `the order book of ${error.read.broker} was read, but what it tells could not be written to disk`
        : 'the change could not be written to disk, so it was not made';
    const detail = `${what}: check the disk, then try again`;
    return new GatewayProblem({ code: 'journal_unavailable', detail }, error);
  }
  return error;
}

/**
 * The only place that turns a broker's failure into a problem (docs/spec/outcomes.md, "What a
 * caller is told of a failed read"). `changes`: the request could have changed something at the
 * broker, so that after any failure but `not_sent` we cannot tell whether it did.
 *
 * - `token_absent`: the request was not sent, because there is no valid token.
 * - `broker_refused`: the broker answered that it will not do this: a 4xx other than 429, or an
 *   `error_body`, which is a 2xx whose body reports a failure in the broker's own words
 *   (docs/spec/primary-brokerage.md, "Response envelope"). It was reached, so it is not away, and
 *   the same request is likely to be refused again.
 * - `broker_unavailable`: everything else; the same request may succeed later. `retryAfterMs` is
 *   what the broker asks for, where it does.
 */
export function brokerProblem(error: BrokerError, changes = false): GatewayProblem {
  const { broker, failure } = error;
  const wait = waitOf(failure);
  const told = {
    detail: `${broker}: ${failure.message}`,
    broker,
    ...(wait === null ? {} : { retryAfterMs: wait }),
  };
  if (failure.kind === 'not_sent') {
    const code = failure.reason === 'token' ? 'token_absent' : 'broker_unavailable';
    return new GatewayProblem({ code, ...told, mayHaveExecuted: false }, error);
  }
  return new GatewayProblem({ code: codeOf(failure), ...told, mayHaveExecuted: changes }, error);
}

/** Calls of callers wait for a rate limit for a few seconds; then others should be served first. */
const CROWDED_RETRY_MS = 3_000;

function waitOf(failure: BrokerFailure): number | null {
  if (failure.kind === 'http') return failure.retryAfterMs;
  return failure.kind === 'not_sent' && failure.reason === 'no_permit' ? CROWDED_RETRY_MS : null;
}

function codeOf(failure: Exclude<BrokerFailure, { kind: 'not_sent' }>): OpenCode {
  switch (failure.kind) {
    case 'http':
      return failure.status < 500 && failure.status !== 429
        ? 'broker_refused'
        : 'broker_unavailable';
    case 'error_body':
      return 'broker_refused';
    case 'transport':
    case 'bad_payload':
      return 'broker_unavailable';
  }
}

/** Runs a call so that it rejects with problems only. */
export async function asProblems<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toProblem(error);
  }
}
