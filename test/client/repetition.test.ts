import { describe, expect, it } from 'vitest';
import { NoAnswerError, ProblemError } from '../../client/errors.ts';
import {
  BUY_BODY as ORDER,
  problem,
  scriptedGateway,
  type Step,
  success,
} from './support/scripted-gateway.ts';

const PLACED: Step = {
  kind: 'answer',
  status: 201,
  body: { status: 'success', data: { id: 'ord_1' }, meta: { broker: 'paper', mode: 'paper' } },
  headers: { 'X-Request-Id': 'request-9', 'Idempotent-Replayed': 'true' },
};
const CUT: Step = { kind: 'cut' };
const HANG: Step = { kind: 'hang' };
const OPEN = { mayHaveExecuted: true, retrySafe: false };

/** Plays these steps, the last one from then on. */
const steps =
  (...all: readonly Step[]) =>
  (_: unknown, count: number): Step =>
    all[Math.min(count, all.length) - 1] ?? CUT;

const keysOf = (sent: readonly { readonly headers: Readonly<Record<string, string>> }[]) =>
  sent.map(({ headers }) => headers['Idempotency-Key']);

async function failure(call: Promise<unknown>): Promise<ProblemError | NoAnswerError> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProblemError || error instanceof NoAnswerError) return error;
  throw error;
}

describe('an order whose answer is lost', () => {
  it.each([
    ['a connection that is cut', CUT],
    ['a gateway that does not answer', HANG],
    ['an answer that is cut off', { kind: 'cut_answer', status: 201 }],
    ['half an answer', { kind: 'answer', status: 201, body: '{"status":"succ' }],
    ['the error page of a proxy', { kind: 'answer', status: 502, body: '<h1>Bad gateway</h1>' }],
    [
      'a problem of somebody else',
      { kind: 'answer', status: 503, body: { code: 'no_broker', retrySafe: true } },
    ],
    ['a body that says nothing', { kind: 'answer', status: 500, body: { error: 'oops' } }],
  ] as const satisfies readonly (readonly [string, Step])[])(
    'is sent again with the same key and the same body after %s',
    async (_, lost) => {
      const { client, sent, settle } = scriptedGateway(steps(lost, PLACED));
      const answer = await settle(client.placeOrder({ body: ORDER }));
      expect(keysOf(sent)).toEqual(['made-1', 'made-1']);
      expect(sent[1]?.body).toBe(sent[0]?.body);
      expect(answer).toMatchObject({ httpStatus: 201, replayed: true, key: 'made-1' });
      expect(answer).toMatchObject({ data: { id: 'ord_1' }, requestId: 'request-9' });
      expect(answer).not.toHaveProperty('status');
    },
  );

  it('ends in an error that has the key and says what to do, once patience is over', async () => {
    const { client, sent, settle, time } = scriptedGateway(steps(CUT));
    const error = await failure(settle(client.placeOrder({ body: ORDER })));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ reason: 'connection', key: 'made-1', mayHaveExecuted: true });
    expect(error).toMatchObject({ retrySafe: false, attempts: sent.length });
    expect(error.message).toContain('send the same request with the key made-1');
    expect(new Set(keysOf(sent))).toEqual(new Set(['made-1']));
    expect(sent.length).toBeGreaterThan(5);
    expect(time.elapsed()).toBeLessThanOrEqual(30_000);
  });

  it('has the key that its caller gave, in the call or as its clientOrderId', async () => {
    const { client, sent, settle } = scriptedGateway(steps(CUT, PLACED, PLACED));
    await settle(client.placeOrder({ body: ORDER, key: 'mine-1' }));
    await settle(client.placeOrder({ body: { ...ORDER, clientOrderId: 'mine-2' } }));
    expect(keysOf(sent)).toEqual(['mine-1', 'mine-1', 'mine-2']);
  });

  it('has another key than the next order', async () => {
    const { client, sent, settle } = scriptedGateway(steps(PLACED));
    await settle(client.placeOrder({ body: ORDER }));
    await settle(client.placeOrder({ body: ORDER }));
    expect(keysOf(sent)).toEqual(['made-1', 'made-2']);
  });

  it('is what it was when it was given, whatever its caller does with the object since', async () => {
    const { client, sent, settle } = scriptedGateway(steps(CUT, PLACED));
    const body = { ...ORDER, quantity: 1 };
    const call = client.placeOrder({ body });
    body.quantity = 1_000;
    await settle(call);
    expect(sent.map((each) => JSON.parse(each.body ?? '').quantity)).toEqual([1, 1]);
  });
});

