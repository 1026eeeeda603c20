import { describe, expect, it } from 'vitest';
import { exitBench } from './support/exit-bench.ts';

const UNREAD = `UPDATE orders SET record = '{}' WHERE idempotency_key LIKE 'exit_%#1'`;

describe('an exit of which a leg is quarantined', () => {
  it('ends stopped where the leg is under way: the part is not sold again', async () => {
    const { begin, after, trading, database, fates, legs, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 10 });
    const { id } = await begin({ quantity: 40 });
    await time.advance(1_000);
    database.exec(UNREAD);
    await trading.restart();
    const { over } = await after(id, 60_000);
    expect(over).toMatchObject({ end: 'stopped', why: 'leg_uncertain', held: 90 });
    expect(over?.detail).toContain('leg 1');
    expect(legs()).toHaveLength(1);
  });

  it('ends stopped where the leg was over, and counted as sold before', async () => {
    const { begin, after, trading, database, fates, legs, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 10 }, { kind: 'fills', quantity: 5 });
    const { id } = await begin({ quantity: 40 });
    await time.advance(12_000);
    expect(legs()).toHaveLength(2);
    database.exec(UNREAD);
    await trading.restart();
    const { over } = await after(id, 60_000);
    expect(over).toMatchObject({ end: 'stopped', why: 'leg_uncertain' });
    expect(legs()).toHaveLength(2);
    expect(trading.alerts().at(-1)?.level).toBe('critical');
  });

  it('ends stopped where it is the order that the exit takes the place of', async () => {
    const { begin, after, trading, database, fates, legs, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 }, { kind: 'fills', quantity: 0 });
    const terms = { side: 'SELL', product: 'INTRADAY', quantity: 30 } as const;
    const order = await trading.place(terms);
    await time.advance(2_000);
    const { id } = await begin({ orderId: order.id });
    await time.advance(3_000);
    const before = legs().length;
    database.exec(`UPDATE orders SET record = '{}' WHERE id = '${order.id}'`);
    await trading.restart();
    const { over } = await after(id, 60_000);
    expect(over).toMatchObject({ end: 'stopped', why: 'fill_unknown' });
    expect(legs()).toHaveLength(before);
  });
});
