import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HttpRequest } from '../../src/platform/http.ts';
import { operationsOf, isObject, type Operation } from '../support/document-operations.ts';
import { type MadeRequest, requestOf } from '../support/document-requests.ts';
import { gatewayDocument } from '../support/gateway-document.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import { createRig, type Rig } from '../support/rig.ts';

// Ten thousand requests made from the OpenAPI document, to a whole gateway with simulated brokers. That
// each answer is in the document is checked by the rig itself.

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const REQUESTS = 1_000;

/** They would end what the other requests need. */
const LEFT_OUT = ['DELETE /api/altbroker/token', 'POST /mcp'];

/** How often an operation is in the list to choose from: most say nothing new the tenth time. */
const timesOf = ({ name, method }: Operation): number =>
  name === 'POST /api/v1/orders' ? 16 : method === 'GET' ? 1 : 3;

/** What the gateway answers with a status of 500 and more while nothing is wrong with it. */
const NAMED: readonly unknown[] = [
  ...['no_broker', 'not_supported', 'broker_unavailable', 'broker_refused', 'token_absent'],
  ...['order_not_sent', 'recovering', 'login_failed'],
];

/** After these the order, or the change, is on disk together with its refusal. */
const RECORDED: readonly unknown[] = ['order_refused', 'order_not_sent', 'change_refused'];

/** Asks what orders would block: nothing is placed by it. */
const isReading = ({ method, url }: HttpRequest): boolean =>
  method === 'GET' || String(url).includes('margin');

/** The journal, and the requests to brokers that change something, as they are now. */
function stateOf(rig: Rig, journal: DatabaseSync): string {
  const [version] = journal.prepare('PRAGMA data_version').all();
  return JSON.stringify([version, rig.sent.filter((each) => !isReading(each)).length]);
}

/** Lets the gateway go on without any time passing; null where it needs time to answer. */
async function answeredAtOnce(answer: Promise<InProcessReply>): Promise<InProcessReply | null> {
  let reply: InProcessReply | null = null;
  void answer.then((given) => (reply = given)).catch(() => undefined);
  for (let turn = 0; turn < 50 && reply === null; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reply;
}

async function keysOf(rig: Rig): Promise<Record<MadeRequest['key'], Record<string, string>>> {
  const add = async (scope: string) => {
    const { body } = await rig.post('/api/v1/keys', { name: `fuzz ${scope}`, scope });
    return { authorization: `Bearer ${String(body.data.key)}` };
  };
  return {
    ...{ trade: await add('trade'), read: await add('read'), admin: {} },
    ...{ wrong: { authorization: 'Bearer abg_wrong' }, none: { authorization: '' } },
  };
}

/** Ids of what earlier requests have made, so that later ones find them. */
function learn(known: Map<string, string[]>, body: unknown): void {
  const data = isObject(body) && 'data' in body ? body.data : null;
  const id = isObject(data) && 'id' in data ? data.id : null;
  if (typeof id !== 'string') return;
  known.set('id', [...(known.get('id') ?? []), id].slice(-8));
}

it.each(SEEDS)(
  'a thousand requests of seed %i end as the document says, and refused ones change nothing',
  async (seed) => {
    await using rig = await createRig({ seed: `document ${seed}` });
    await rig.logIn();
    const document = await gatewayDocument();
    const operations = operationsOf(document)
      .filter(({ name }) => !LEFT_OUT.includes(name))
      .flatMap((each) => new Array<Operation>(timesOf(each)).fill(each));
    const { schemas = {} } = document.components ?? {};
    const keys = await keysOf(rig);
    using journal = new DatabaseSync(join(rig.dataDirectory, 'journal.db'), { readOnly: true });
    const known = new Map([
      ['id', ['me']],
      ['instrument', ['NSE:INFY', 'NSE:RELIANCE', 'NSE_1594', 'INFY', 'NSE:NOTHING']],
      ['instruments', ['NSE:INFY', 'NSE:INFY,NSE:RELIANCE', 'NSE:NOTHING']],
      ['Idempotency-Key', ['fuzz-1', 'fuzz-2', 'fuzz-3']],
    ]);
    const wrong: unknown[] = [];
    const statuses = new Map<number, number>();
    const random = fc.sample(fc.nat(operations.length - 1), { numRuns: REQUESTS, seed });
    for (const [index, which] of random.entries()) {
      const arbitrary = requestOf(operations[which]!, schemas as never, Object.fromEntries(known));
      const [made] = fc.sample(arbitrary, { numRuns: 1, seed: seed * REQUESTS + index });
      const { request, key } = made!;
      const before = stateOf(rig, journal);
      const asked = rig.begin({ ...request, headers: { ...request.headers, ...keys[key] } });
      try {
        const atOnce = await answeredAtOnce(asked);
        const { status, body } = atOnce ?? (await rig.time.settle(asked));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        learn(known, body);
        const code = body?.code;
        if (status >= 500 && !NAMED.includes(code)) wrong.push([request, status, body]);
        const changed = stateOf(rig, journal) !== before;
        // Whether a key may do something is known before anything is asked or done.
        if ((status === 401 || status === 403) && !atOnce)
          wrong.push([request, status, 'took time']);
        if (status >= 400 && atOnce && changed && !RECORDED.includes(code)) {
          wrong.push([request, status, body, 'changed something']);
        }
      } catch (error) {
        wrong.push([request, String(error)]);
      }
    }
    expect(wrong).toEqual([]);
    // Neither all right nor all wrong: otherwise the requests would say little.
    expect(
      [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0),
    ).toBeGreaterThan(REQUESTS / 10);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 20);
  },
);
