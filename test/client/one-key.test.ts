import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NoAnswerError, ProblemError } from '../../client/errors.ts';
import {
  BUY_BODY as ORDER,
  problem,
  scriptedGateway,
  type SentRequest,
  type Step,
} from './support/scripted-gateway.ts';

/** What the network and the gateway do with one request. `after`: the gateway has handled it. */
const FATES = [
  ...(['cut before', 'cut after', 'hang before', 'hang after', 'page of a proxy'] as const),
  ...(['half an answer', 'recovering', 'busy', 'market closed', 'no journal before'] as const),
  // The gateway was moved meanwhile: a copy of its directory does not know what came of earlier requests.
  ...(['no journal after', 'disarmed', 'key revoked', 'key confined', 'answer'] as const),
];
type Fate = (typeof FATES)[number];

const CUT: Step = { kind: 'cut' };
const HANG: Step = { kind: 'hang' };
const OPEN = { mayHaveExecuted: true, retrySafe: false };

/** A gateway that places at most once for each key, as docs/orders.md promises, behind this network. */
function createModel(fates: readonly Fate[]) {
  const placed = new Map<string, string>();
  /** Orders that were placed without a key, or under a key with another body. */
  const wrong: string[] = [];
  const place = ({ headers, body }: SentRequest): Step => {
    const key = headers['Idempotency-Key'];
    const isRepeated = key !== undefined && placed.get(key) === body;
    if (key === undefined || body === null || (placed.has(key) && !isRepeated)) {
      wrong.push(String(body));
    } else placed.set(key, body);
    const told = { status: 'success', data: { id: 'ord_1' }, meta: {} };
    return { kind: 'answer', status: 201, body: told };
  };
  const decide = (request: SentRequest, count: number): Step => {
    const fate = fates[count - 1] ?? 'answer';
    const isKnown = placed.has(request.headers['Idempotency-Key'] ?? '');
    if (fate.endsWith('after') || fate === 'half an answer') place(request);
    // Before a key is used, problems say so; afterwards, its order is answered.
    if (fate === 'market closed') return isKnown ? place(request) : problem(409, 'market_closed');
    if (fate === 'recovering') return isKnown ? place(request) : problem(503, 'recovering');
    if (fate === 'busy') {
      return isKnown
        ? place(request)
        : problem(429, 'too_many_requests', {}, { 'Retry-After': '3' });
    }
    if (fate === 'disarmed') return problem(409, 'disarmed', OPEN);
    if (fate === 'key revoked') return problem(401, 'unauthorized');
    if (fate === 'key confined') return problem(403, 'forbidden');
    if (fate.startsWith('cut')) return CUT;
    if (fate.startsWith('hang')) return HANG;
    if (fate.startsWith('no journal')) return problem(503, 'journal_unavailable', OPEN);
    if (fate === 'half an answer') return { kind: 'cut_answer', status: 201 };
    if (fate === 'page of a proxy') return { kind: 'answer', status: 502, body: '<h1>502</h1>' };
    return place(request);
  };
  return { decide, wrong, placed };
}

it('places at most one order for an intent, and never calls it not placed wrongly', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(...FATES), { maxLength: 12 }),
    fc.boolean(),
    async (fates, hasOwnKey) => {
      const model = createModel(fates);
      const { client, sent, settle } = scriptedGateway(model.decide);
      const place = (key?: string) =>
        settle(client.placeOrder({ body: ORDER, ...(key === undefined ? {} : { key }) })).then(
          () => null,
          (error: unknown) => error,
        );
      let key = hasOwnKey ? 'own' : undefined;
      let error = await place(key);
      // What docs/client.md says about errors: with the key of the error, until the outcome is known.
      while (error !== null && mayHaveExecuted(error)) {
        key = keyOf(error);
        error = await place(key);
      }
      expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
      expect(model.wrong).toEqual([]);
      expect(model.placed.size).toBe(error === null ? 1 : 0);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

function mayHaveExecuted(error: unknown): boolean {
  if (error instanceof ProblemError || error instanceof NoAnswerError) return error.mayHaveExecuted;
  throw error;
}

function keyOf(error: unknown): string {
  if (error instanceof ProblemError || error instanceof NoAnswerError) {
    if (error.key !== null) return error.key;
  }
  throw error;
}
