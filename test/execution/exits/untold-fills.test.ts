import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { plus } from '../../../src/units/branded.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position, unreadRow } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

const SALE = { brokerOrderId: 'x1', side: 'SELL', product: 'INTRADAY', quantity: 60 } as const;
const ENDED = { status: 'cancelled', rawStatus: 'CANCELLED', filledQuantity: null } as const;

/** A hundred shares are held, and somebody has ended a sale of sixty elsewhere whose row tells no fill. */
async function benchWith(row: Partial<BrokerOrder>, held = 100) {
  const bench = await exitBench({ held });
  const { broker, time } = bench;
  const endedAgo = (ms: number): void => {
    const now = time.now();
    const times = { createdAt: plus(now, -ms - 60_000), updatedAt: plus(now, -ms) };
    broker.rows = [rowAt(time, { ...SALE, ...ENDED, ...times, ...row })];
  };
  endedAgo(0);
  return { ...bench, endedAgo };
}

describe('an exit beside an order placed elsewhere that has ended, and whose row tells no fill', () => {
  it('sells first what that cannot have sold, and the rest once the positions would show a fill', async () => {
    const { begin, after, legs } = await benchWith({});
    const { id } = await begin();
    await after(id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
    expect((await after(id, 20_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().map(([, quantity]) => quantity)).toEqual([40, 60]);
  });

  it('sells no more than is left where it had sold, and the positions show it late', async () => {
    const { begin, after, legs, setHeld } = await benchWith({});
    const { id } = await begin();
    await after(id, 5_000);
    // Forty of ours have filled by then.
    setHeld(0);
    expect((await after(id, 20_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
  });

  it('sells all at once where it ended before, and has changed since it was placed', async () => {
    const { begin, after, legs, endedAgo } = await benchWith({});
    endedAgo(10_000);
    await after((await begin()).id, 3_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
  });

  it('waits for one that ended before the last known fill: what is shown may be either', async () => {
    const { begin, after, legs, endedAgo, broker, time, setHeld } = await benchWith({});
    endedAgo(10_000);
    const now = time.now();
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 30 } as const;
    const times = { createdAt: plus(now, -60_000), updatedAt: now };
    const sold = rowAt(time, { ...SALE, brokerOrderId: 'x2', quantity: 30, ...filled, ...times });
    broker.rows = [...broker.rows, sold];
    setHeld(70);
    const { id } = await begin();
    await after(id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([10]);
    expect((await after(id, 30_000)).over).toMatchObject({ end: 'flat' });
  });

  it('waits for one whose time of change may be that of its placing, or is not told', async () => {
    for (const updatedAt of ['made', null] as const) {
      const { begin, after, legs, broker, time } = await benchWith({});
      const createdAt = plus(time.now(), -600_000);
      const times = { createdAt, updatedAt: updatedAt === null ? null : createdAt };
      broker.rows = [rowAt(time, { ...SALE, ...ENDED, ...times })];
      await after((await begin()).id, 5_000);
      expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
    }
  });

  it.each([
    ['is dated an hour ahead', 3_600_000],
    ['tells no time', null],
  ])('waits no longer where the row of another fill %s', async (_what, ahead) => {
    const { begin, after, legs, broker, time, endedAgo, setHeld } = await benchWith({}, 110);
    endedAgo(600_000);
    const updatedAt = ahead === null ? null : plus(time.now(), ahead);
    const row = { ...SALE, brokerOrderId: 'x2', quantity: 10, filledQuantity: 10 } as const;
    broker.rows = [...broker.rows, rowAt(time, { ...row, status: 'filled', updatedAt })];
    setHeld(100);
    const { id } = await begin();
    expect((await after(id, 20_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().map(([, quantity]) => quantity)).toEqual([40, 60]);
  });

  it('is not said to be flat while one may have bought what the positions do not show', async () => {
    const { begin, after, broker } = await benchWith({ side: 'BUY' });
    broker.positions = [];
    const { id } = await begin();
    expect((await after(id, 2_000)).over).toBeNull();
    broker.positions = [position({ quantity: 60, product: 'INTRADAY' })];
    await after(id, 20_000);
    expect(broker.placed.map(({ terms: { quantity } }) => quantity)).toEqual([60]);
  });

  describe('where nothing is held, and the positions lack a fill that is known', () => {
    const FILLED = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;

    it.each([
      ['bought', 'BUY', 'SELL', 60],
      ['sold', 'SELL', 'BUY', -60],
    ] as const)(
      'is not flat because it may have undone what was %s',
      async (_did, side, other, quantity) => {
        const { begin, after, broker, time } = await benchWith({ side: other });
        broker.positions = [];
        const row = { brokerOrderId: 'x2', side, quantity: 60, filledQuantity: 60 } as const;
        const known = rowAt(time, { ...row, ...FILLED, product: 'INTRADAY' });
        broker.rows = [...broker.rows, known];
        const { id } = await begin();
        expect((await after(id, 10_000)).over).toBeNull();
        broker.positions = [position({ quantity, product: 'INTRADAY' })];
        await after(id, 10_000);
        const ended = { side: other, quantity: 60 };
        expect(broker.placed.map(({ terms }) => terms)).toMatchObject([ended]);
      },
    );

    it('is not flat while it may have sold more than was held', async () => {
      const { begin, after, broker } = await benchWith({});
      broker.positions = [];
      const { id } = await begin();
      expect((await after(id, 4_500)).over).toBeNull();
      expect((await after(id, 10_000)).over).toMatchObject({ end: 'flat' });
    });
  });

  it.each([
    ['says that it has filled nothing', { filledQuantity: 0 }],
    ['is of another product', { product: 'MARGIN' }],
    ['is of an ended session', 'yesterday' as const],
  ])('sells all at once where its row %s', async (_what, parts) => {
    const { begin, after, legs, broker, time } = await benchWith({});
    const day = 86_400_000;
    const past = { createdAt: plus(time.now(), -day), updatedAt: plus(time.now(), -day) };
    const row = parts === 'yesterday' ? past : parts;
    broker.rows = [rowAt(time, { ...SALE, ...ENDED, ...row })];
    await after((await begin()).id, 3_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
  });

  it('waits in the same way for one whose row cannot be read', async () => {
    const { begin, after, legs, broker } = await benchWith({});
    broker.rows = [];
    const row = { ...SALE, instrument: 'NSE:INFY', status: 'cancelled' } as const;
    broker.unreadRows = [unreadRow({ ...row, reason: 'price: not a number' })];
    const { id } = await begin();
    await after(id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
    expect((await after(id, 20_000)).over).toMatchObject({ end: 'flat' });
  });

  it('sells nothing until then where its quantity cannot be read either', async () => {
    const { begin, after, legs, broker } = await benchWith({});
    broker.rows = [];
    const row = { ...SALE, quantity: null, instrument: 'NSE:INFY', status: 'cancelled' } as const;
    broker.unreadRows = [unreadRow({ ...row, reason: 'quantity: not a number' })];
    const { id } = await begin();
    await after(id, 4_000);
    expect(legs()).toEqual([]);
    expect((await after(id, 20_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
  });
});
