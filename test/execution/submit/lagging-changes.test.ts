import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { type LyingBroker } from '../support/lying-broker.ts';
import { restingOrder } from '../support/resting-order.ts';

/** One that only reduces what is held. */
const restingSale = (prepare: (broker: LyingBroker) => void = () => undefined) =>
  restingOrder('SELL', prepare);

/** One that opens more. */
const restingPurchase = () => restingOrder('BUY', () => undefined);

const LOST = uncertain({ kind: 'transport', message: 'no answer' });

describe('under the kill switch, while the book lags behind a change', () => {
  it('a quantity that was lowered is not raised again', async () => {
    const { broker, change, engage } = await restingSale();
    await engage();
    expect(await change({ quantity: 5 })).toBe('sent');
    expect(await change({ quantity: 10 })).toBe('kill_switch');
    expect(await change({ quantity: 6 })).toBe('kill_switch');
    expect(await change({ quantity: 4 })).toBe('sent');
    expect(broker.modified).toHaveLength(2);
  });

  it('nor where it is not known whether the lowering was taken', async () => {
    const { broker, change, engage } = await restingSale();
    await engage();
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    expect(await change({ quantity: 5 })).toBe('sent');
    expect(await change({ quantity: 10 })).toBe('kill_switch');
  });

  it('nor to what a later request raised it to, where the lowering may hold', async () => {
    const { broker, change, engage } = await restingSale();
    const { modify } = broker;
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    expect(await change({ quantity: 5 })).toBe('sent');
    broker.modify = modify;
    expect(await change({ quantity: 8 })).toBe('sent');
    await engage();
    expect(await change({ quantity: 8 })).toBe('kill_switch');
    expect(await change({ quantity: 5 })).toBe('sent');
  });

  it('a change of the price alone repeats the lowest quantity', async () => {
    const { broker, change, engage, repeated } = await restingSale();
    await engage();
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    await change({ quantity: 5 });
    expect(await change({ price: 1_590 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
  });

  it('a change of the price alone repeats the lowest quantity also where a later request raised it', async () => {
    const { broker, change, engage, repeated } = await restingSale();
    const { modify } = broker;
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    await change({ quantity: 5 });
    broker.modify = modify;
    await change({ quantity: 8 });
    await engage();
    expect(await change({ price: 1_590 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
  });

  it('a quantity that was raised before counts once the row shows it', async () => {
    const { time, broker, row, change, engage } = await restingSale();
    await change({ quantity: 5 });
    await change({ quantity: 8 });
    broker.rows = [{ ...row, quantity: 8 }];
    await time.advance(2_000);
    await engage();
    expect(await change({ quantity: 8 })).toBe('sent');
    expect(await change({ quantity: 9 })).toBe('kill_switch');
  });
});

describe('under the kill switch, an order whose row shows by chance what was asked for last', () => {
  it('is not raised to it, where an earlier lowering may hold', async () => {
    const { broker, time, change, engage } = await restingSale();
    const { modify } = broker;
    await change({ quantity: 5 });
    broker.modify = () => LOST;
    await change({ quantity: 10 });
    broker.modify = modify;
    await engage();
    expect(await change({ quantity: 10 })).toBe('kill_switch');
    // The exchange has refused the lowering, or the raise was made: a later book shows ten.
    await time.advance(15_000);
    expect(await change({ quantity: 10 })).toBe('sent');
  });
});

describe('under the kill switch, a purchase of which a change may not have been made', () => {
  it('does not get the price by a second request for it', async () => {
    const { time, broker, change, engage } = await restingPurchase();
    const { modify } = broker;
    broker.modify = () => LOST;
    expect(await change({ price: 1_610 })).toBe('sent');
    broker.modify = modify;
    await time.advance(30_000);
    await engage();
    expect(await change({ price: 1_610 })).toBe('kill_switch');
    expect(await change({ price: 1_600 })).toBe('kill_switch');
    expect(await change({ quantity: 5 })).toBe('sent');
  });

  it('nor the type', async () => {
    const { broker, change, engage } = await restingPurchase();
    const { modify } = broker;
    broker.modify = () => LOST;
    expect(await change({ orderType: 'MARKET' })).toBe('sent');
    broker.modify = modify;
    await engage();
    expect(await change({ orderType: 'MARKET' })).toBe('kill_switch');
  });

  it('nor what the exchange has refused after the broker had accepted it', async () => {
    const { time, broker, row, change, engage } = await restingPurchase();
    expect(await change({ price: 1_610 })).toBe('sent');
    await time.advance(1_000);
    broker.rows = [{ ...row, updatedAt: time.now() }];
    await time.advance(600_000);
    await engage();
    expect(await change({ price: 1_610 })).toBe('kill_switch');
    expect(await change({ quantity: 5 })).toBe('sent');
  });

  it('nor the type that a row does not show any more', async () => {
    const { time, broker, row, change, engage } = await restingPurchase();
    broker.rows = [{ ...row, orderType: 'SL', triggerPrice: 1_595, updatedAt: time.now() }];
    await time.advance(600_000);
    await engage();
    expect(await change({ orderType: 'LIMIT' })).toBe('kill_switch');
  });

  it.each([
    { asked: { price: 1_610 }, repeated: { orderType: 'LIMIT', price: 1_600 } },
    { asked: { price: 1_590 }, repeated: { orderType: 'LIMIT', price: 1_590 } },
    { asked: { orderType: 'MARKET' }, repeated: { orderType: 'LIMIT', price: 1_600 } },
  ] as const)('repeats what trades later: $repeated after $asked', async (each) => {
    const { broker, change, engage, repeated } = await restingPurchase();
    const { modify } = broker;
    broker.modify = () => LOST;
    expect(await change(each.asked)).toBe('sent');
    broker.modify = modify;
    await engage();
    expect(await change({ quantity: 5 })).toBe('sent');
    expect(repeated()).toMatchObject(each.repeated);
  });

  it('repeats a stop that triggers later', async () => {
    const { broker, change, engage, repeated } = await restingPurchase();
    const { modify } = broker;
    broker.modify = () => LOST;
    expect(await change({ orderType: 'SL', triggerPrice: 1_595 })).toBe('sent');
    broker.modify = modify;
    await engage();
    expect(await change({ quantity: 5 })).toBe('sent');
    expect(repeated()).toMatchObject({ orderType: 'SL', price: 1_600, triggerPrice: 1_595 });
  });
});

describe('a change of one field, sent to a broker that requires all', () => {
  it('repeats the quantity that was asked for, not that of a book that lags', async () => {
    const { change, repeated } = await restingSale();
    await change({ quantity: 5 });
    await change({ price: 1_590 });
    expect(repeated()).toMatchObject({ quantity: 5, price: 1_600 });
    await change({ quantity: 4 });
    expect(repeated()).toMatchObject({ price: 1_590 });
  });

  it('repeats what a person has changed in the app since', async () => {
    const { time, broker, row, change, repeated } = await restingSale();
    await change({ quantity: 5 });
    await time.advance(20_000);
    broker.rows = [{ ...row, quantity: 7, updatedAt: time.now() }];
    await time.advance(2_000);
    await change({ price: 1_590 });
    expect(repeated()).toMatchObject({ quantity: 7 });
  });

  it.each([
    { lost: { quantity: 20 }, asked: { price: 1_590 }, repeated: { quantity: 10 } },
    { lost: { price: 1_610 }, asked: { quantity: 9 }, repeated: { price: 1_600 } },
    { lost: { orderType: 'MARKET' }, asked: { quantity: 9 }, repeated: { orderType: 'LIMIT' } },
  ] as const)('does not make one that was lost long before: $lost', async (each) => {
    const { time, broker, change, repeated } = await restingPurchase();
    const { modify } = broker;
    broker.modify = () => LOST;
    await change(each.lost);
    broker.modify = modify;
    await time.advance(600_000);
    expect(await change(each.asked)).toBe('sent');
    expect(repeated()).toMatchObject(each.repeated);
  });

  it('nor one that the exchange has refused', async () => {
    const { time, broker, row, change, engage, repeated } = await restingPurchase();
    await change({ price: 1_610 });
    broker.rows = [{ ...row, updatedAt: time.now() }];
    await time.advance(600_000);
    await change({ quantity: 9 });
    expect(repeated()).toMatchObject({ price: 1_600 });
    await engage();
    await change({ quantity: 8 });
    expect(repeated()).toMatchObject({ price: 1_600 });
  });
});
