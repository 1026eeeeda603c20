import { describe, expect, it } from 'vitest';
import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import { refused } from '../../../src/domain/outcome.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { plus } from '../../../src/units/branded.ts';
import { fieldsOf } from '../support/order-fields.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade } from '../support/makers.ts';

const CANCELLED = { status: 'cancelled', rawStatus: 'CANCELLED' } as const;
const REJECTED = { status: 'rejected', rawStatus: 'REJECTED' } as const;

/** One order at a broker whose book a test writes; nothing else is open there. */
async function oneOrder({ broker = 'alt', tagging = 'always' as 'always' | 'never' } = {}) {
  const time = midday();
  const lying = lyingBroker(time, { broker, tagging });
  const trading = await tradingWith(time, [lying], openDatabase(':memory:'));
  const row = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
    rowAt(time, { tags: lying.placed.map(({ tag }) => tag), ...parts });
  return {
    ...{ time, lying, trading, row },
    now: (id: string) => fieldsOf(trading.order(id)),
    /** Places an order, shows its row, and ends it with these fields. */
    async end(parts: Partial<BrokerOrder>) {
      const { id } = await trading.place();
      lying.rows = [row()];
      await time.advance(3_000);
      lying.rows = [row(parts)];
      await time.advance(3_000);
      return id;
    },
    /** Reads of the book within `ms`. */
    async readsIn(ms: number) {
      const before = lying.reads;
      await time.advance(ms);
      return lying.reads - before;
    },
  };
}

describe('an order that has ended, where nothing else is open', () => {
  it.each([
    ['was cancelled', CANCELLED],
    ['was rejected by the exchange', REJECTED],
  ])('gets the fill that its row shows minutes after it %s', async (_what, end) => {
    const { time, lying, row, now, end: ends } = await oneOrder();
    const id = await ends(end);
    expect(now(id)).toMatchObject({ status: end.status, filledQuantity: 0 });
    await time.advance(240_000);
    lying.rows = [row({ ...end, filledQuantity: 4 })];
    lying.fills = [trade()];
    await time.advance(6_000);
    expect(now(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('gets the fill that only the trades show', async () => {
    const { time, lying, now, end, trading } = await oneOrder();
    const id = await end(CANCELLED);
    await time.advance(60_000);
    lying.fills = [trade()];
    await time.advance(12_000);
    expect(now(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
    expect(trading.execution.state.fills.size).toBe(1);
  });

  it('is read for every five seconds at most, and no longer than five minutes', async () => {
    const { end, readsIn } = await oneOrder();
    await end(CANCELLED);
    expect(await readsIn(60_000)).toBeLessThanOrEqual(12);
    expect(await readsIn(300_000)).toBeGreaterThan(40);
    expect(await readsIn(600_000)).toBe(0);
  });

  it('is watched on after a restart, for what is left of the five minutes', async () => {
    const { time, lying, row, now, end, trading, readsIn } = await oneOrder();
    const id = await end(CANCELLED);
    await time.advance(60_000);
    await trading.restart();
    await time.advance(60_000);
    lying.rows = [row({ ...CANCELLED, filledQuantity: 4 })];
    lying.fills = [trade()];
    await time.advance(6_000);
    expect(now(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
    await time.advance(310_000);
    await trading.restart();
    await time.advance(5_000);
    expect(await readsIn(300_000)).toBe(0);
  });

  it('is found where it was refused, and its row is late', async () => {
    const { time, lying, row, now, trading } = await oneOrder();
    lying.place = () => refused('other', 'RMS: no');
    const { id } = await trading.place();
    await time.advance(120_000);
    lying.rows = [row()];
    await time.advance(6_000);
    expect(now(id)).toMatchObject({ status: 'working', boundBy: 'tag' });
  });
});

describe('a row that works after it had ended', () => {
  it('makes its order open again, which can be cancelled', async () => {
    const { time, lying, row, now, end, trading } = await oneOrder();
    const id = await end(CANCELLED);
    lying.rows = [row()];
    await time.advance(12_000);
    expect(now(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    expect(trading.alerts()).toContainEqual({
      level: 'critical',
      orderId: id,
      message: expect.stringContaining('its broker shows it working again'),
    });
    await trading.cancel(id);
    expect(lying.cancels).toEqual(['b1']);
    lying.rows = [row({ ...CANCELLED, filledQuantity: 4 })];
    lying.fills = [trade()];
    await time.advance(3_000);
    expect(now(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('makes an order that was filled open again, where it has been made larger', async () => {
    const { time, lying, row, now, end } = await oneOrder();
    const whole = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    const id = await end(whole);
    lying.fills = [trade({ quantity: 10 })];
    await time.advance(3_000);
    lying.rows = [row({ quantity: 20, filledQuantity: 10 })];
    await time.advance(12_000);
    expect(now(id)).toMatchObject({ status: 'working', filledQuantity: 10 });
    lying.rows = [row({ ...whole, quantity: 20, filledQuantity: 20 })];
    lying.fills.push(trade({ fillId: 'f2', quantity: 10 }));
    await time.advance(3_000);
    expect(now(id)).toMatchObject({ status: 'filled', filledQuantity: 20 });
  });

  it('is not believed after one read', async () => {
    const { time, lying, row, now, end, trading } = await oneOrder();
    const id = await end(CANCELLED);
    const ended = lying.rows;
    lying.rows = [row()];
    await time.advance(5_500);
    lying.rows = ended;
    await time.advance(120_000);
    expect(now(id).status).toBe('cancelled');
    expect(trading.alerts().filter(({ level }) => level === 'critical')).toEqual([]);
  });

  it('is not believed for a minute where it is older than the end', async () => {
    const { time, lying, row, now, end } = await oneOrder();
    const id = await end(CANCELLED);
    lying.rows = [row({ updatedAt: plus(time.now(), -60_000) })];
    await time.advance(50_000);
    expect(now(id).status).toBe('cancelled');
    await time.advance(30_000);
    expect(now(id).status).toBe('working');
  });

  it('is not believed where it has fewer fills than are known', async () => {
    const { time, lying, row, now, end } = await oneOrder();
    const fills: BrokerFill[] = [trade()];
    const id = await end({ ...CANCELLED, status: 'partial', filledQuantity: 4 });
    lying.fills = fills;
    await time.advance(3_000);
    lying.rows = [row({ filledQuantity: 0 })];
    await time.advance(200_000);
    expect(now(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('is found by the comparison of the day, long after the end', async () => {
    const { time, lying, row, now, end } = await oneOrder();
    const id = await end(CANCELLED);
    await time.advance(600_000);
    lying.rows = [row()];
    await time.advanceTo('2026-11-06T15:52:00+05:30');
    expect(now(id).status).toBe('working');
  });
});
