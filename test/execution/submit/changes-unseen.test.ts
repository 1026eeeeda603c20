import { describe, expect, it } from 'vitest';
import { smartModifyRequest } from '../../../src/adapters/primary/smart-order-request.ts';
import { notSent, refused, uncertain } from '../../../src/domain/outcome.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { plus } from '../../../src/units/branded.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { position, unreadRow } from '../support/makers.ts';
import { restingOrder } from '../support/resting-order.ts';

const LOST = uncertain({ kind: 'transport', message: 'no answer' });

type Resting = Awaited<ReturnType<typeof restingOrder>>;

async function lose({ broker, change }: Resting, changes: Parameters<Resting['change']>[0]) {
  const { modify } = broker;
  broker.modify = () => LOST;
  await change(changes);
  broker.modify = modify;
}

describe('a change of an order whose row the last book does not tell', () => {
  it.each(['is missing', 'cannot be read'])(
    'repeats what was accepted, however late the book: its row %s',
    async (what) => {
      const { time, broker, change, repeated } = await restingOrder('BUY');
      await change({ quantity: 5 });
      broker.rows = [];
      broker.unreadRows = what === 'is missing' ? [] : [unreadRow({ brokerOrderId: 'b1' })];
      await time.advance(12_000);
      expect(await change({ price: 1_590 })).toBe('sent');
      expect(repeated()).toMatchObject({ quantity: 5 });
    },
  );

  it('raises nothing under the kill switch', async () => {
    const resting = await restingOrder('SELL');
    const { time, broker, change, engage } = resting;
    await change({ quantity: 5 });
    await lose(resting, { quantity: 10 });
    broker.rows = [];
    broker.unreadRows = [unreadRow({ brokerOrderId: 'b1' })];
    await time.advance(12_000);
    await engage();
    expect(await change({ quantity: 10 })).toBe('kill_switch');
  });
});

describe('an accepted change, at a broker whose clock is ahead', () => {
  it.each([20_000, 55_000])('is repeated while the book lags behind it: %d ms', async (ahead) => {
    const { time, broker, row, change, repeated } = await restingOrder('BUY');
    broker.trading.brokerTime = () => ({
      ...{ at: plus(time.now(), ahead), localAt: time.now(), receivedAt: time.elapsed() },
    });
    broker.rows = [{ ...row, updatedAt: plus(time.now(), ahead) }];
    await time.advance(2_000);
    expect(await change({ quantity: 5 })).toBe('sent');
    await time.advance(2_000);
    expect(await change({ price: 1_590 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
  });
});

describe('a change that may have been made', () => {
  it('counts for as long as later requests have repeated it', async () => {
    const resting = await restingOrder('BUY');
    const { time, change, repeated } = resting;
    await lose(resting, { quantity: 5 });
    await time.advance(8_000);
    expect(await change({ price: 1_590 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
    await time.advance(3_000);
    expect(await change({ price: 1_580 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
    await time.advance(60_000);
    await change({ price: 1_570 });
    expect(repeated()).toMatchObject({ quantity: 10 });
  });

  it('is not made for an exit an hour later, under the kill switch either', async () => {
    const resting = await restingOrder('SELL');
    const { time, change, engage, repeated } = resting;
    await lose(resting, { price: 1_700 });
    await time.advance(3_600_000);
    await engage();
    expect(await change({ quantity: 9 })).toBe('sent');
    expect(repeated()).toMatchObject({ price: 1_600 });
  });

  it('to less than has filled since is none that an exit has', async () => {
    const resting = await restingOrder('SELL');
    const { time, broker, row, change, engage, repeated } = resting;
    await lose(resting, { quantity: 5 });
    await time.advance(600_000);
    broker.rows = [{ ...row, filledQuantity: 6, averagePrice: 1_600, updatedAt: time.now() }];
    broker.positions = [position({ quantity: 4, sellQuantity: 6 })];
    await time.advance(30_000);
    await engage();
    expect([await change({ quantity: 8 }), await change({ price: 1_590 })]).toEqual([
      'sent',
      'sent',
    ]);
    expect(repeated()).toMatchObject({ quantity: 8 });
  });

  it.each([
    [{ quantity: 20 }, { quantity: 10, price: 1_605 }, { qty: 10 }],
    [{ price: 1_610 }, { quantity: 9, price: 1_600 }, { trigger_limit_price: 1_600 }],
  ])('is taken back by a request that names the old value: %j, %j', async (first, then, body) => {
    const stop = { orderType: 'SL', triggerPrice: 1_595 } as const;
    const { broker, change } = await restingOrder('BUY', () => undefined, stop);
    expect([await change(first), await change(then)]).toEqual(['sent', 'sent']);
    const last = broker.modified.at(-1);
    if (last === undefined) throw new Error('nothing was modified');
    expect(smartModifyRequest(last)).toMatchObject({ body });
  });
});

describe('a cancel that meets one under way', () => {
  it.each([notSent('connect', 'no connection'), refused('other', 'not allowed')])(
    'is carried out, or told to a person, where that one comes to nothing ($kind)',
    async (answer) => {
      const { time, broker, gateway, id } = await restingOrder('BUY');
      broker.cancel = async () => {
        await new Promise((resolve) => time.after(2_000, () => resolve(null)));
        return answer;
      };
      const ask = (key: string) =>
        gateway.execution.amend(id, null, { caller: key, idempotencyKey: key }).then(
          ({ settled }) => settled,
          (error: { fields?: { code: string } }) => error.fields?.code,
        );
      const first = ask('one');
      await time.advance(500);
      expect(await time.settle(ask('two'))).toBe(false);
      await time.advance(60_000);
      await first;
      const isTold = gateway.alerts().some(({ orderId }) => orderId === id);
      expect(broker.cancels.length > 1 || isTold).toBe(true);
    },
  );
});

describe('a cancel that is kept on disk', () => {
  it('is sent less often the longer the disk takes nothing', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const disk = failingDatabase(openDatabase(':memory:'));
    const gateway = await tradingWith(time, [broker], disk.database);
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]?.tag ?? ''] })];
    await time.advance(5_000);
    broker.cancel = () => ({ ...refused('rate_limited', 'busy'), pending: true });
    await gateway.cancel(id);
    await time.advance(200);
    disk.fail();
    const before = broker.cancels.length;
    await time.advance(600_000);
    expect(broker.cancels.length - before).toBeLessThan(20);
    disk.heal();
    broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
    const healed = broker.cancels.length;
    await time.advance(120_000);
    expect(broker.cancels.length).toBeGreaterThan(healed);
  });
});