describe('an order that is answered with a problem', () => {
  it.each(['journal_unavailable', 'internal', 'broker_unavailable', 'no_broker'])(
    'is sent again with the same key where it may have executed: %s',
    async (code) => {
      const { client, sent, settle } = scriptedGateway(steps(problem(503, code, OPEN), PLACED));
      await settle(client.placeOrder({ body: ORDER }));
      expect(keysOf(sent)).toEqual(['made-1', 'made-1']);
    },
  );

  it.each([
    ['order_not_sent', 503, {}],
    ['order_refused', 422, {}],
    ['token_absent', 503, {}],
    ['market_closed', 409, {}],
    ['kill_switch', 409, {}],
    ['broker_unavailable', 503, {}],
    ['journal_unavailable', 503, {}],
    ['idempotency_conflict', 422, OPEN],
  ])('is not sent again where that is for its caller to say: %s', async (code, status, more) => {
    const { client, sent, settle } = scriptedGateway(steps(problem(status, code, more), PLACED));
    const error = await failure(settle(client.placeOrder({ body: ORDER })));
    expect(error).toMatchObject({ name: 'ProblemError', code, httpStatus: status, key: 'made-1' });
    expect(sent).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const busy = problem(429, 'too_many_requests', {}, { 'Retry-After': '7' });
    const { client, sent, settle } = scriptedGateway(steps(busy, PLACED));
    await settle(client.placeOrder({ body: ORDER }));
    expect(sent.map(({ at }) => at)).toEqual([0, 7_000]);
  });

  it('is not kept waiting beyond its patience', async () => {
    const busy = problem(429, 'too_many_requests', {}, { 'Retry-After': '31' });
    const { client, sent, settle } = scriptedGateway(steps(busy, PLACED));
    const error = await failure(settle(client.placeOrder({ body: ORDER })));
    expect(error).toMatchObject({ code: 'too_many_requests', retryAfterMs: 31_000 });
    expect(sent).toHaveLength(1);
  });

  it('tells the order, and what to do where the outcome is open', async () => {
    const order = { id: 'ord_1', status: 'rejected' };
    const refused = scriptedGateway(steps(problem(422, 'order_refused', { order })));
    const told = await failure(refused.settle(refused.client.placeOrder({ body: ORDER })));
    expect(told).toMatchObject({ order, requestId: 'request-1', mayHaveExecuted: false });
    expect(told.message).toBe('placeOrder: Why order_refused. (order_refused)');

    const open = scriptedGateway(steps(problem(500, 'internal', OPEN)), { patienceMs: 0 });
    const error = await failure(open.settle(open.client.placeOrder({ body: ORDER })));
    expect(error.message).toContain('send the same request with the key made-1 to find out');
    expect(open.sent).toHaveLength(1);
  });
});

describe('a gateway that may run on a copy', () => {
  const DISARMED = problem(409, 'disarmed', OPEN);
  const order = { body: ORDER };

  it.each([
    ['a key that the client has made', order, [DISARMED], false],
    [
      'a key that its caller calls new',
      { ...order, key: 'own', keyIsNew: true },
      [DISARMED],
      false,
    ],
    ['any other key of its caller', { ...order, key: 'own' }, [DISARMED], true],
    ['a clientOrderId', { body: { ...ORDER, clientOrderId: 'own' } }, [DISARMED], true],
    ['a key that was sent before', order, [CUT, DISARMED], true],
  ])(
    'leaves open what came of %s, but of one that it is the first to see',
    async (_what, input, all, isOpen) => {
      const { client, settle } = scriptedGateway(steps(...all));
      const error = await failure(settle(client.placeOrder(input)));
      expect(error).toMatchObject({ code: 'disarmed', mayHaveExecuted: isOpen });
      expect(error).toMatchObject({ retrySafe: !isOpen });
    },
  );
});

