import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderModification } from '../../../src/domain/order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { readStatus } from '../../../src/adapters/primary/status.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { AT, trade } from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

/** An order for ten that works; its book is written by the test, and each row is read. */
async function workingOrder() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const [placed] = broker.placed;
  const own = rowAt(time, { tags: [placed?.tag ?? ''] });
  const show = async (parts: Partial<BrokerOrder>): Promise<void> => {
    broker.rows = [{ ...own, updatedAt: epochMs(time.now()), ...parts }];
    await time.advance(6_000);
  };
  await show({});
  return {
    ...{ time, broker, gateway, show },
    now: () => fieldsOf(gateway.order(id)),
    cancel: () => gateway.cancel(id),
    change: (changes: Partial<OrderModification>) =>
      time.settle(gateway.execution.amend(id, { ...NOTHING, ...changes }, null)),
    critical: () => gateway.alerts().filter(({ level }) => level === 'critical'),
    restart: () => gateway.restart(),
  };
}

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};
const SIX = trade({ quantity: 6 });

describe('a row whose quantity is less than what has filled', () => {
  /** Six of the ten have filled, by the row and by the trades. */
  async function sixFilled() {
    const order = await workingOrder();
    order.broker.fills = [SIX];
    await order.show({ filledQuantity: 6 });
    expect(order.now()).toMatchObject({ status: 'working', filledQuantity: 6 });
    return order;
  }

  it.each([
    ['what remains, with the filled quantity', { quantity: 4, filledQuantity: 6 }],
    ['what remains, and the filled quantity cannot be read', { quantity: 4, filledQuantity: null }],
    ['what remains, as filled', { quantity: 4, filledQuantity: 4 }],
    ['nothing', { quantity: 0, filledQuantity: null }],
    ['nothing, and nothing filled', { quantity: 0, filledQuantity: 0 }],
  ])('takes back no fill and ends nothing: %s', async (_, parts) => {
    const { show, now, cancel, broker, critical } = await sixFilled();
    await show(parts);
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 6, terms: { quantity: 10 } });
    await cancel();
    expect(broker.cancels).toEqual(['b1']);
    if (parts.filledQuantity === 6 || parts.filledQuantity === null) {
      expect(critical()).toHaveLength(1);
      expect(critical()[0]?.message).toMatch(/has a quantity of \d, and 6 have filled/);
    }
  });

  it('is told of once, also after a restart', async () => {
    const { show, critical, restart } = await sixFilled();
    await show({ quantity: 4, filledQuantity: 6 });
    await show({ quantity: 4, filledQuantity: 6, price: 1_490 });
    await restart();
    await show({ quantity: 4, filledQuantity: 6, price: 1_480 });
    expect(critical()).toHaveLength(1);
  });

  it('takes back no fill where it has ended the order', async () => {
    const { show, now } = await sixFilled();
    await show({ quantity: 0, filledQuantity: null });
    await show({ quantity: 0, filledQuantity: 0, status: 'cancelled', rawStatus: 'CANCELLED' });
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 6, terms: { quantity: 10 } });
  });

  it('stops nothing that comes after it: the order goes on by a row that is right', async () => {
    const { show, now } = await sixFilled();
    await show({ quantity: 4, filledQuantity: 6 });
    await show({ quantity: 10, filledQuantity: 8 });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 8, terms: { quantity: 10 } });
    await show({ quantity: 10, filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });
});

