import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderModification } from '../../../src/domain/order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { bindingOf, fillOf, statusOf } from '../../../src/execution/order/order.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { plus } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { OTHER_TAG, trade } from '../support/makers.ts';

async function setUp(tagging?: 'always' | 'never') {
  const time = midday();
  const broker = lyingBroker(time, tagging ? { tagging } : {});
  const gateway = await tradingWith(time, [broker]);
  const tag = (): string => broker.placed.at(-1)!.tag;
  return { time, broker, gateway, tag };
}

describe('an acknowledgement that names an order placed by hand', () => {
  it.each(['always', 'never'] as const)(
    'which a book had shown before the send, is not believed (tags %s come back)',
    async (tagging) => {
      const { time, broker, gateway } = await setUp(tagging);
      broker.rows = [rowAt(time, { brokerOrderId: 'hand', filledQuantity: 4 })];
      broker.fills = [trade({ brokerOrderId: 'hand' })];
      broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'hand' });
      await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
      await time.advance(10_000);
      const { id } = await gateway.place();
      expect(statusOf(gateway.order(id))).toBe('uncertain');
      await gateway.cancel(id);
      await time.advance(30_000);
      expect(broker.cancels).toEqual([]);
      expect(gateway.execution.state.fills.size).toBe(0);
      expect(bindingOf(gateway.order(id))).toBeNull();
      expect(gateway.alerts().filter(({ level }) => level === 'critical')).toHaveLength(1);
    },
  );

  it('does not keep the order from being found by its own tag', async () => {
    const { time, broker, gateway, tag } = await setUp();
    broker.rows = [rowAt(time, { brokerOrderId: 'hand' })];
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'hand' });
    await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
    const { id } = await gateway.place();
    broker.rows.push(rowAt(time, { brokerOrderId: 'ours', tags: [tag()] }));
    await time.advance(5_000);
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'ours', by: 'tag' });
  });

  it.each([
    ['side', { side: 'SELL' as const }],
    ['instrument', { instrument: 'NSE:TCS' }],
    ['quantity', { quantity: 700 }],
  ])(
    'of another %s is disputed: no fill is credited, and no cancel goes there',
    async (_, other) => {
      const { time, broker, gateway } = await setUp();
      const { id } = await gateway.place();
      await time.advance(10);
      broker.rows = [rowAt(time, { filledQuantity: 4, ...other })];
      broker.fills = [trade()];
      await expect(gateway.cancel(id)).rejects.toThrow(/disputed/);
      await time.advance(5_000);
      expect(gateway.order(id).state).toMatchObject({ kind: 'disputed', binding: null });
      expect(gateway.execution.state.fills.size).toBe(0);
      expect(broker.cancels).toEqual([]);
    },
  );
});

describe('the first row of an acknowledged id', () => {
  it.each([
    ['no tag', []],
    ['a tag that is nobody’s', ['theirs']],
  ])('with %s is believed, with an alert', async (_, tags) => {
    const { time, broker, gateway } = await setUp();
    broker.rows = [];
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags, filledQuantity: 4 })];
    broker.fills = [trade()];
    await time.advance(5_000);
    expect(statusOf(gateway.order(id))).toBe('working');
    expect(fillOf(gateway.order(id)).filledQuantity).toBe(4);
    expect(gateway.alerts().map(({ level }) => level)).toEqual(['warning']);
  });

  it('with a quantity that a modification asked for is believed', async () => {
    const { time, broker, gateway } = await setUp();
    broker.isReadable = true;
    const { id } = await gateway.place();
    broker.isReadable = false;
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    const changes = {
      ...{ quantity: 8, price: null, triggerPrice: null, orderType: null, validity: null },
    };
    await time.settle(gateway.execution.amend(id, changes, null));
    broker.isReadable = true;
    broker.rows = [rowAt(time, { quantity: 8, tags: [] })];
    await time.advance(5_000);
    expect(statusOf(gateway.order(id))).toBe('working');
  });

  it('with our tag and a quantity changed by hand is believed', async () => {
    const { time, broker, gateway, tag } = await setUp();
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { quantity: 8, tags: [tag()] })];
    await time.advance(5_000);
    expect(statusOf(gateway.order(id))).toBe('working');
  });

  it('of an instrument that no list can resolve is no disagreement', async () => {
    const { time, broker, gateway } = await setUp();
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { instrument: 'NSE:RENAMED', tags: [OTHER_TAG] })];
    await time.advance(5_000);
    expect(statusOf(gateway.order(id))).toBe('working');
  });
});

