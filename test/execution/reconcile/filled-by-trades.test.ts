import { describe, expect, it } from 'vitest';
import type { UnreadRow } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { fillOf, statusOf } from '../../../src/execution/order/order.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { exitBench } from '../exits/support/exit-bench.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade, unreadRow } from '../support/makers.ts';

/**
 * An order that was acknowledged, and of which no book has ever shown a row that can be read whole: the usual case of an
 * odd row, since what makes it odd is there from its first second on. All of its trades are there.
 */
describe('an order whose row no book has shown whole, and that its trades fill', () => {
  it.each(['cannot be read', 'is missing'])('is filled, where its row %s', async (how) => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    const { tag } = broker.placed[0]!;
    broker.rows = [rowAt(time, { brokerOrderId: 'f1', instrument: 'NSE:TCS', side: 'SELL' })];
    if (how === 'cannot be read') {
      broker.unreadRows = [unreadRow({ brokerOrderId: 'b1', tags: [tag] })];
    }
    broker.fills = [
      trade({ fillId: 't1', quantity: 4, instrument: 'NSE:INFY', side: 'BUY' }),
      trade({ fillId: 't2', quantity: 6, instrument: 'NSE:INFY', side: 'BUY' }),
    ];
    await time.advance(20_000);
    // The same with a row that was read once is `filled` (lost-rows.test).
    expect(orderResponse(gateway.order(id))).toMatchObject({
      ...{ status: 'filled', filledQuantity: 10, remainingQuantity: 0, averagePrice: 1_500 },
    });
    expect(broker.cancels).toEqual([]);
  });

  it('works on while fewer have filled than it may have been made to have', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    const { tag } = broker.placed[0]!;
    broker.unreadRows = [unreadRow({ brokerOrderId: 'b1', tags: [tag] })];
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    const changes = { quantity: 20, price: null, orderType: null, triggerPrice: null };
    await time.settle(gateway.execution.amend(id, { ...changes, validity: null }, null));
    broker.fills = [trade({ quantity: 10 })];
    await time.advance(20_000);
    expect(orderResponse(gateway.order(id))).toMatchObject({
      status: 'working',
      filledQuantity: 10,
    });
    broker.fills = [trade({ quantity: 10 }), trade({ fillId: 't2', quantity: 10 })];
    await time.advance(20_000);
    expect(orderResponse(gateway.order(id))).toMatchObject({
      status: 'filled',
      filledQuantity: 20,
    });
  });

  it('is disputed where its first row is another order’s, and a cancel of it stays wanted', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    await gateway.cancel(id);
    broker.fills = [trade({ quantity: 10 })];
    await time.advance(20_000);
    expect(statusOf(gateway.order(id))).toBe('filled');
    broker.rows = [rowAt(time, { instrument: 'NSE:TCS', side: 'SELL' })];
    await time.advance(20_000);
    expect(gateway.order(id).state).toMatchObject({ kind: 'disputed', cancelWanted: true });
    expect(fillOf(gateway.order(id)).filledQuantity).toBeNull();
  });

  it('is not disputed at 06:00: nothing about it is open', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    const { tag } = broker.placed[0]!;
    broker.unreadRows = [unreadRow({ brokerOrderId: 'b1', tags: [tag] })];
    broker.fills = [trade({ quantity: 10 })];
    await time.advance(20_000);
    await time.advanceTo('2026-11-07T06:01:00+05:30');
    expect(orderResponse(gateway.order(id))).toMatchObject({
      ...{ status: 'filled', filledQuantity: 10 },
    });
  });
});

describe('an exit whose leg has a row that no book has shown whole', () => {
  it('ends flat once the trades have filled it and the positions show nothing', async () => {
    const { begin, after, broker, legs } = await exitBench();
    const { place } = broker;
    let trades = 0;
    broker.place = async (attempt) => {
      const outcome = await place(attempt);
      const row = broker.rows.at(-1)!;
      const { brokerOrderId, instrument, side, quantity, product, tags } = row;
      broker.rows = broker.rows.slice(0, -1);
      const odd: Partial<UnreadRow> = { brokerOrderId, instrument, side, quantity, product, tags };
      broker.unreadRows = [...broker.unreadRows, unreadRow(odd)];
      const fillId = `t${(trades += 1)}`;
      const filled = row.filledQuantity ?? 0;
      broker.fills = [...broker.fills, trade({ fillId, brokerOrderId, quantity: filled })];
      return outcome;
    };
    // A trade that the exchange has made is not cancelled: the broker says so each time.
    broker.cancel = () => ({
      kind: 'refused',
      rejection: 'other',
      reason: 'the order is complete',
    });
    const exit = await after((await begin()).id, 90_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
    expect(exit.over?.end).toBe('flat');
  });
});
