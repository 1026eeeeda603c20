import { describe, expect, it } from 'vitest';
import type { UnreadRow } from '../../../src/domain/broker-order.ts';
import type { Outcome } from '../../../src/domain/outcome.ts';
import { killSwitchOf } from '../../../src/execution/submit/brakes.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { istTime } from '../../../src/domain/ist.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { DAY, trade, unreadRow } from '../support/makers.ts';

const LOST: Outcome = {
  kind: 'uncertain',
  reason: 'no answer',
  failure: { kind: 'transport', message: 'no answer' },
};
const REFUSED: Outcome = { kind: 'refused', rejection: 'price', reason: 'the price is off' };

/**
 * An order whose placing got an answer that a test chooses, at a broker that shows its row so that it cannot
 * be read whole.
 */
async function placedWith(
  answer: Outcome,
  rowOf: (tag: string) => Partial<UnreadRow>,
  broker: Parameters<typeof lyingBroker>[1] = {},
) {
  const time = midday();
  const lying = lyingBroker(time, broker);
  const gateway = await tradingWith(time, [lying]);
  lying.place = () => answer;
  const { id } = await gateway.place();
  lying.unreadRows = [unreadRow(rowOf(lying.placed[0]!.tag))];
  /** A row of somebody else, made now: the book is not stale. */
  const showAnother = (): void => {
    const parts = { brokerOrderId: `f${lying.rows.length}`, side: 'SELL' } as const;
    lying.rows = [...lying.rows, rowAt(time, { ...parts, instrument: 'NSE:TCS' })];
  };
  showAnother();
  const seen = () => orderResponse(gateway.order(id));
  return { time, broker: lying, gateway, id, seen, showAnother };
}

/** Lets the day pass until its close is settled by every clock. */
async function evening({ time, showAnother }: Awaited<ReturnType<typeof placedWith>>) {
  await time.advance(istTime(DAY, '20:05') - time.now());
  showAnother();
  await time.advance(15 * 60_000);
}

const ALL_BUT_TIMES: Partial<UnreadRow> = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, product: 'CNC', status: 'working' },
};

describe('an unread row with the tag of an uncertain order', () => {
  it.each([
    ['of its instrument and side', { instrument: 'NSE:INFY', side: 'BUY' }],
    ['whose instrument is written in a way that no list has', { instrument: 'NSE_EQ:INFY' }],
    ['of which nothing else can be read', {}],
    ['of which all but the times can be read', ALL_BUT_TIMES],
  ] satisfies [string, Partial<UnreadRow>][])(
    '%s is the order, and a kept cancel goes there',
    async (_what, parts) => {
      const day = await placedWith(LOST, (tag) => ({ brokerOrderId: 'b7', tags: [tag], ...parts }));
      await day.gateway.cancel(day.id);
      await day.time.advance(10_000);
      expect(day.seen()).toMatchObject({
        ...{ status: 'working', brokerOrderId: 'b7', boundBy: 'tag', filledQuantity: null },
      });
      expect(day.broker.cancels).toEqual(['b7']);
      expect(day.gateway.alerts().map(({ orderId }) => orderId)).toContain(day.id);
    },
  );

  it('tells nothing of its fills: the trades do, and the row once it can be read', async () => {
    const day = await placedWith(LOST, (tag) => ({ brokerOrderId: 'b7', tags: [tag] }));
    await day.time.advance(10_000);
    day.broker.fills = [trade({ brokerOrderId: 'b7', quantity: 4 })];
    await day.time.advance(10_000);
    expect(day.seen()).toMatchObject({ status: 'working', filledQuantity: 4 });
    const { tag } = day.broker.placed[0]!;
    day.broker.unreadRows = [];
    day.broker.rows.push(rowAt(day.time, { brokerOrderId: 'b7', tags: [tag], filledQuantity: 6 }));
    await day.time.advance(2_000);
    expect(day.seen()).toMatchObject({ status: 'working', filledQuantity: 6 });
  });

  it.each([
    ['another side', { side: 'SELL' }],
    ['an instrument that the lists have as another', { instrument: 'NSE:TCS' }],
  ] as const)('and %s makes it disputed', async (_what, parts) => {
    const day = await placedWith(LOST, (tag) => ({ brokerOrderId: 'b7', tags: [tag], ...parts }));
    await day.time.advance(10_000);
    expect(day.seen()).toMatchObject({ status: 'disputed', brokerOrderId: null });
    expect(day.seen().reason).toContain("carries the order's tag, but is");
  });

  it('and a whole row with the tag under another id make it disputed', async () => {
    const day = await placedWith(LOST, (tag) => ({ brokerOrderId: 'b7', tags: [tag] }));
    const { tag } = day.broker.placed[0]!;
    day.broker.rows.push(rowAt(day.time, { brokerOrderId: 'b8', tags: [tag] }));
    await day.time.advance(10_000);
    expect(day.seen()).toMatchObject({ reason: "2 rows carry the order's tag" });
  });

  it('and no readable id keeps it from being called absent', async () => {
    const day = await placedWith(LOST, (tag) => ({ instrument: 'NSE:TCS', tags: [tag] }));
    await evening(day);
    expect(day.seen()).toMatchObject({ status: 'uncertain', absentSince: null });
    expect(day.gateway.alerts().map(({ orderId }) => orderId)).toContain(day.id);
  });
});