describe('an acknowledged id that no book shows', () => {
  it('is uncertain after a while, a person can say what became of it, and orders go on', async () => {
    const { time, broker, gateway } = await setUp();
    const { id } = await gateway.place();
    await time.advance(170_000);
    expect(statusOf(gateway.order(id))).toBe('working');
    await time.advance(30_000);
    expect(statusOf(gateway.order(id))).toBe('uncertain');
    expect(gateway.alerts().map(({ level }) => level)).toEqual(['critical']);
    await gateway.restart();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    const next = await gateway.place();
    expect(statusOf(next)).toBe('working');
    const said = { kind: 'absent' } as const;
    await time.settle(gateway.execution.resolve(id, said, 'admin', null));
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });

  it('does not keep a gateway that starts then recovering for long', async () => {
    const { time, gateway } = await setUp();
    await gateway.place();
    await gateway.restart();
    await time.advance(240_000);
    expect(gateway.execution.poller('alt')!.recovering()).toBe(false);
  });

  it('is the order’s again when its row comes late, and was cancelled by it meanwhile', async () => {
    const { time, broker, gateway } = await setUp('never');
    const { id } = await gateway.place();
    await time.advance(200_000);
    expect(statusOf(gateway.order(id))).toBe('uncertain');
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
    broker.rows = [rowAt(time, { createdAt: plus(time.now(), -200_000), filledQuantity: 4 })];
    broker.fills = [trade()];
    await time.advance(70_000);
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'b1', by: 'id' });
    expect(fillOf(gateway.order(id)).filledQuantity).toBe(4);
    // What the first one did is not known, so the order is still to be cancelled.
    expect(broker.cancels.length).toBeGreaterThan(1);
  });

  it('is given up at once for a row with the order’s own tag', async () => {
    const { time, broker, gateway, tag } = await setUp();
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { brokerOrderId: 'ours', tags: [tag()] })];
    await time.advance(3_000);
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'ours', by: 'tag' });
  });

  it('is not proof, after the close, that another order is absent', async () => {
    const { time, broker, gateway } = await setUp();
    await gateway.place();
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    const lost = await gateway.place({ price: 1_400 });
    await time.advanceTo('2026-11-06T23:50:00+05:30');
    expect(statusOf(gateway.order(lost.id))).toBe('uncertain');
  });
});

describe('a cancel of an order that no book has shown', () => {
  it('waits for one read of the book, at most a second, and then goes out', async () => {
    const { time, broker, gateway } = await setUp();
    const { id } = await gateway.place();
    await time.advance(10);
    broker.readMs = 10_000;
    const before = time.elapsed();
    const cancelled = gateway.execution.amend(id, null, null);
    await time.advance(900);
    expect(broker.cancels).toEqual([]);
    await time.advance(200);
    expect(broker.cancels).toEqual(['b1']);
    await time.settle(cancelled);
    expect(time.elapsed() - before).toBeGreaterThan(1_000);
  });

  it('goes out at once where the book cannot be read', async () => {
    const { time, broker, gateway } = await setUp();
    const { id } = await gateway.place();
    await time.advance(10);
    broker.isReadable = false;
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });
});

