import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../../src/domain/order.ts';
import { reasonOf, statusOf } from '../../../src/execution/order/order.ts';
import { type Database, openDatabase } from '../../../src/platform/database.ts';
import { EXIT } from '../support/exit-account.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { instrument, position } from '../support/makers.ts';

/** A gateway whose next commit hangs for so long (ms), once that is said; ten shares are held. */
async function onSlowDisk() {
  const time = midday();
  const broker = lyingBroker(time);
  broker.positions = [position({ quantity: 10 })];
  const next = lyingBroker(time, { broker: 'primary' });
  let hangMs = 0;
  const real = openDatabase(':memory:');
  const database: Database = {
    ...real,
    commit() {
      real.commit();
      time.standStill(hangMs);
      hangMs = 0;
    },
  };
  const gateway = await tradingWith(time, [broker, next], database);
  gateway.execution.wake('alt');
  gateway.execution.wake('primary');
  await time.advance(10_000);
  const hang = (ms: number): void => void (hangMs = ms);
  /** The status of what is placed, or the code of the problem. */
  const tried = (
    request: Partial<OrderRequest> = {},
    freezeQuantity: number | null = null,
    hasNext = false,
  ) => {
    const command = gateway.commandOf(request);
    const placed = gateway.execution.place({
      ...command,
      candidates: command.candidates.slice(0, hasNext ? 2 : 1),
      instrument: instrument({ freezeQuantity }),
    });
    const result = placed.then(
      ({ order }) => statusOf(order),
      (error: { fields?: { code: string } }) => error.fields?.code ?? String(error),
    );
    return time.settle(result);
  };
  const last = () => [...gateway.execution.state.orders.values()].at(-1)!;
  return { time, broker, next, gateway, hang, tried, last };
}

describe('an order that the disk took long to write down', () => {
  it('is not sent, is known not to be, and the journal says why', async () => {
    const { broker, gateway, hang, tried, last } = await onSlowDisk();
    hang(25_000);
    expect(await tried()).toBe('not_sent');
    expect(broker.placed).toEqual([]);
    expect(reasonOf(last())).toContain('took so long that its price');
    const attempts = [...gateway.execution.state.attempts.values()];
    expect(attempts.map(({ kind, state }) => [kind, state.kind])).toEqual([['place', 'not_sent']]);
    expect(gateway.execution.state.openOrders.size).toBe(0);
  });

  it('is not sent to the next broker of the route either', async () => {
    const { broker, next, hang, tried, last } = await onSlowDisk();
    hang(25_000);
    expect(await tried({}, null, true)).toBe('not_sent');
    expect([...broker.placed, ...next.placed]).toEqual([]);
    expect(reasonOf(last())).toContain('took so long that its price');
  });

  it('is sent where that took a moment', async () => {
    const { broker, hang, tried } = await onSlowDisk();
    hang(5_500);
    expect(await tried()).toBe('working');
    expect(broker.placed).toHaveLength(1);
  });

  it('is sent where it only reduces a position: a way out is not held back', async () => {
    const { broker, hang, tried } = await onSlowDisk();
    hang(25_000);
    expect(await tried(EXIT)).toBe('working');
    expect(broker.placed).toHaveLength(1);
  });

  it('is not sent where the position has gone meanwhile', async () => {
    const { broker, hang, tried } = await onSlowDisk();
    hang(70_000);
    broker.positions = [];
    expect(await tried(EXIT)).toBe('not_sent');
    expect(broker.placed).toEqual([]);
  });

  it('is not sent in slices either, and slices of an exit are', async () => {
    const { broker, hang, tried, last } = await onSlowDisk();
    hang(25_000);
    expect(await tried({}, 5)).toBe('not_sent');
    expect(broker.placed).toEqual([]);
    expect(reasonOf(last())).toContain('took so long that its price');
    hang(25_000);
    expect(await tried(EXIT, 5)).toBe('working');
    expect(broker.placed).toHaveLength(2);
  });
});

describe('the slices of an order', () => {
  it('do not leave where writing down the whole and the first of them took long together', async () => {
    const { broker, hang, tried, last } = await onSlowDisk();
    broker.trading.permit = () => {
      hang(4_000);
      return Promise.resolve(null);
    };
    hang(4_000);
    expect(await tried({}, 5)).toBe('not_sent');
    expect(broker.placed).toEqual([]);
    expect(reasonOf(last())).toContain('took so long that its price');
  });
});

