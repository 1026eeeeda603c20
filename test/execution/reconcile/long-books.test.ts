import { describe, expect, it } from 'vitest';
import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { trade } from '../support/makers.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const OTHERS = 500;

/** Which rows and trades of others anything was read of. */
function watchReads() {
  let looks = 0;
  return {
    watched: <Row extends object>(row: Row): Row =>
      new Proxy(row, {
        get(target, key) {
          looks += 1;
          return Reflect.get(target, key);
        },
      }),
    looks(): number {
      const count = looks;
      looks = 0;
      return count;
    },
  };
}

/** A working order b1 among filled orders of others, each with its trade, after some reads of the book. */
async function longBook() {
  const time = midday();
  const broker = lyingBroker(time);
  // Where a broker does not tell its time, the times of all rows have to stand in for it.
  broker.trading.brokerTime = () => ({
    ...{ at: time.now(), localAt: time.now(), receivedAt: time.elapsed() },
  });
  const gateway = await tradingWith(time, [broker]);
  const { watched, looks } = watchReads();
  const others: BrokerOrder[] = [];
  const trades: BrokerFill[] = [];
  for (let number = 0; number < OTHERS; number += 1) {
    const brokerOrderId = `f${number}`;
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    others.push(watched(rowAt(time, { brokerOrderId, ...filled })));
    trades.push(watched(trade({ fillId: `t${number}`, brokerOrderId, quantity: 10 })));
  }
  const { id } = await gateway.place();
  const tags = [broker.placed[0]!.tag];
  const show = (parts: Partial<BrokerOrder>): void => {
    broker.rows = [rowAt(time, { tags, ...parts }), ...others];
  };
  // A row of others is looked at when it is first shown, and its trades once more after that.
  for (const filledQuantity of [1, 2]) {
    const fillId = `own${filledQuantity}`;
    trades.push(trade({ fillId, brokerOrderId: 'b1', quantity: 1 }));
    broker.fills = [...trades];
    show({ filledQuantity, status: 'working' });
    await time.advance(3_000);
  }
  looks();
  return { time, broker, gateway, id, trades, show, looks };
}

describe('a book of many rows of others', () => {
  it('is read without a look at any of them, while nothing of them changes', async () => {
    const { time, broker, looks } = await longBook();
    const { reads } = broker;
    await time.advance(5_000);
    expect([broker.reads - reads >= 4, looks()]).toEqual([true, 0]);
  });

  it('is read without a look at any of them when an order of ours fills', async () => {
    const { time, broker, gateway, id, trades, show, looks } = await longBook();
    const { tradeReads } = broker;
    broker.fills = [...trades, trade({ fillId: 'own3', brokerOrderId: 'b1', quantity: 8 })];
    show({ filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' });
    await time.advance(1_500);
    expect(orderResponse(gateway.order(id))).toMatchObject({ status: 'filled' });
    expect([broker.tradeReads > tradeReads, looks()]).toEqual([true, 0]);
  });

  it('has the fills of an order whose row was taken for that of another program before', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(2_000);
    // The row of the second order is in the book, with its trade, before the broker acknowledges it.
    const acknowledged = Promise.withResolvers<void>();
    broker.place = async () => {
      await acknowledged.promise;
      return { kind: 'acknowledged', brokerOrderId: 'b2' };
    };
    const placing = gateway.execution.place(gateway.commandOf());
    await time.advance(500);
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    const second = rowAt(time, { brokerOrderId: 'b2', tags: [broker.placed[1]!.tag], ...filled });
    const [first] = broker.rows;
    broker.fills = [
      trade({ fillId: 't1', brokerOrderId: 'b1', quantity: 1 }),
      trade({ fillId: 't2', brokerOrderId: 'b2', quantity: 10, price: 1_500 }),
    ];
    broker.rows = [{ ...first!, filledQuantity: 1 }, second];
    await time.advance(3_000);
    acknowledged.resolve();
    const { order } = await time.settle(placing);
    await time.advance(3_000);
    const found = orderResponse(gateway.order(order.id));
    expect(found).toMatchObject({ status: 'filled', averagePrice: 1_500 });
    expect(gateway.execution.state.fillsOf.get(order.id)?.size).toBe(1);
  });
});
