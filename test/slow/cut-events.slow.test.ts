import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SandboxRandom, seededRandom } from '../../sandbox/kernel/ports.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { type CutReader, startCutReader } from '../support/cut-reader.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { createMoodyReceiver, type MoodyReceiver } from '../support/moody-receiver.ts';
import { ADMIN_KEY, createStage, type Stage } from '../support/served.ts';
import { until } from '../support/until.ts';

const READERS = 4;
const LIVES = 5;
const CALLERS = 3;
/** Orders of each life. */
const ORDERS = 16;
const PATIENCE_MS = 120_000;
const BUY = {
  ...{ instrument: 'NSE:ITC', side: 'BUY', quantity: 3, orderType: 'MARKET', product: 'CNC' },
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Callers with orders that fill, and others that rest and are cancelled, so many in all. A failure is that of a
 * gateway that was killed: then the caller is over.
 */
async function trade(
  gateway: GatewayProcess,
  random: SandboxRandom,
  { life, most, onPlaced }: { life: number; most: number; onPlaced: (placed: number) => void },
): Promise<void> {
  let [asked, placed] = [0, 0];
  const caller = async (): Promise<void> => {
    while (asked < most) {
      asked += 1;
      const rests = random.next() < 0.4;
      const order = rests ? { ...BUY, orderType: 'LIMIT', price: 1 } : BUY;
      const { body } = await gateway.client.place(order, `order-${life}-${asked}`);
      onPlaced((placed += 1));
      const id: unknown = body?.data?.id;
      if (rests && typeof id === 'string' && random.next() < 0.7) {
        await gateway.client.delete(`/api/v1/orders/${id}`);
      }
      await pause(random.next() * 60);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, () => caller().catch(() => undefined)));
}

/** The ids of all events, in the order of their commits, as the journal on disk has them. */
function journalOf({ dataDirectory }: Stage): readonly string[] {
  const database = openDatabase(join(dataDirectory, 'journal.db'));
  try {
    const rows = database.prepare('SELECT sequence, epoch FROM events ORDER BY sequence').all();
    return rows.map(({ sequence, epoch }) => `${String(epoch)}-${Number(sequence)}`);
  } finally {
    database.close();
  }
}

/** Where a connection told something else than the events right after the id that it began with. */
function wrongConnections(reader: CutReader, journal: readonly string[]): readonly string[] {
  return reader.connections.flatMap(({ after, ids }) => {
    const from = after === '0-0' ? 0 : journal.indexOf(after) + 1;
    const expected = journal.slice(from, from + ids.length);
    const place = ids.findIndex((id, index) => id !== expected[index]);
    return place < 0 ? [] : [`after ${after}: ${ids[place]} in place of ${expected[place]}`];
  });
}

/** Requests that left an event out, that came again where none had to, and whose signature is not theirs. */
function wrongRequests(receiver: MoodyReceiver, journal: readonly string[], secret: string) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const place = new Map(journal.map((id, index) => [id, index]));
  const first = place.get(receiver.received[0]?.id ?? '') ?? 0;
  let [next, life] = [first, 0];
  return receiver.received.flatMap((request) => {
    const { id, timestamp, body, signature } = request;
    const at = place.get(id) ?? -1;
    const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const wrong = [];
    const isNewLife = request.life !== life;
    // After a kill, what was taken in the last second comes again, from one event on.
    if (at < 0 || at > next || (at < next && !isNewLife)) wrong.push(`${id}: ${at} of ${next}`);
    if (signature !== `v1,${signed}`) wrong.push(`${id}: its signature`);
    life = request.life;
    next = request.isTaken ? at + 1 : at;
    return wrong;
  });
}

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly order?: object;
    readonly fill?: { readonly id: string; readonly orderId: string; readonly quantity: number };
  };
}

interface Run {
  readonly stage: Stage;
  readonly readers: readonly CutReader[];
  readonly receiver: MoodyReceiver;
  readonly secret: string;
  /** The events as the list has them in the end. */
  readonly listed: readonly Listed[];
  readonly orders: readonly Readonly<Record<string, unknown>>[];
}

async function listAll(gateway: GatewayProcess): Promise<Run['listed']> {
  const all: Run['listed'][number][] = [];
  for (let after = '0-0'; ;) {
    const { body } = await gateway.client.get(`/api/v1/events?limit=500&after=${after}`);
    all.push(...body.data);
    if (body.meta.more !== true) return all;
    after = body.meta.cursor;
  }
}

