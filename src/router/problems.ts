import { BrokerError } from '../domain/failure.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { CommitError } from '../platform/single-writer.ts';

/** A failed call as callers are told of it. A problem passes; what nobody foresaw stays itself. */
export function toProblem(error: unknown): unknown {
  if (error instanceof GatewayProblem) return error;
  if (error instanceof BrokerError) return brokerProblem(error);
  if (error instanceof CommitError) {
    return new GatewayProblem(
      {
        code: 'journal_unavailable',
        detail: 'the change could not be written to disk, so it was not made',
        retrySafe: true,
      },
      error,
    );
  }
  return error;
}

function brokerProblem(error: BrokerError): GatewayProblem {
  const { broker, failure } = error;
  const detail = `${broker}: ${failure.message}`;
  if (failure.kind === 'not_sent' && failure.reason === 'token') {
    return new GatewayProblem({ code: 'token_absent', detail, broker, retrySafe: true }, error);
  }
  if (failure.kind === 'http' && failure.status < 500 && failure.status !== 429) {
    return new GatewayProblem({ code: 'broker_refused', detail, broker, retrySafe: true }, error);
  }
  const wait = failure.kind === 'http' ? failure.retryAfterMs : null;
  return new GatewayProblem(
    {
      code: 'broker_unavailable',
      detail,
      broker,
      retrySafe: true,
      ...(wait === null ? {} : { retryAfterMs: wait }),
    },
    error,
  );
}

/** Runs a call so that it rejects with problems only. */
export async function asProblems<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toProblem(error);
  }
}
