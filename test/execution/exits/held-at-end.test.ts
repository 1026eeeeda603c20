import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { position } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/** The broker does not answer the first leg; `taken` are filled at once, and the positions show it after a while. */
async function unanswered({ taken = 0, shownAfterMs = 0 } = {}) {
  const bench = await exitBench();
  const { broker, setHeld, time } = bench;
  broker.place = () => {
    time.after(shownAfterMs, () => setHeld(100 - taken));
    return uncertain({ kind: 'transport', message: 'no answer' });
  };
  return bench;
}

/** A leg that works, and whose cancel is not confirmed. */
async function stuck(filled = 0) {
  const bench = await exitBench();
  bench.fates.push({ kind: 'fills', quantity: filled });
  bench.broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
  return bench;
}

describe('what is still held, of an exit that stopped with a leg open', () => {
  it('is told where it is not known whether the broker has the leg', async () => {
    const { begin, after } = await unanswered();
    const { over } = await after((await begin()).id, 60_000);
    expect(over).toMatchObject({ why: 'leg_uncertain', held: 100 });
  });

  it('is read once the positions can show what the leg has filled, and not before', async () => {
    const { begin, after, legs } = await unanswered({ taken: 100, shownAfterMs: 900 });
    const { over } = await after((await begin()).id, 60_000);
    expect(over).toMatchObject({ why: 'leg_uncertain', held: 0 });
    expect(legs()).toHaveLength(1);
  });

  it.each([0, 30])(
    'is told where the leg cannot be cancelled, of which %i have filled',
    async (filled) => {
      const { begin, after } = await stuck(filled);
      const { over } = await after((await begin()).id, 60_000);
      expect(over).toMatchObject({ why: 'leg_not_cancelled', held: 100 - filled });
    },
  );

  it('is not told while the positions lack what has filled', async () => {
    const { begin, after, bench } = await stuck(30);
    bench.showsFills = false;
    const { over } = await after((await begin()).id, 90_000);
    expect(over).toMatchObject({ why: 'leg_not_cancelled', held: null });
  });

  it('is not told where the account, or its row, cannot be read', async () => {
    const unreadable = await stuck();
    const first = await unreadable.begin();
    await unreadable.time.advance(5_000);
    unreadable.broker.isAccountReadable = false;
    expect((await unreadable.after(first.id, 90_000)).over).toMatchObject({
      ...{ why: 'leg_not_cancelled', held: null },
    });
    const twice = await stuck();
    const second = await twice.begin();
    await twice.time.advance(5_000);
    const [row] = twice.broker.positions;
    twice.broker.positions = [row!, position({ ...row, quantity: 40 })];
    expect((await twice.after(second.id, 90_000)).over).toMatchObject({
      ...{ why: 'leg_not_cancelled', held: null },
    });
  });

  it('is not that of another user who has logged in', async () => {
    const { begin, after, broker, time } = await stuck();
    let account = 'AB1';
    broker.trading.account = () => Promise.resolve(account);
    const { id } = await begin();
    await time.advance(5_000);
    account = 'XY9';
    expect((await after(id, 90_000)).over).toMatchObject({ end: 'stopped', held: null });
  });
});

describe('what is still held, of an exit that stopped since a fill is not known', () => {
  /** The leg is over, and its row does not say how much of it has filled. */
  async function withoutFigure(held: number) {
    const { begin, after, broker, fates, setHeld, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    await time.advance(2_000);
    broker.rows = broker.rows.map((row) => ({
      ...row,
      ...{ status: 'partial', rawStatus: 'PARTIALLY FILLED - CANCELLED', filledQuantity: null },
    }));
    setHeld(held);
    return (await after(id, 30_000)).over;
  }

  it('is told where the positions show all that it can have sold', async () => {
    expect(await withoutFigure(0)).toMatchObject({ why: 'fill_unknown', held: 0 });
  });

  it('is not told where they show less: the rest may only be late', async () => {
    expect(await withoutFigure(60)).toMatchObject({ why: 'fill_unknown', held: null });
  });
});