describe('an open row whose whole quantity has filled', () => {
  it('ends the order where that is what was asked for', async () => {
    const { show, now } = await workingOrder();
    await show({ filledQuantity: 10 });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });

  it('does not where more was asked for, and nobody asked for less: it may be what remains', async () => {
    const { show, now, cancel, broker, critical } = await workingOrder();
    await show({ quantity: 6, filledQuantity: 4 });
    await show({ quantity: 5, filledQuantity: 5 });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 5 });
    await cancel();
    expect(broker.cancels).toEqual(['b1']);
    expect(critical()).toEqual([]);
  });

  it('ends it where a modification had asked for that', async () => {
    const { show, now, change } = await workingOrder();
    await show({ filledQuantity: 6 });
    await change({ quantity: 6 });
    await show({ quantity: 6, filledQuantity: 6 });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 6 });
  });

  it('ends it where somebody has cut it to that, and the row says that it is filled', async () => {
    const { show, now } = await workingOrder();
    await show({ quantity: 6, filledQuantity: 6, status: 'filled', rawStatus: 'COMPLETE' });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 6, terms: { quantity: 6 } });
  });
});

describe('a row that does not show a quantity yet which a modification asked for', () => {
  it.each([
    ['was accepted', undefined],
    ['may have been accepted', uncertain({ kind: 'transport', message: 'no answer' })],
  ])('does not end the order, where the modification %s', async (_, outcome) => {
    const { show, now, change, cancel, broker, critical } = await workingOrder();
    if (outcome) broker.modify = () => outcome;
    await change({ quantity: 20 });
    await show({ filledQuantity: 10 });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 10 });
    await cancel();
    expect(broker.cancels).toEqual(['b1']);
    expect(critical()).toEqual([]);
  });

  it('does not end it either where more has filled than it shows, and alerts nobody', async () => {
    const { show, now, change, broker, critical } = await workingOrder();
    await change({ quantity: 20 });
    broker.fills = [trade({ quantity: 15 })];
    await show({ filledQuantity: null });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 15 });
    await show({ quantity: 20, filledQuantity: 15 });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 15, terms: { quantity: 20 } });
    expect(critical()).toEqual([]);
  });

  it('does not end it at the primary brokerage either, where the status is read with the quantities', async () => {
    const { show, now, change, cancel, broker } = await workingOrder();
    await change({ quantity: 20 });
    await show({ quantity: 10, ...readStatus('O-PENDING', 10, 10, []), rawStatus: 'O-PENDING' });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 10 });
    await cancel();
    expect(broker.cancels).toEqual(['b1']);
  });

  it('ends it where the broker refused the modification', async () => {
    const { show, now, change, broker } = await workingOrder();
    broker.modify = () => ({ kind: 'refused', rejection: 'other', reason: 'no' });
    await change({ quantity: 20 }).catch(() => undefined);
    await show({ filledQuantity: 10 });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });

  it('ends it where the row says that it is filled: the modification came too late', async () => {
    const { show, now, change } = await workingOrder();
    await change({ quantity: 20 });
    await show({ filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });
});

describe('a final row with fewer fills than are known', () => {
  const END = { status: 'cancelled', rawStatus: 'CANCELLED', filledQuantity: 0 } as const;

  /** Six of the ten have filled, by the row alone. */
  async function sixTold() {
    const order = await workingOrder();
    await order.show({ filledQuantity: 6 });
    return order;
  }

  it.each([
    ['cancelled with none', END],
    ['cancelled with some', { ...END, status: 'partial', filledQuantity: 4 } as const],
    ['rejected', { ...END, status: 'rejected', rawStatus: 'REJECTED' } as const],
    ['without a time of change', { ...END, updatedAt: null }],
  ])(
    'ends the order: the known fills stay, with an alert, and the trades are read (%s)',
    async (_, parts) => {
      const { show, now, critical, broker } = await sixTold();
      await show(parts);
      expect(now()).toMatchObject({ status: 'partial', filledQuantity: 6 });
      expect(critical()).toHaveLength(1);
      expect(critical()[0]?.message).toMatch(/says \w+ with [04] of 10 filled, and 6 are known/);
      const reads = broker.tradeReads;
      await show({ ...parts, price: 1_490 });
      expect(broker.tradeReads).toBeGreaterThan(reads);
      expect(critical()).toHaveLength(1);
    },
  );

  it('says nothing where it is older than the row before it', async () => {
    const { show, now, critical } = await sixTold();
    await show({ ...END, updatedAt: AT });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 6 });
    expect(critical()).toEqual([]);
  });

  it('is followed by the trades, which tell more', async () => {
    const { show, now, broker } = await sixTold();
    await show(END);
    broker.fills = [trade({ quantity: 8 })];
    await show({ ...END, price: 1_490 });
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 8 });
  });

  it('is taken back by a row that works, so that the order can be cancelled', async () => {
    const { show, now, cancel, broker } = await sixTold();
    await show(END);
    for (const price of [1_490, 1_491]) await show({ filledQuantity: 6, price });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 6 });
    await cancel();
    expect(broker.cancels).toEqual(['b1']);
  });

  it('takes back nothing either where the quantity had become unknown in between', async () => {
    const { show, now, restart } = await sixTold();
    await show({ ...END, filledQuantity: null });
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: null });
    await restart();
    await show(END);
    expect(now()).toMatchObject({ status: 'partial', filledQuantity: 6 });
  });
});