describe('an order that is bound by its tag on an unread row, while a later one has it under another id', () => {
  /** Bound to m1, an id that one read showed; since then the row is shown as b7. */
  async function boundToMisread() {
    const day = await placedWith(LOST, (tag) => ({ brokerOrderId: 'm1', tags: [tag] }));
    await day.time.advance(2_000);
    expect(day.seen()).toMatchObject({ status: 'working', brokerOrderId: 'm1', boundBy: 'tag' });
    const [misread] = day.broker.unreadRows;
    day.broker.unreadRows = [{ ...misread!, brokerOrderId: 'b7' }];
    return { ...day, misread: misread! };
  }

  it('is that row after five seconds, and a cancel goes there', async () => {
    const { time, broker, gateway, id, seen } = await boundToMisread();
    await time.advance(3_000);
    expect(seen()).toMatchObject({ brokerOrderId: 'm1' });
    await time.advance(8_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'b7', boundBy: 'tag' });
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b7']);
  });

  it('is cancelled there too where the cancel had gone to the first id', async () => {
    const { time, broker, gateway, id, seen } = await boundToMisread();
    await gateway.cancel(id);
    await time.advance(20_000);
    expect(seen()).toMatchObject({ brokerOrderId: 'b7' });
    expect(broker.cancels).toContain('b7');
  });

  it('is disputed where fills were told, and a cancel goes to the row with its tag', async () => {
    const { time, broker, gateway, id, seen, misread } = await boundToMisread();
    const later = broker.unreadRows;
    broker.unreadRows = [misread];
    broker.fills = [trade({ brokerOrderId: 'm1', quantity: 4 })];
    await time.advance(10_000);
    expect(seen()).toMatchObject({ brokerOrderId: 'm1', filledQuantity: 4 });
    broker.unreadRows = later;
    await time.advance(12_000);
    expect(seen()).toMatchObject({ status: 'disputed', brokerOrderId: 'b7' });
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b7']);
  });

  it('stays as it was where the first id is back within five seconds, or beside the other', async () => {
    const { time, broker, seen, misread } = await boundToMisread();
    const [other] = broker.unreadRows;
    for (const rows of [[misread], [other!], [misread], [misread, other!], [misread, other!]]) {
      broker.unreadRows = rows;
      await time.advance(4_000);
    }
    await time.advance(10_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'm1' });
  });

  it('stays as it was while each read shows another id', async () => {
    const { time, broker, seen, misread } = await boundToMisread();
    for (let each = 0; each < 60; each += 1) {
      broker.unreadRows = [{ ...misread, brokerOrderId: `m${each + 2}` }];
      await time.advance(250);
    }
    expect(seen()).toMatchObject({ brokerOrderId: 'm1' });
  });
});

describe('an order whose acknowledged id no book shows, while an unread row has its tag', () => {
  it('is that row once two reads have shown it', async () => {
    const named: Outcome = { kind: 'acknowledged', brokerOrderId: 'a1' };
    const day = await placedWith(named, (tag) => ({ brokerOrderId: 'b7', tags: [tag] }));
    await day.time.advance(15_000);
    expect(day.seen()).toMatchObject({ status: 'working', brokerOrderId: 'b7', boundBy: 'tag' });
  });
});

