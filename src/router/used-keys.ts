import { GatewayProblem } from '../domain/problem.ts';

/** What a key has begun before, in words, with what an answer shows of it. */
export interface Used {
  readonly what: string;
  readonly extra?: GatewayProblem['fields']['extra'];
}

/**
 * Begins a way out under a key. Where that fails for what is known now (no list to compare the instrument with, no
 * broker), and the key has begun something before, the problem says so: that may have done what is asked for again.
 */
export async function underKey<T>(
  begin: () => Promise<T>,
  used: () => Promise<Used | null>,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof GatewayProblem) || error.code === 'idempotency_conflict') throw error;
    const before = await used();
    if (before === null) throw error;
    const detail =
      `the key has begun ${before.what}, and whether this request is the same cannot be told now ` +
      `(${error.fields.detail}): read that one, or send the request again later under the same key`;
    const extra = before.extra === undefined ? {} : { extra: before.extra };
    throw new GatewayProblem({ code: 'no_broker', detail, mayHaveExecuted: true, ...extra }, error);
  }
}
