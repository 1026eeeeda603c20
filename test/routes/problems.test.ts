import { describe, expect, it } from 'vitest';
import { BrokerError, type BrokerFailure } from '../../src/domain/outcome.ts';
import {
  GatewayProblem,
  OPEN_CODES,
  PROBLEM_CODES,
  type ProblemCode,
  type ProblemFields,
} from '../../src/domain/problem.ts';
import { toProblem } from '../../src/router/problems.ts';
import { fieldsOf, problemOf, problemSchema } from '../../src/routes/problems.ts';

const POST = { requestId: 'request-1', method: 'POST' };

describe('a problem document', () => {
  it.each(PROBLEM_CODES)('has a status and a title for %s', (code) => {
    const problem = problemOf({ code, detail: 'because' } as ProblemFields, POST);
    expect(problemSchema.parse(problem)).toEqual(problem);
    expect(problem.status).toBeGreaterThanOrEqual(400);
    expect(problem.title).not.toBe('');
  });

  it('says that nothing executed and that a retry is safe, unless the outcome is open', () => {
    const closed = problemOf({ code: 'market_closed', detail: '' }, POST);
    expect(closed).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    const open = problemOf({ code: 'internal', detail: '', mayHaveExecuted: true }, POST);
    expect(open).toMatchObject({ mayHaveExecuted: true, retrySafe: false });
  });

  const fieldsWith = (code: ProblemCode, mayHaveExecuted: boolean): ProblemFields =>
    ({ code, detail: 'because', mayHaveExecuted }) as ProblemFields;

  it.each(PROBLEM_CODES)('of %s says that a retry is safe where nothing has happened', (code) => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const asked = { requestId: 'request-1', method };
      expect(problemOf(fieldsWith(code, false), asked).retrySafe).toBe(true);
    }
  });

  it.each(OPEN_CODES)(
    'of %s says that it is not where something may have happened twice',
    (code) => {
      const safe = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'].filter(
        (method) => problemOf(fieldsWith(code, true), { requestId: 'r', method }).retrySafe,
      );
      // A read and a cancel do no more the second time.
      expect(safe).toEqual(['GET', 'HEAD', 'DELETE']);
    },
  );

  it('never replaces its own members by extra ones', () => {
    const extra = { code: 'x', mayHaveExecuted: false, requestId: 'x', more: 1 };
    const fields = { code: 'internal', detail: '', mayHaveExecuted: true, extra } as const;
    expect(problemOf(fields, POST)).toMatchObject({
      ...{ code: 'internal', mayHaveExecuted: true, requestId: 'request-1', more: 1 },
    });
  });
});

describe('an error', () => {
  it('keeps its own text when it is a problem of the gateway', () => {
    const fields = { code: 'kill_switch', detail: 'engaged by hand' } as const;
    expect(fieldsOf(new GatewayProblem(fields), true)).toBe(fields);
  });

  const failures: readonly BrokerFailure[] = [
    { kind: 'not_sent', reason: 'token', message: 'm' },
    { kind: 'not_sent', reason: 'breaker', message: 'm' },
    { kind: 'http', status: 400, code: null, message: 'm', retryAfterMs: null },
    { kind: 'http', status: 429, code: null, message: 'm', retryAfterMs: 2_000 },
    { kind: 'http', status: 503, code: null, message: 'm', retryAfterMs: null },
    { kind: 'transport', message: 'm' },
    { kind: 'bad_payload', message: 'm' },
    { kind: 'error_body', code: null, message: 'm' },
  ];

  it.each(failures)(
    'of a broker becomes the problem that the router makes of it: %j',
    (failure) => {
      const error = new BrokerError('alt', failure);
      expect(fieldsOf(error, false)).toEqual((toProblem(error) as GatewayProblem).fields);
    },
  );

  it.each(failures)(
    'of a broker leaves the outcome of a change open, if the request left: %j',
    (failure) => {
      const mayHaveExecuted = failure.kind !== 'not_sent';
      const fields = fieldsOf(new BrokerError('alt', failure), true);
      expect(fields).toMatchObject({ broker: 'alt', mayHaveExecuted });
    },
  );

  it.each([new Error('canary'), 'canary', null, { code: 'canary', status: 404 }])(
    'that is unexpected leaves the outcome of a change open: %s',
    (error) => {
      expect(fieldsOf(error, true)).toMatchObject({ code: 'internal', mayHaveExecuted: true });
      expect(fieldsOf(error, false)).toMatchObject({ code: 'internal', mayHaveExecuted: false });
      expect(JSON.stringify(fieldsOf(error, true))).not.toContain('canary');
    },
  );
});
