import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { ObservedOrder } from '../../src/execution/journal/records.ts';
import type { AttemptRecord } from '../../src/execution/order/attempt.ts';
import { brokerOrderIdOf, statusOf, type OrderRecord } from '../../src/execution/order/order.ts';
import { startGateway, type GatewayProcess } from '../support/gateway-process.ts';
import { createStage, type Stage } from '../support/served.ts';
import { until } from '../support/until.ts';

const KILLS = 25;
const CALLERS = 3;
const BETWEEN = (least: number, most: number): number => least + Math.random() * (most - least);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const MARKET = {
  instrument: 'NSE:ITC',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'CNC',
};

/** What a caller knows of one key: the broker's id that it was told, if any. */
interface Asked {
  readonly key: string;
  brokerOrderId: string | null;
}

/** Callers that place orders without a break, and ask again under the same key after a failure. */
function createCallers() {
  const asked: Asked[] = [];
  const open: Asked[] = [];
  let count = 0;
  let inFlight = 0;

  async function once(gateway: GatewayProcess): Promise<void> {
    count += 1;
    const fresh: Asked = { key: `key-${count}`, brokerOrderId: null };
    const mine = open.shift() ?? fresh;
    if (mine === fresh) asked.push(mine);
    inFlight += 1;
    try {
      const { status, body } = await gateway.client.place(MARKET, mine.key);
      const told: string | null = body.data?.brokerOrderId ?? null;
      if (told !== null && mine.brokerOrderId !== null) expect(told).toBe(mine.brokerOrderId);
      mine.brokerOrderId ??= told;
      if (status === 503) open.push(mine);
    } catch {
      // The gateway was killed under the request: the caller knows nothing, and asks again.
      open.push(mine);
    } finally {
      inFlight -= 1;
    }
  }

  return {
    asked,
    inFlight: () => inFlight,
    async run(gateway: GatewayProcess, isOver: () => boolean): Promise<void> {
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          while (!isOver()) {
            await once(gateway);
            await pause(BETWEEN(0, 40));
          }
        }),
      );
    },
  };
}

interface Journal {
  readonly orders: readonly OrderRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly observed: readonly ObservedOrder[];
}

function readJournal(stage: Stage): Journal {
  const database = openDatabase(join(stage.dataDirectory, 'journal.db'));
  const all = <T>(table: string): T[] =>
    database
      .prepare(`SELECT record FROM ${table}`)
      .all()
      .map(({ record }) => JSON.parse(String(record)) as T);
  try {
    return { orders: all('orders'), attempts: all('attempts'), observed: all('seen_orders') };
  } finally {
    database.close();
  }
}

describe('a gateway that is killed again and again while orders are placed', () => {
  it('has every order of the broker bound exactly once, and has lost none', async () => {
    await using stage = await createStage({ sandbox: { latencyMs: [2, 60] } });
    const { kite } = stage.served.sandbox;
    const token = { APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect() };
    const spoil = { broker: 'kite', match: { method: 'POST', path: '/orders' } } as const;
    stage.served.sandbox.faults.add({ ...spoil, kind: 'reset_after', probability: 0.08 });
    stage.served.sandbox.faults.add({ ...spoil, kind: 'error_before', probability: 0.04 });
    const callers = createCallers();
    let killedInFlight = 0;

    for (let count = 0; count < KILLS; count += 1) {
      await using gateway = await startGateway(stage, token);
      let over = false;
      const calling = callers.run(gateway, () => over);
      const before = kite.orders().length;
      // Some are killed while they still find out what the life before them has left open.
      if (count % 3 !== 2) {
        await until('this life has placed an order', () => kite.orders().length > before);
      }
      await pause(BETWEEN(0, 400));
      over = true;
      if (callers.inFlight() > 0) killedInFlight += 1;
      gateway.kill('SIGKILL');
      await gateway.exited;
      await calling;
    }

    {
      await using gateway = await startGateway(stage, token);
      let over = false;
      const calling = callers.run(gateway, () => over);
      await pause(1_000);
      over = true;
      await calling;
      await until(
        'the gateway tells every order of the broker as its own, and filled',
        async () => {
          const { body } = await gateway.client.get(
            '/api/v1/orders?broker=alt&limit=1000&maxAgeMs=0',
          );
          const rows: { external: boolean; brokerOrderId: string | null; status: string }[] =
            body.data ?? [];
          const filled = rows.filter(({ external, status }) => !external && status === 'filled');
          const ids = new Set(filled.map(({ brokerOrderId }) => brokerOrderId));
          return kite.orders().every(({ orderId }) => ids.has(orderId));
        },
      );
      gateway.kill('SIGTERM');
      expect(await gateway.exited).toEqual({ code: 0, signal: null });
    }

    expect(killedInFlight).toBeGreaterThan(KILLS / 2);
    const journal = readJournal(stage);
    const taken = kite.orders();
    expect(taken.length).toBeGreaterThan(KILLS);
    expect(new Set(taken.map(({ tag }) => tag)).size).toBe(taken.length);
    for (const { orderId, tag } of taken) {
      const attempts = journal.attempts.filter(
        (attempt) => attempt.kind === 'place' && attempt.tag === tag,
      );
      expect(attempts.map(({ kind, state }) => [kind, state.kind])).toEqual([
        ['place', 'acknowledged'],
      ]);
      const bound = journal.orders.filter((order) => brokerOrderIdOf(order) === orderId);
      expect(bound.map(({ id }) => id)).toEqual([attempts[0]?.orderId]);
      const observed = journal.observed.filter(({ brokerOrderId }) => brokerOrderId === orderId);
      expect(observed.map((each) => each.orderId)).toEqual([attempts[0]?.orderId]);
    }
    // One order a key, and each answer that named an order has named that one.
    const byKey = new Map(journal.orders.map((order) => [order.idempotencyKey, order]));
    expect(byKey.size).toBe(journal.orders.length);
    for (const { key, brokerOrderId } of callers.asked) {
      const order = byKey.get(key);
      if (brokerOrderId !== null) expect(order && brokerOrderIdOf(order)).toBe(brokerOrderId);
    }
    // Nothing that is at the broker is called unplaced, or is still uncertain.
    const ids = new Set(taken.map(({ orderId }) => orderId));
    for (const order of journal.orders) {
      const brokerOrderId = brokerOrderIdOf(order);
      const isThere = brokerOrderId !== null && ids.has(brokerOrderId);
      expect([statusOf(order), isThere]).toEqual(
        isThere
          ? ['filled', true]
          : [expect.stringMatching(/^(uncertain|not_sent|rejected)$/), false],
      );
    }
  });
});
