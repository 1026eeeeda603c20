import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place } from './walk.ts';

const CLOSE_ALL = '/api/v1/positions/close-all';
const HELD = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };
const ACCOUNT = { broker: 'alt', scope: 'account' };

const keyed = (key: string) => ({ 'idempotency-key': key });

/** The gateway is restarted on a journal whose rows of a table have another value in one place, or are no JSON. */
async function restartDamaged(rig: Rig, table: string, record: string): Promise<void> {
  await rig.time.advance(5_000);
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  database.exec(`UPDATE ${table} SET record = ${record}`);
  database.close();
  await rig.restart();
  await rig.time.advance(3_000);
}

/** The order of somebody else that rests at the alternative broker, as the gateway names it. */
async function restingElsewhere(rig: Rig): Promise<string> {
  const order = { instrument: 'NSE:INFY', side: 'BUY', quantity: 5, limitPaise: 147_000 } as const;
  rig.sandbox.kite.placeByHand({ ...order, product: 'delivery' });
  await rig.time.advance(3_000);
  return `alt:${rig.sandbox.kite.orders().at(-1)?.orderId}`;
}

/** What has left for the alternative broker that changes something there. */
const changes = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method !== 'GET' && url.includes('/orders/')).length;

interface Kind {
  readonly table: string;
  /** Damages one value; the rest can be read. */
  readonly partly: string;
  /** What its alert names then. */
  readonly named: RegExp;
  readonly ask: (rig: Rig, of: string, key: string) => ReturnType<Rig['post']>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  exit: {
    table: 'exits',
    partly: `json_set(record, '$.side', 'UP')`,
    named: /row exit_\S+ of exits .*look at NSE:INFY at alt in the broker's app/,
    ask: (rig, _of, key) => rig.post('/api/v1/exits', { ...HELD, quantity: 5 }, keyed(key)),
  },
  closing: {
    table: 'closings',
    partly: `json_set(record, '$.isCancelWanted', 'UP')`,
    named: /row closing_\S+ of closings .*look at NSE:INFY at alt in the broker's app/,
    ask: (rig, _of, key) => rig.post(CLOSE_ALL, { ...ACCOUNT, holdings: ['NSE:INFY'] }, keyed(key)),
  },
  'cancel of many': {
    table: 'cancel_runs',
    partly: `json_set(record, '$.requestHash', 7)`,
    named: /of cancelRuns .*look at order \S+ at alt in the broker's app/,
    ask: (rig, _of, key) => rig.post('/api/v1/orders/cancel-all', ACCOUNT, keyed(key)),
  },
  'cancel of an order placed elsewhere': {
    table: 'external_changes',
    partly: `json_set(record, '$.requestHash', 7)`,
    named: /of externalChanges .*look at order \S+ at alt in the broker's app/,
    ask: (rig, of, key) =>
      rig.call({ method: 'DELETE', path: `/api/v1/orders/${of}`, headers: keyed(key) }),
  },
  'modification of an order placed elsewhere': {
    table: 'external_changes',
    partly: `json_set(record, '$.requestHash', 7)`,
    named: /of externalChanges .*look at order \S+ at alt in the broker's app/,
    ask: (rig, of, key) =>
      rig.call({
        ...{ method: 'PATCH', path: `/api/v1/orders/${of}`, headers: keyed(key) },
        json: { price: 1_465 },
      }),
  },
};

describe.each(Object.entries(KINDS))('the quarantined row of a %s', (_name, kind) => {
  it('names instrument and broker in its alert, where they can be read', async () => {
    await using rig = await loggedInRig();
    const of = await restingElsewhere(rig);
    expect((await kind.ask(rig, of, 'first')).status).toBeLessThan(300);
    await restartDamaged(rig, kind.table, kind.partly);
    const alerts = rig.log.filter((line) => line.includes('does not fit'));
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatch(kind.named);
  });

  it.each([`json_set(record, '$.requestHash', 7)`, `'no JSON'`])(
    'keeps its key: a repeat is answered, and nothing is sent (%s)',
    async (record) => {
      await using rig = await loggedInRig();
      const of = await restingElsewhere(rig);
      expect((await kind.ask(rig, of, 'first')).status).toBeLessThan(300);
      await restartDamaged(rig, kind.table, record);
      // What a second run would find to do.
      await restingElsewhere(rig);
      const before = changes(rig);
      const { status, body } = await kind.ask(rig, of, 'first');
      await rig.time.advance(60_000);
      expect([status, body.code, body.mayHaveExecuted]).toEqual([503, 'journal_unavailable', true]);
      expect(changes(rig)).toBe(before);
    },
  );

  it('blocks no other key', async () => {
    await using rig = await loggedInRig();
    const of = await restingElsewhere(rig);
    await kind.ask(rig, of, 'first');
    await restartDamaged(rig, kind.table, `'no JSON'`);
    const reply = await kind.ask(rig, await restingElsewhere(rig), 'second');
    expect(reply.status).toBeLessThan(300);
    expect((await place(rig, BUY, 'beside it')).status).toBe(201);
  });
});
