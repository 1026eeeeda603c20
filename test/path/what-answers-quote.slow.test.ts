import { describe, expect, it } from 'vitest';
import { fieldsOfRequests, type RequestField } from '../support/document-fields.ts';
import { operationsOf } from '../support/document-operations.ts';
import { gatewayDocument } from '../support/gateway-document.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import { createRig, type Rig } from '../support/rig.ts';
import { loggedInRig, RESTING } from './walk.ts';

const document = await gatewayDocument();
const { schemas } = document.components as { readonly schemas: object };
const operations = operationsOf(document);

const SECRET = 'zq7secretxv';

/** What a person may paste into a field by mistake; each form passes the checks of other fields. */
const TEXTS: readonly unknown[] = [
  SECRET,
  `https://${SECRET}.example/hooks/${SECRET}?token=${SECRET}`,
  `NSE:${SECRET.toUpperCase()}`,
  `exit_${SECRET}`,
  [SECRET],
  { value: SECRET },
];

/** A request that is answered by a stream is never over. */
async function answerOf(rig: Rig, field: RequestField, value: unknown): Promise<InProcessReply[]> {
  const replies: InProcessReply[] = [];
  for (const request of field.withValue(value)) {
    const asked = rig.begin(request);
    const ended = asked.then((reply) => void replies.push(reply));
    await Promise.race([ended, rig.time.advance(40_000)]);
  }
  return replies;
}

/** Fields whose value is quoted where nothing has its name: that is the mistake (docs/security.md). */
const QUOTED = ['instrument', 'underlying', 'holdings', 'id', 'orderId'];

describe.each(operations)('a secret in a field of $name', (operation) => {
  const fields = fieldsOfRequests(operation, schemas as never);

  it('is quoted by no answer but where it is taken for a name or an id that is not there', async () => {
    await using rig = await createRig();
    const quoted: string[] = [];
    for (const field of fields) {
      for (const value of TEXTS) {
        for (const { status, text, body } of await answerOf(rig, field, value)) {
          if (status < 400 || !text.toLowerCase().includes(SECRET)) continue;
          const isNotFound = QUOTED.includes(field.name) && /^unknown_\w+$/.test(body?.code);
          if (!isNotFound) quoted.push(`${field.where}: ${status} ${text.slice(0, 300)}`);
        }
      }
    }
    expect(quoted).toEqual([]);
  });
});

it('the fields of requests that were tried are all that the document has', () => {
  const all = operations.flatMap((operation) =>
    fieldsOfRequests(operation, schemas as never).map(({ where }) => `${operation.name} ${where}`),
  );
  expect(all).toEqual(
    expect.arrayContaining([
      ...['side', 'orderType', 'tag'].map((name) => `POST /api/v1/orders body ${name}`),
      'POST /api/v1/orders/basket body orders.0.tag',
      'POST /api/v1/triggers body legs.0.side',
      'POST /api/v1/hooks body template.order.instrument',
      'POST /api/v1/webhooks body url',
      'POST /api/v1/keys body limits.maxOrderValue',
      'POST /api/v1/orders/{id}/resolve body placed',
      'GET /api/v1/orders query status',
      'POST /api/v1/orders header Idempotency-Key',
    ]),
  );
  expect(all.length).toBeGreaterThan(300);
});

describe('what has passed the check of the form, and is the mistake, is quoted:', () => {
  const order = (changes: object, key = 'k') => ({
    ...{ method: 'POST', path: '/api/v1/orders', json: { ...RESTING, ...changes } },
    headers: { 'idempotency-key': key },
  });
  const put = (path: string, json: object) => ({ method: 'POST', path, json });
  const OPTION = { instrument: 'NFO:NIFTY26NOV24450CE', product: 'MARGIN' };

  it.each([
    ['an instrument', 'unknown_instrument', 'NSE:NOSUCH', order({ instrument: 'NSE:NOSUCH' })],
    ['the id of an order', 'unknown_order', 'ord_nosuch', { path: '/api/v1/orders/ord_nosuch' }],
    ['the id of a key', 'unknown_key', 'key_nosuch', { path: '/api/v1/keys/key_nosuch' }],
    ['a price', 'price_off_tick', '1470.03', order({ price: 1470.03 })],
    ['a quantity', 'lot_size', '7777', order({ ...OPTION, quantity: 7777, price: 100 })],
    ['a broker', 'wrong_mode', 'paper', order({ broker: 'paper', mode: 'live' })],
    ['a day', 'unknown_day', '2020-01-02', { path: '/api/v1/reports/2020-01-02' }],
    [
      'the name of a key',
      'name_taken',
      'twice',
      put('/api/v1/keys', { name: 'twice', scope: 'read' }),
    ],
    ['an idempotency key', 'idempotency_conflict', 'used-key', order({ quantity: 9 }, 'used-key')],
  ] as const)('%s', async (_what, code, value, request) => {
    await using rig = await loggedInRig();
    await rig.post('/api/v1/keys', { name: 'twice', scope: 'read' });
    await rig.call(order({}, 'used-key'));
    const { body } = await rig.call(request);
    expect(body.code, body.detail).toBe(code);
    expect(body.detail).toContain(value);
  });

  it('a product, of an exit that is under way', async () => {
    await using rig = await loggedInRig();
    await rig.call(order({ orderType: 'MARKET', price: undefined, product: 'INTRADAY' }));
    await rig.time.advance(5_000);
    const exit = { instrument: 'NSE:INFY', product: 'INTRADAY', broker: 'alt' };
    const [, second] = await Promise.all([
      rig.call({ ...put('/api/v1/exits', exit), headers: { 'idempotency-key': 'one' } }),
      rig.call({ ...put('/api/v1/exits', exit), headers: { 'idempotency-key': 'two' } }),
    ]);
    expect(second.body.code, second.body.detail).toBe('exit_running');
    expect(second.body.detail).toContain('INTRADAY');
  });

  it('an events cursor', async () => {
    await using rig = await loggedInRig();
    const { body } = await rig.get('/api/v1/events?after=7-999999');
    expect(body.code, body.detail).toBe('cursor_expired');
    expect(body.detail).toContain('7-999999');
  });
});