/** Lives that end in a kill while orders, streams and deliveries go on, and a last one that ends in calm. */
async function play(seed: string, check: (run: Run) => void): Promise<void> {
  const randomOf = (what: string): SandboxRandom => seededRandom(`${seed} ${what}`);
  await using stage = await createStage({ sandbox: { latencyMs: [2, 30] } });
  const more = {
    APP_ALT_BROKER_ACCESS_TOKEN: stage.served.sandbox.kite.loginDirect(),
    APP_WEBHOOK_PRIVATE_ADDRESSES: 'true',
  };
  let gateway: GatewayProcess | null = null;
  let life = 0;
  let secret = '';
  await using receiver = await createMoodyReceiver(randomOf('receiver'), () => life);
  const readers = Array.from({ length: READERS }, (_, number) =>
    startCutReader({
      url: () => gateway?.url ?? null,
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      random: randomOf(`reader ${number}`),
    }),
  );
  const traders = randomOf('orders');
  for (; life < LIVES; life += 1) {
    const now = await startGateway(stage, more);
    gateway = now;
    if (life === 0) {
      const { body } = await now.client.post('/api/v1/webhooks', { url: receiver.url });
      secret = body.data.secret;
    }
    // Some are killed in the middle of orders, others once it is quiet.
    const isQuiet = traders.next() < 0.4;
    const killAfter = Math.ceil(traders.next() * ORDERS);
    const trading = new Promise<void>((resolve) => {
      const onPlaced = (placed: number): void => {
        if (!isQuiet && placed >= killAfter) resolve();
      };
      void trade(now, traders, { life, most: ORDERS, onPlaced }).then(resolve);
    });
    await trading;
    await pause(traders.next() * 1_500);
    gateway = null;
    now.kill('SIGKILL');
    await now.exited;
  }
  await using last = await startGateway(stage, more);
  gateway = last;
  await trade(last, traders, { life, most: ORDERS, onPlaced: () => undefined });
  receiver.calm();
  const { listed, orders } = await until(
    'no order is on its way, and every reader and the receiver have the newest event',
    async () => {
      const before = (await listAll(last)).at(-1)?.id ?? '';
      const { body } = await last.client.get('/api/v1/orders?limit=1000&maxAgeMs=0');
      const now: Run['orders'] = body.data ?? [{ status: 'sending' }];
      // One that never reached the broker stays uncertain for minutes.
      if (now.some(({ status }) => status === 'accepted' || status === 'sending')) return null;
      const events = await listAll(last);
      const newest = events.at(-1)?.id;
      const isTaken = receiver.received.some(({ id, isTaken: is }) => is && id === newest);
      const isRead = readers.every(({ contents }) => contents.has(before));
      return newest === before && isRead && isTaken ? { listed: events, orders: now } : null;
    },
    PATIENCE_MS,
  );
  gateway = null;
  await Promise.all(readers.map((reader) => reader.stop()));
  check({ stage, readers, receiver, secret, listed, orders });
}

/** What an order's last event and GET /orders have to agree on. */
const COMPARED = ['status', 'filledQuantity', 'remainingQuantity', 'averagePrice', 'brokerOrderId'];
const compared = (order: object): object =>
  Object.fromEntries(Object.entries(order).filter(([name]) => COMPARED.includes(name)));

/** Fills that were told twice, and orders whose fills are not as many as GET /orders says. */
function wrongFills(listed: Run['listed'], orders: Run['orders']): readonly string[] {
  const told = new Set<string>();
  const sums = new Map<unknown, number>();
  const wrong: string[] = [];
  for (const { type, data } of listed) {
    if (type !== 'order.fill' || data.fill === undefined) continue;
    const { id, orderId, quantity } = data.fill;
    const name = `${orderId} ${id}`;
    if (told.has(name)) wrong.push(`${name} twice`);
    told.add(name);
    sums.set(orderId, (sums.get(orderId) ?? 0) + quantity);
  }
  for (const { id, filledQuantity } of orders) {
    const sum = sums.get(id) ?? 0;
    // Null is "not known".
    if (filledQuantity !== null && sum !== filledQuantity) wrong.push(`${String(id)}: ${sum}`);
  }
  return wrong;
}

describe('events, over streams and a webhook that are cut and a gateway that is killed', () => {
  it.each(['one', 'two', 'three'])(
    'all arrive, in the order of their commits, and an id has one content (seed %s)',
    async (seed) => {
      await play(seed, ({ stage, readers, receiver, secret, listed, orders }) => {
        const journal = journalOf(stage);
        expect(journal.length).toBeGreaterThan(100);
        expect(new Set(journal.map((id) => id.split('-')[0])).size).toBeGreaterThan(2);
        expect(listed.map(({ id }) => id)).toEqual(journal.slice(0, listed.length));
        const wholes = listed.map(({ id }) => id);
        const texts = new Map(listed.map((event) => [event.id, JSON.stringify(event)]));
        for (const reader of readers) {
          expect(wrongConnections(reader, journal)).toEqual([]);
          expect(wholes.filter((id) => !reader.contents.has(id))).toEqual([]);
          const others = [...reader.contents].filter(
            ([id, told]) => told.size !== 1 || (texts.has(id) && !told.has(texts.get(id) ?? '')),
          );
          expect(others).toEqual([]);
          expect(reader.connections.length).toBeGreaterThan(LIVES);
        }
        expect(wrongRequests(receiver, journal, secret)).toEqual([]);
        const { received } = receiver;
        const from = journal.indexOf(received[0]?.id ?? '');
        const taken = new Set(received.filter(({ isTaken }) => isTaken).map(({ id }) => id));
        expect(wholes.slice(from).filter((id) => !taken.has(id))).toEqual([]);
        expect(received.filter(({ id, body }) => texts.has(id) && texts.get(id) !== body)).toEqual(
          [],
        );
        expect(received.some(({ isTaken }) => !isTaken)).toBe(true);
        const lastOf = new Map<unknown, object>();
        for (const { data } of listed) {
          if (data.order !== undefined && 'id' in data.order) lastOf.set(data.order.id, data.order);
        }
        expect(wrongFills(listed, orders)).toEqual([]);
        expect(orders.length).toBeGreaterThan(10);
        expect(orders.map(({ id }) => compared(lastOf.get(id) ?? {}))).toEqual(
          orders.map(compared),
        );
      });
    },
  );
});