describe('a request without a key', () => {
  it('is sent again if it reads', async () => {
    const { client, sent, settle } = scriptedGateway(
      steps(CUT, problem(503, 'broker_unavailable'), success([])),
    );
    await settle(client.getMargins({ body: { orders: [ORDER] } }));
    expect(sent.map(({ at }) => at)).toEqual([0, 250, 750]);
  });

  it('is sent again if it deletes, and a problem since is no proof that nothing happened', async () => {
    const { client, sent, settle } = scriptedGateway(steps(CUT, problem(404, 'unknown_exit')));
    const error = await failure(settle(client.cancelExit({ id: 'exit_1' })));
    expect(sent).toHaveLength(2);
    expect(error).toMatchObject({ code: 'unknown_exit', mayHaveExecuted: true, retrySafe: true });
  });

  it('is sent once if it changes something else', async () => {
    const { client, sent, settle } = scriptedGateway(steps(CUT));
    const error = await failure(settle(client.rotateKey({ id: 'key_1' })));
    expect(sent).toHaveLength(1);
    expect(error).toMatchObject({ mayHaveExecuted: true, retrySafe: false, key: null });
    expect(error.message).toContain('read the state before you send it again');
  });

  it('is sent again if it is a basket, whose orders have keys', async () => {
    const { client, sent, settle } = scriptedGateway(steps(CUT));
    const orders = [{ ...ORDER, clientOrderId: 'a' }] as const;
    const error = await failure(settle(client.placeBasket({ body: { orders: [...orders] } })));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(sent.length).toBeGreaterThan(5);
    expect(error.message).toContain('each order with the same clientOrderId');
  });
});

describe('a signal', () => {
  it('ends a call that waits for its answer, which may have happened', async () => {
    const { client, sent, settle, time } = scriptedGateway(steps(HANG));
    const controller = new AbortController();
    time.after(1_000, () => controller.abort());
    const call = client.placeOrder({ body: ORDER, signal: controller.signal });
    const error = await failure(settle(call));
    expect(error).toMatchObject({ reason: 'aborted', mayHaveExecuted: true, key: 'made-1' });
    expect(sent).toHaveLength(1);
    expect(time.elapsed()).toBe(1_000);
  });

  it('ends a call between two attempts', async () => {
    const { client, sent, settle, time } = scriptedGateway(steps(CUT));
    const controller = new AbortController();
    time.after(300, () => controller.abort());
    const call = client.placeOrder({ body: ORDER, signal: controller.signal });
    expect(await failure(settle(call))).toMatchObject({ reason: 'aborted', mayHaveExecuted: true });
    expect(sent).toHaveLength(2);
    expect(time.elapsed()).toBe(300);
    expect(time.pending).toBe(0);
  });

  it('that came before the first attempt lets nothing leave', async () => {
    const { client, sent, settle } = scriptedGateway(steps(PLACED));
    const call = client.placeOrder({ body: ORDER, signal: AbortSignal.abort() });
    const error = await failure(settle(call));
    expect(error).toMatchObject({ reason: 'aborted', mayHaveExecuted: false, retrySafe: true });
    expect(sent).toEqual([]);
  });
});

describe('a call that is over', () => {
  it('leaves no timer', async () => {
    const { client, settle, time } = scriptedGateway(steps(HANG, CUT, PLACED));
    await settle(client.placeOrder({ body: ORDER }));
    expect(time.pending).toBe(0);
  });
});