describe('a row that says that all is filled, with fewer fills than that', () => {
  const COMPLETE = { status: 'filled', rawStatus: 'COMPLETE' } as const;

  it('does not end the order, with an alert, until the trades tell', async () => {
    const { show, now, critical, broker } = await workingOrder();
    await show({ ...COMPLETE, filledQuantity: 4 });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 4 });
    expect(critical().map(({ message }) => message)).toEqual([
      expect.stringContaining('says COMPLETE with 4 of 10 filled, and 4 are known'),
    ]);
    broker.fills = [trade({ quantity: 4 })];
    await show({ ...COMPLETE, filledQuantity: 4 });
    broker.fills = [trade({ quantity: 4 }), trade({ quantity: 6, fillId: 'f2' })];
    await show({ ...COMPLETE, filledQuantity: 4 });
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(critical()).toHaveLength(1);
  });

  it('is no contradiction where it does not say how much: a stop that has triggered may say so', async () => {
    const { show, now, critical } = await workingOrder();
    await show({ ...COMPLETE, filledQuantity: null });
    expect([now().status, critical()]).toEqual(['working', []]);
  });
});

describe('trades that add up to more than an order was for', () => {
  it.each([
    ['by its row as well', { quantity: 10, filledQuantity: null }],
    ['by the trades alone', { quantity: 10, filledQuantity: 10 }],
    ['after it was cancelled', { quantity: 10, status: 'cancelled', filledQuantity: null }],
  ] as const)('count as its fills up to that, and a person is told once: %s', async (_, parts) => {
    const { broker, show, now, critical, restart } = await workingOrder();
    broker.fills = [trade({ quantity: 6 })];
    await show({ filledQuantity: 6 });
    broker.fills = [trade({ quantity: 6 }), trade({ fillId: 't2', quantity: 9 })];
    await show({ rawStatus: 'COMPLETE', status: 'filled', ...parts });
    expect(now().filledQuantity).toBe(10);
    broker.fills.push(trade({ fillId: 't3', quantity: 1 }));
    await show({ rawStatus: 'COMPLETE', status: 'filled', ...parts });
    await restart();
    await show({ rawStatus: 'COMPLETE', status: 'filled', ...parts });
    const told = critical().filter(({ message }) => message.includes('add up to'));
    expect(told).toMatchObject([
      { message: expect.stringMatching(/add up to 15, and it was for 10/) },
    ]);
  });

  it('are no excess where a modification has made the order larger', async () => {
    const { broker, show, now, change, critical } = await workingOrder();
    await change({ quantity: 15 });
    broker.fills = [trade({ quantity: 15 })];
    await show({ quantity: 15, filledQuantity: 15, status: 'filled', rawStatus: 'COMPLETE' });
    expect(now().filledQuantity).toBe(15);
    expect(critical()).toEqual([]);
  });
});
