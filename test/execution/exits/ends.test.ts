import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../support/virtual-time.ts';
import { position } from '../support/makers.ts';
import { exitBench, quoteAt } from './support/exit-bench.ts';

describe('an exit', () => {
  it('stops, and buys nothing, once others have turned the position around', async () => {
    const { begin, after, broker, fates, setHeld, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    await time.advance(3_000);
    setHeld(-20);
    const exit = await after(id, 60_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'reversed', held: -20 });
    expect(exit.over?.detail).toContain(
      'legs of this exit sold 0 of the 100 that were known to be held',
    );
    expect(broker.placed.map(({ terms: { side } }) => side)).toEqual(['SELL']);
  });

  it('is not flat while the rest stands under a product that no order can have', async () => {
    const { begin, after, broker, time } = await exitBench({ held: 0 });
    broker.positions = [position({ quantity: 30, product: 'MTF' })];
    await time.advance(10_000);
    const exit = await after((await begin()).id, 30_000);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'not_covered', held: 0 });
    expect(exit.over?.detail).toContain('30 under MTF');
    expect(broker.placed).toEqual([]);
  });

  it('stops after three minutes whose legs do not end it', async () => {
    const { begin, after, trading, fates } = await exitBench({ settings: { attempts: 100 } });
    // None of them fills.
    for (let leg = 0; leg < 40; leg += 1) fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin({ quantity: null });
    expect((await after(id, 175_000)).over).toBeNull();
    const exit = await after(id, 60_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'took_too_long' });
    expect(trading.alerts().at(-1)?.level).toBe('critical');
  });

  it('goes on after a leg that stood at the circuit for longer than an exit may take', async () => {
    const { begin, after, legs, fates, bench, broker } = await exitBench();
    bench.quote = quoteAt(1_350, { lowerCircuit: 1_350 });
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    await after(id, 600_000);
    bench.quote = quoteAt(1_400, { lowerCircuit: 1_350 });
    broker.rows = broker.rows.map((row) => ({
      ...row,
      ...{ status: 'cancelled', rawStatus: 'CANCELLED' },
    }));
    const exit = await after(id, 20_000);
    expect(legs()).toHaveLength(2);
    expect(exit.over?.end).toBe('flat');
  });

  it('stops without an order where the exchange takes none now', async () => {
    const time = new VirtualTime('2026-11-06T16:30:00+05:30');
    const { begin, after, broker } = await exitBench({ time });
    // A broker with real money decides for itself when it is closed.
    broker.trading.mode = 'paper';
    const exit = await after((await begin()).id, 30_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'market_closed', held: 100 });
    expect(broker.placed).toEqual([]);
  });

  it('stops where a cancel of its leg is not confirmed for 20 seconds', async () => {
    const { begin, after, broker, fates, trading } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
    const { id } = await begin();
    expect((await after(id, 29_000)).over).toBeNull();
    const exit = await after(id, 10_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'leg_not_cancelled' });
    expect(broker.placed).toHaveLength(1);
    expect(trading.alerts().at(-1)?.level).toBe('critical');
  });
});