describe('an order that took long to prepare', () => {
  it('is not sent where it waited before, as for lists of instruments', async () => {
    const { time, broker, gateway } = await onSlowDisk();
    const command = gateway.commandOf();
    await time.advance(6_500);
    const placed = gateway.execution.place(command);
    await expect(time.settle(placed)).rejects.toMatchObject({ fields: { code: 'order_not_sent' } });
    expect(broker.placed).toEqual([]);
    expect(gateway.execution.state.orders.size).toBe(0);
  });

  it('is not sent to the next broker of the route either', async () => {
    const { time, broker, next, gateway, tried } = await onSlowDisk();
    broker.trading.permit = () => {
      time.standStill(20_000);
      return Promise.resolve(null);
    };
    expect(await tried({}, null, true)).toBe('order_not_sent');
    expect([...broker.placed, ...next.placed]).toEqual([]);
    expect(gateway.execution.state.orders.size).toBe(0);
  });

  it('is not sent, and leaves its key free', async () => {
    const { time, broker, gateway, tried } = await onSlowDisk();
    broker.trading.permit = () => {
      time.standStill(20_000);
      return Promise.resolve(null);
    };
    expect(await tried()).toBe('order_not_sent');
    expect(gateway.execution.state.orders.size).toBe(0);
    expect(await tried(EXIT)).toBe('working');
    expect(broker.placed).toHaveLength(1);
  });
});

describe('a request that is read when the disk answers again', () => {
  /** The disk has just hung while something else was written. */
  async function afterHanging(ms = 25_000) {
    const slow = await onSlowDisk();
    slow.hang(ms);
    await slow.time.settle(slow.gateway.execution.alert('warning', 'anything'));
    return slow;
  }

  it('is answered that it was not sent, and leaves its key free: it may have waited as long', async () => {
    const { time, broker, gateway, tried } = await afterHanging();
    expect(await tried()).toBe('order_not_sent');
    expect(gateway.execution.state.orders.size).toBe(0);
    await time.advance(1_000);
    expect(await tried()).toBe('working');
    expect(broker.placed).toHaveLength(1);
  });

  it('is not sent after a commit of more than five seconds, and is after a shorter one', async () => {
    expect(await (await afterHanging(5_100)).tried()).toBe('order_not_sent');
    expect(await (await afterHanging(4_900)).tried()).toBe('working');
  });

  it('is sent where it only reduces a position', async () => {
    const { tried } = await afterHanging();
    expect(await tried(EXIT)).toBe('working');
  });
});

describe('a change that the disk took long to write down', () => {
  async function resting() {
    const slow = await onSlowDisk();
    const { id } = await slow.gateway.place();
    slow.broker.rows = [rowAt(slow.time, { tags: [slow.broker.placed[0]!.tag] })];
    await slow.time.advance(2_000);
    slow.hang(25_000);
    return { ...slow, id };
  }

  it('is not sent where it is a modification: its key is free, and the order is as it was', async () => {
    const { time, broker, gateway, id } = await resting();
    const key = { caller: 'someone', idempotencyKey: 'change' };
    const others = { quantity: null, triggerPrice: null, orderType: null, validity: null };
    const changes = { ...others, price: 1_400 };
    const modify = () => time.settle(gateway.execution.amend(id, changes, key));
    await expect(modify()).rejects.toMatchObject({ fields: { code: 'order_not_sent' } });
    expect(broker.modified).toEqual([]);
    // One that is read within a second of that commit may have waited as long.
    await expect(modify()).rejects.toMatchObject({ fields: { code: 'order_not_sent' } });
    await time.advance(1_100);
    expect((await modify()).settled).toBe(true);
    expect(broker.modified).toHaveLength(1);
  });

  it('is not sent where the gateway stood still while it was prepared', async () => {
    const { time, broker, gateway, hang, id } = await resting();
    hang(0);
    broker.trading.permit = () => {
      time.standStill(20_000);
      return Promise.resolve(null);
    };
    const others = { quantity: null, triggerPrice: null, orderType: null, validity: null };
    const modified = gateway.execution.amend(id, { ...others, price: 1_400 }, null);
    await expect(time.settle(modified)).rejects.toMatchObject({
      fields: { code: 'order_not_sent' },
    });
    expect(broker.modified).toEqual([]);
  });

  it('is sent where it is a cancel', async () => {
    const { broker, gateway, id } = await resting();
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });
});
