import { describe, expect, it } from 'vitest';
import { BrokerError, type BrokerFailure } from '../../src/domain/outcome.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { CommitError } from '../../src/platform/single-writer.ts';
import { asProblems, brokerProblem, toProblem } from '../../src/router/problems.ts';

const http = (status: number, retryAfterMs: number | null = null): BrokerFailure => ({
  kind: 'http',
  status,
  code: null,
  message: 'said the broker',
  retryAfterMs,
});
const fieldsOf = (failure: BrokerFailure) =>
  (toProblem(new BrokerError('alt', failure)) as GatewayProblem).fields;

describe('a broker’s failure', () => {
  it.each<[string, BrokerFailure, string]>([
    ['a refusal', http(400), 'broker_refused'],
    ['a limit', http(429), 'broker_unavailable'],
    ['a fault of the server', http(503), 'broker_unavailable'],
    ['a lost reply', { kind: 'transport', message: 'm' }, 'broker_unavailable'],
    ['an unreadable reply', { kind: 'bad_payload', message: 'm' }, 'broker_unavailable'],
    ['a refusal inside a 2xx', { kind: 'error_body', code: null, message: 'm' }, 'broker_refused'],
    ['no token', { kind: 'not_sent', reason: 'token', message: 'm' }, 'token_absent'],
    [
      'an open breaker',
      { kind: 'not_sent', reason: 'breaker', message: 'm' },
      'broker_unavailable',
    ],
  ])('becomes its own problem: %s', (_what, failure, code) => {
    expect(fieldsOf(failure)).toMatchObject({ code, broker: 'alt', mayHaveExecuted: false });
  });

  it('has the time after which to retry, where the broker gives one', () => {
    expect(fieldsOf(http(429, 2_000)).retryAfterMs).toBe(2_000);
    expect(fieldsOf(http(429))).not.toHaveProperty('retryAfterMs');
  });
});

describe('a failure of a request that changes something', () => {
  const changing = (failure: BrokerFailure) => brokerProblem(new BrokerError('alt', failure), true);

  it('leaves the outcome open, unless the request never left', () => {
    const open = { mayHaveExecuted: true };
    const closed = { mayHaveExecuted: false };
    expect(changing(http(400)).fields).toMatchObject(open);
    expect(changing({ kind: 'transport', message: 'm' }).fields).toMatchObject(open);
    expect(changing({ kind: 'error_body', code: null, message: 'm' }).fields).toMatchObject(open);
    const unsent = changing({ kind: 'not_sent', reason: 'connect', message: 'm' });
    expect(unsent.fields).toMatchObject(closed);
  });
});

describe('another failure', () => {
  it('is reported when the disk is full', () => {
    expect(toProblem(new CommitError('no'))).toMatchObject({ code: 'journal_unavailable' });
  });

  it('is passed on when it is a problem already, or unexpected', async () => {
    const problem = new GatewayProblem({ code: 'no_broker', detail: 'd' });
    const bug = new TypeError('x is not a function');
    expect([toProblem(problem), toProblem(bug)]).toEqual([problem, bug]);
    await expect(asProblems(() => Promise.reject(bug))).rejects.toBe(bug);
    await expect(asProblems(() => Promise.resolve(1))).resolves.toBe(1);
  });
});