describe('an unread row without a tag', () => {
  it.each([
    ['written in a way that no list has', 'NSE:INFY-EQ', 'uncertain'],
    ['that the lists have as another', 'NSE:TCS', 'rejected'],
  ])('of an instrument %s', async (_what, instrument, status) => {
    const day = await placedWith(LOST, () => ({ brokerOrderId: 'b7', instrument }));
    await evening(day);
    expect(day.seen().status).toBe(status);
  });

  it('of the other side is not the order', async () => {
    const row = { brokerOrderId: 'b7', instrument: 'NSE:INFY', side: 'SELL' } as const;
    const day = await placedWith(LOST, () => row);
    await evening(day);
    expect(day.seen().status).toBe('rejected');
  });

  it('but with that of another order of ours is not the order', async () => {
    const day = await placedWith(LOST, () => ({}));
    day.broker.place = () => LOST;
    await day.gateway.place();
    const { tag } = day.broker.placed[1]!;
    day.broker.unreadRows = [unreadRow({ brokerOrderId: 'b8', tags: [tag] })];
    await evening(day);
    expect(day.seen().status).toBe('rejected');
  });
});

describe('an order that was refused', () => {
  it('is the unread row with its tag, and the kill switch engages', async () => {
    const day = await placedWith(REFUSED, (tag) => ({ brokerOrderId: 'b7', tags: [tag] }));
    day.broker.place = () => LOST;
    await day.gateway.place({ instrument: 'NSE:TCS' });
    await day.time.advance(10_000);
    expect(day.seen()).toMatchObject({ status: 'working', brokerOrderId: 'b7' });
    expect(killSwitchOf(day.gateway.execution.state)?.engaged).toBe(true);
  });

  it('is disputed where the id of that row cannot be read', async () => {
    const day = await placedWith(REFUSED, (tag) => ({ tags: [tag] }));
    day.broker.place = () => LOST;
    await day.gateway.place({ instrument: 'NSE:TCS' });
    await day.time.advance(10_000);
    expect(day.seen().status).toBe('disputed');
    expect(killSwitchOf(day.gateway.execution.state)?.engaged).toBe(true);
  });

  it('in words that nobody has listed is uncertain where an unread row has its tag', async () => {
    const unlisted: Outcome = { ...REFUSED, rejection: 'other', isUnlisted: true };
    const time = midday();
    const lying = lyingBroker(time, { broker: 'primary', tagging: 'once_echoed' });
    const gateway = await tradingWith(time, [lying]);
    lying.rows = [rowAt(time, { brokerOrderId: 'f1', instrument: 'NSE:TCS', side: 'SELL' })];
    lying.place = ({ tag }) => {
      lying.unreadRows = [unreadRow({ instrument: 'NSE:TCS', tags: [tag] })];
      return unlisted;
    };
    expect((await gateway.place()).state.kind).toBe('uncertain');
  });
});

describe('a person who names an unread row', () => {
  const resolveAs = (
    { time, gateway, id }: Awaited<ReturnType<typeof placedWith>>,
    brokerOrderId: string,
    force: boolean,
  ) => {
    const resolution = { kind: 'placed', brokerOrderId, ...(force ? { force } : {}) } as const;
    return time.settle(gateway.execution.resolve(id, resolution, 'someone', null));
  };
  const COMPARABLE = { instrument: 'NSE:INFY', side: 'BUY', quantity: 10 } as const;

  it.each([
    ['that can be compared', COMPARABLE, false],
    ['that cannot be compared, with force', {}, true],
    ['of another quantity, with force', { ...COMPARABLE, quantity: 700 }, true],
  ])('%s is believed', async (_what, parts, force) => {
    const day = await placedWith(LOST, () => ({ brokerOrderId: 'b7', ...parts }));
    await day.gateway.cancel(day.id);
    await day.time.advance(10_000);
    expect(day.seen().status).toBe('uncertain');
    await resolveAs(day, 'b7', force);
    await day.time.advance(5_000);
    expect(day.seen()).toMatchObject({ status: 'working', brokerOrderId: 'b7', boundBy: 'person' });
    expect(day.broker.cancels).toEqual(['b7']);
  });

  it.each([
    ['cannot be compared', {}, 'cannot be read whole'],
    ['is of another quantity', { ...COMPARABLE, quantity: 700 }, 'is BUY 700 NSE:INFY'],
  ])('is asked for force where it %s', async (_what, parts, why) => {
    const day = await placedWith(LOST, () => ({ brokerOrderId: 'b7', ...parts }));
    await day.time.advance(10_000);
    await expect(resolveAs(day, 'b7', false)).rejects.toThrow(why);
  });

  it('is told so where no book has shown such an id, also with force', async () => {
    const day = await placedWith(LOST, () => ({ brokerOrderId: 'b7' }));
    await day.time.advance(10_000);
    await expect(resolveAs(day, 'b9', true)).rejects.toThrow('has shown no order b9');
  });
});
