import { expect, it } from 'vitest';
import { NoAnswerError, ProblemError } from '../../client/errors.ts';
import {
  BUY_BODY as BODY,
  problem,
  scriptedGateway,
  type Step,
} from './support/scripted-gateway.ts';

/** The first request arrives and is carried out, and its answer is lost; then the key is rotated. */
const rotated =
  (status: number, code: string) =>
  (_: unknown, count: number): Step =>
    count === 1 ? { kind: 'cut_answer', status: 201 } : problem(status, code);

it.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
])('an answer %i after a lost one does not say that nothing was placed', async (status, code) => {
  const { client, sent, settle } = scriptedGateway(rotated(status, code));
  const error: unknown = await settle(client.placeOrder({ body: BODY, key: 'one' })).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(sent).toHaveLength(2);
  if (!(error instanceof ProblemError)) throw new Error(`not a problem: ${String(error)}`);
  expect([error.code, error.mayHaveExecuted, error.retrySafe]).toEqual([code, true, false]);
});

it('nor does it where the lost one was that of an earlier call under the same key', async () => {
  const { client, settle } = scriptedGateway(rotated(401, 'unauthorized'), { patienceMs: 0 });
  const place = () =>
    settle(client.placeOrder({ body: BODY, key: 'one' })).then(
      () => null,
      (reason: unknown) => reason,
    );
  const first = await place();
  expect(first).toBeInstanceOf(NoAnswerError);
  const second = await place();
  expect(second).toMatchObject({ code: 'unauthorized', mayHaveExecuted: true });
});