describe('an id that the book spells otherwise, at a broker without tags', () => {
  it.each([
    ['0028131451', '28131451'],
    ['28131451', 'EQ-28131451'],
    ['eq-28131451', 'EQ-28131451'],
  ])(
    '%s for %s: the order is found by its terms, and a cancel goes to its row',
    async (ack, id) => {
      const time = midday();
      const broker = lyingBroker(time, { broker: 'primary', tagging: 'never' });
      broker.place = () => ({ kind: 'acknowledged', brokerOrderId: ack });
      broker.rows = [rowAt(time, { brokerOrderId: 'old' })];
      const gateway = await tradingWith(time, [broker]);
      const order = await gateway.place();
      broker.rows.push(rowAt(time, { brokerOrderId: id }));
      await time.advance(200_000);
      const bound = { status: 'working', brokerOrderId: id, boundBy: 'fingerprint' };
      expect(orderResponse(gateway.order(order.id))).toMatchObject(bound);
      await gateway.cancel(order.id);
      expect(broker.cancels.at(-1)).toBe(id);
    },
  );

  it('keeps the ids before the send no longer than until its row was seen', async () => {
    const time = midday();
    const broker = lyingBroker(time, { broker: 'primary', tagging: 'never' });
    const gateway = await tradingWith(time, [broker]);
    const order = await gateway.place();
    const [attempt] = [...gateway.execution.state.attempts.values()];
    expect(attempt).toMatchObject({ orderId: order.id, baseline: [] });
    broker.rows = [rowAt(time, { brokerOrderId: 'b1' })];
    await time.advance(5_000);
    expect(gateway.execution.state.attempts.get(attempt!.id)).toMatchObject({ baseline: null });
  });
});

describe('a modification that went to the row of another order', () => {
  const NOTHING = {
    quantity: null,
    price: null,
    triggerPrice: null,
    orderType: null,
    validity: null,
  };
  const KEY = { caller: 'someone', idempotencyKey: 'change' };

  /** Acknowledged as b1, modified there by this key, and then found by its tag as another row. */
  async function modifiedElsewhere(others: Partial<BrokerOrder>) {
    const { time, broker, gateway, tag } = await setUp();
    const { id } = await gateway.place();
    await time.advance(10);
    const change = (changes: Partial<OrderModification>, key: typeof KEY | null = null) =>
      time.settle(gateway.execution.amend(id, { ...NOTHING, ...changes }, key));
    expect((await change({ quantity: 8, price: 1_400 }, KEY)).settled).toBe(true);
    const named = rowAt(time, { quantity: 8, price: 1_400, ...others });
    broker.rows = [named, rowAt(time, { brokerOrderId: 'ours', tags: [tag()] })];
    await time.advance(10_000);
    return { time, broker, gateway, id, change };
  }

  it('is told as not in effect, by an alert and under its key, and its terms are not repeated', async () => {
    const { broker, gateway, id, change } = await modifiedElsewhere({});
    expect(orderResponse(gateway.order(id))).toMatchObject({
      ...{ brokerOrderId: 'ours', quantity: 10, price: 1_500, status: 'working' },
    });
    expect(gateway.alerts().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('went to b1, which is another order'),
    );
    const problem = { fields: { code: 'change_refused', detail: expect.stringContaining('b1') } };
    await expect(change({ quantity: 8, price: 1_400 }, KEY)).rejects.toMatchObject(problem);
    await change({ price: 1_450 });
    expect(broker.modified).toHaveLength(2);
    expect(broker.modified.at(-1)).toMatchObject({
      brokerOrderId: 'ours',
      terms: { quantity: 10 },
    });
  });

  it('is told so also where that row is of another instrument', async () => {
    const { gateway, id, change } = await modifiedElsewhere({ instrument: 'NSE:TCS' });
    expect(orderResponse(gateway.order(id)).brokerOrderId).toBe('ours');
    const problem = { fields: { code: 'change_refused' } };
    await expect(change({ quantity: 8, price: 1_400 }, KEY)).rejects.toMatchObject(problem);
  });
});
