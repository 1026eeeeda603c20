import { describe, expect, it } from 'vitest';
import type { BrokerFill } from '../../../src/domain/broker-order.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import {
  accept,
  alertsOf,
  bookRow,
  fillRecord,
  observation,
  observedOrder,
  orderRecord,
  stateOf,
  terms,
  trade,
} from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

/** An order for ten of which ten have filled, by its row; its trades are written by the test. */
async function filledOrder(...fills: BrokerFill[]) {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const tags = [broker.placed[0]?.tag ?? ''];
  const show = async (...shown: BrokerFill[]): Promise<void> => {
    const parts = { tags, status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    broker.rows = [rowAt(time, { ...parts, updatedAt: epochMs(time.now()) })];
    broker.fills = shown;
    await time.advance(10_000);
  };
  await show(...fills);
  return {
    ...{ time, broker, gateway, id, show },
    now: () => fieldsOf(gateway.order(id)),
    critical: () => gateway.alerts().filter(({ level }) => level === 'critical'),
    fills: async () => (await gateway.execution.fillsOf(id)).map(({ quantity }) => quantity),
  };
}

it('a trade that the book of another day shows with other figures is told of', () => {
  const overnight = orderRecord({ day: '2026-11-05', terms: terms({ amo: true }) });
  const state = stateOf({
    orders: [overnight],
    observed: [observedOrder({ day: '2026-11-05' })],
    fills: [fillRecord({ day: '2026-11-05', key: 'the day before' })],
  });
  const read = (fill: BrokerFill) =>
    reconcileBook(state, observation({ rows: [bookRow({ filledQuantity: 8 })], fills: [fill] }));
  expect(alertsOf(read(trade()))).toEqual([]);
  const decision = read(trade({ quantity: 8 }));
  expect(alertsOf(decision)).toEqual(['critical']);
  expect(JSON.stringify(decision.changes)).toContain('as 4 at 1500 and as 8 at 1500');
  accept(state, decision);
  expect(state.fills.size).toBe(1);
});

describe('a trade in a book that a wrong clock dates by the day before', () => {
  const order = orderRecord({ day: '2026-11-06' });
  const made = epochMs(Date.parse('2026-11-06T11:00:00+05:30'));
  const wrongly = { begunAt: epochMs(Date.parse('2026-11-05T11:00:00+05:30')) };
  const rightly = { begunAt: made };
  const daysOf = (state: ReturnType<typeof stateOf>) =>
    [...state.fills.values()].map(({ day }) => day);

  /** The same trade, read by the wrong clock and by the right one. */
  function readTwice(at: BrokerFill['at']) {
    const ids = ['2026-11-05', '2026-11-06'] as const;
    const state = stateOf({ orders: [order], observed: ids.map((day) => observedOrder({ day })) });
    const rows = [bookRow({ filledQuantity: 4 })];
    for (const read of [wrongly, rightly]) {
      accept(state, reconcileBook(state, observation({ ...read, rows, fills: [trade({ at })] })));
    }
    return daysOf(state);
  }

  it('is of the day of its order where its own time says so', () => {
    expect(readTwice(made)).toEqual(['2026-11-06']);
  });

  it('is one trade also where it tells no time', () => {
    expect(readTwice(null)).toEqual(['2026-11-05']);
  });
});

describe('two trades of an order under one id', () => {
  it.each([
    ['another quantity', { quantity: 6 }],
    ['another price', { price: 1_500.5 }],
    [
      'another quantity and price, and the id written in another way',
      { fillId: '0900', quantity: 6 },
    ],
  ])('with %s are told of once, and the filled quantity is that of the row', async (_, parts) => {
    const first = trade({ fillId: '900', quantity: 4 });
    const second = { ...first, ...parts };
    const order = await filledOrder(first, second);
    expect(order.now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(await order.fills()).toEqual([4]);
    expect(order.critical()).toHaveLength(1);
    const message = order.critical()[0]?.message ?? '';
    expect(message).toContain(`order ${order.id} (b1) twice under trade id ${second.fillId}`);
    expect(message).toContain(`as 4 at 1500 and as ${second.quantity} at ${second.price}`);
    await order.show(second, { ...second, quantity: 5 }, first);
    await order.gateway.restart();
    await order.show({ ...second, quantity: 3 });
    expect(order.critical()).toHaveLength(1);
  });

  it('are told of when a later read shows the other figures', async () => {
    const order = await filledOrder(trade({ quantity: 4 }));
    expect(order.critical()).toEqual([]);
    await order.show(trade({ quantity: 6 }));
    expect(order.critical()).toHaveLength(1);
    expect(order.now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });

  it('are one trade where they differ by rounding alone, or not at all', async () => {
    const order = await filledOrder(trade(), trade(), trade({ price: 1_500.004 }));
    await order.show(trade({ at: epochMs(trade().at! + 1_000) }));
    expect(order.critical()).toEqual([]);
  });

  it('are trades of two orders where they name two', async () => {
    const order = await filledOrder(trade(), trade({ brokerOrderId: 'b2', quantity: 6 }));
    expect(order.critical()).toEqual([]);
  });

  it('are not told of where one is of another instrument: that is told of by itself', async () => {
    const other = trade({ instrument: 'NSE:TCS', side: 'BUY', quantity: 6 });
    const order = await filledOrder(trade({ quantity: 10 }), other);
    expect(order.critical()).toEqual([]);
    expect(order.gateway.alerts().map(({ message }) => message)).toEqual([
      expect.stringContaining('a trade BUY 6 NSE:TCS under b1'),
    ]);
  });
});
