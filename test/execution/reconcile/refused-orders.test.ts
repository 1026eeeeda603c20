import { describe, expect, it } from 'vitest';
import { type Outcome, refused, uncertain } from '../../../src/domain/outcome.ts';
import { bindingOf, fillOf, reasonOf, statusOf } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { plus } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { trade } from '../support/makers.ts';

const NO = refused('other', 'RMS: no');

async function setUp(tagging?: 'always' | 'never') {
  const time = midday();
  const broker = lyingBroker(time, tagging ? { tagging } : {});
  const gateway = await tradingWith(time, [broker]);
  const read = () => time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
  const isSwitchEngaged = () => gateway.execution.killSwitch()?.engaged === true;
  return { time, broker, gateway, read, isSwitchEngaged };
}

describe('a row with the tag of an order that was refused', () => {
  it('is that order, also where it was seen while the request was on its way', async () => {
    const { time, broker, gateway, read, isSwitchEngaged } = await setUp();
    broker.place = async ({ tag }): Promise<Outcome> => {
      broker.rows = [rowAt(time, { tags: [tag], filledQuantity: 4 })];
      broker.fills = [trade()];
      await gateway.execution.poller('alt')!.read(plus(time.elapsed(), 1));
      return NO;
    };
    const placing = gateway.place();
    const { id } = await placing;
    await time.advance(10);
    await read();
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'b1', by: 'tag' });
    await read();
    expect(fillOf(gateway.order(id)).filledQuantity).toBe(4);
    expect(isSwitchEngaged()).toBe(true);
    expect(gateway.alerts().filter(({ level }) => level === 'critical')).toHaveLength(1);
    // The way out is there again.
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });

  it('and of another side makes it disputed, and a person can say what became of it', async () => {
    const { time, broker, gateway, read } = await setUp();
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag], side: 'SELL' })];
    await time.advance(10);
    await read();
    expect(statusOf(gateway.order(id))).toBe('disputed');
    await time.settle(gateway.execution.resolve(id, { kind: 'absent' }, 'admin', null));
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });
});

describe('an equal row without a tag, after a refusal by a broker without tags', () => {
  it('is the order where it was made before the refusal arrived, however late it shows', async () => {
    const { time, broker, gateway, read, isSwitchEngaged } = await setUp('never');
    broker.place = () => NO;
    const { id } = await gateway.place();
    const createdAt = time.now();
    await time.advance(60_000);
    await read();
    broker.rows = [rowAt(time, { createdAt })];
    await time.advance(10);
    await read();
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'b1', by: 'fingerprint' });
    expect(isSwitchEngaged()).toBe(true);
  });

  it('is the order where a book had shown it while the request was on its way', async () => {
    const { time, broker, gateway, read } = await setUp('never');
    broker.place = async (): Promise<Outcome> => {
      broker.rows = [rowAt(time)];
      await gateway.execution.poller('alt')!.read(plus(time.elapsed(), 1));
      return NO;
    };
    const { id } = await gateway.place();
    await time.advance(10);
    await read();
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'b1', by: 'fingerprint' });
  });

  it.each([
    ['was made by hand after it', false],
    ['was there before the send', true],
  ])('is not the order where it %s', async (_, isOld) => {
    const { time, broker, gateway, read } = await setUp('never');
    const old = rowAt(time);
    if (isOld) broker.rows = [old];
    broker.place = () => NO;
    const { id } = await gateway.place();
    await time.advance(10);
    broker.rows = [isOld ? old : rowAt(time)];
    await read();
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });

  it('is for a person where it is like another order as well, whose own row is missing', async () => {
    const { time, broker, gateway, read } = await setUp('never');
    const filled = { status: 'filled', filledQuantity: 10 } as const;
    const { id: first } = await gateway.place();
    broker.rows = [rowAt(time, filled)];
    await time.advance(1_000);
    await read();
    broker.place = () => NO;
    const { id } = await gateway.place();
    // The broker shows the row of the first order under another id.
    broker.rows = [{ ...broker.rows[0]!, brokerOrderId: 'b9' }];
    await time.advance(1_000);
    await read();
    expect(bindingOf(gateway.order(id))).toBeNull();
    expect(reasonOf(gateway.order(id))).toContain(`like order ${first}, whose row is missing`);
  });

  it('is not the order where it has no time', async () => {
    const { time, broker, gateway, read } = await setUp('never');
    broker.place = () => NO;
    const { id } = await gateway.place();
    await time.advance(10);
    broker.rows = [rowAt(time, { createdAt: null })];
    await read();
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });
});

describe('a row that somebody may have changed, after a refusal by a broker without tags', () => {
  it.each([
    ['disputed', 'has another price', { price: 1_510 }, 0],
    ['disputed', 'has another quantity', { quantity: 7 }, 0],
    ['disputed', 'has another type', { orderType: 'MARKET', price: null }, 0],
    ['rejected', 'is of another side', { side: 'SELL' }, 0],
    ['rejected', 'is of another product', { product: 'INTRADAY' }, 0],
    ['rejected', 'was made after it', { quantity: 7 }, 1_000],
  ] as const)(
    'makes the order %s where it %s, and stops no other',
    async (is, _, parts, laterMs) => {
      const { time, broker, gateway, isSwitchEngaged } = await setUp('never');
      broker.place = () => NO;
      const { id } = await gateway.place();
      broker.rows = [rowAt(time, { createdAt: plus(time.now(), laterMs), ...parts })];
      await time.advance(10_000);
      expect(statusOf(gateway.order(id))).toBe(is);
      expect(isSwitchEngaged()).toBe(false);
    },
  );

  it('is another order of the gateway where it is like that one', async () => {
    const { time, broker, gateway } = await setUp('never');
    broker.place = () => uncertain({ kind: 'transport', message: 'no reply' });
    const first = await gateway.place({ quantity: 7 });
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { quantity: 7 })];
    await time.advance(10_000);
    expect(statusOf(gateway.order(first.id))).toBe('working');
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });
});

describe('an equal row without a tag, after a refusal by a broker that returns tags', () => {
  it('makes the order disputed where it was made before the refusal, and stops no other', async () => {
    const { time, broker, gateway, read, isSwitchEngaged } = await setUp();
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.rows = [rowAt(time)];
    await time.advance(10);
    await read();
    expect(statusOf(gateway.order(id))).toBe('disputed');
    expect(isSwitchEngaged()).toBe(false);
    // A person says what it is: then it can be cancelled.
    await time.settle(
      gateway.execution.resolve(id, { kind: 'placed', brokerOrderId: 'b1' }, 'admin', null),
    );
    expect(bindingOf(gateway.order(id))?.brokerOrderId).toBe('b1');
  });

  it.each([
    ['was made by hand after it', false],
    ['had been in a book before the send', true],
  ])('says nothing where it %s', async (_, isOld) => {
    const { time, broker, gateway, read } = await setUp();
    const old = rowAt(time);
    if (isOld) broker.rows = [old];
    await read();
    await time.advance(10);
    broker.place = () => NO;
    const { id } = await gateway.place();
    await time.advance(10);
    broker.rows = [isOld ? { ...old, filledQuantity: 1 } : rowAt(time)];
    await read();
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });
});

describe('an equal row with a tag that is nobody’s, made before a refusal arrived', () => {
  it.each([
    ['returns tags', undefined],
    ['returns none', 'never'],
  ] as const)('makes the order disputed at a broker that %s', async (_, tagging) => {
    const { time, broker, gateway, read, isSwitchEngaged } = await setUp(tagging);
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: ['someoneelse'] })];
    await time.advance(10);
    await read();
    const order = gateway.order(id);
    expect(statusOf(order)).toBe('disputed');
    expect(order.state).toMatchObject({
      cause: expect.stringContaining('has the tag someoneelse'),
      // That it filled nothing was known by the refusal alone.
      fill: { filledQuantity: null },
    });
    expect(isSwitchEngaged()).toBe(false);
  });

  it('is another order of the gateway where the tag is that of one', async () => {
    const { time, broker, gateway, read } = await setUp();
    broker.place = () => uncertain({ kind: 'transport', message: 'no reply' });
    const first = await gateway.place();
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(10);
    await read();
    expect(statusOf(gateway.order(first.id))).toBe('working');
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });
});

describe('whether a row was made before a refusal arrived', () => {
  it.each([
    ['is', -30_000, 0, 'working'],
    ['is', 30_000, 0, 'working'],
    ['is not, a second later,', -30_000, 1_000, 'rejected'],
    ['is not, a second later,', 30_000, 1_000, 'rejected'],
  ])('%s told by the clock of the broker, off by %s ms', async (_, off, later, status) => {
    const { time, broker, gateway, read } = await setUp('never');
    const told = () => ({
      ...{ at: plus(time.now(), off), localAt: time.now(), receivedAt: time.elapsed() },
    });
    broker.trading.brokerTime = told;
    broker.place = () => NO;
    const { id } = await gateway.place();
    await time.advance(2_000);
    broker.rows = [rowAt(time, { createdAt: plus(time.now(), off - 2_000 + later) })];
    await read();
    expect(statusOf(gateway.order(id))).toBe(status);
  });

  it('is told by when it arrived, not by when it could be written', async () => {
    const time = midday();
    const broker = lyingBroker(time, { tagging: 'never' });
    const disk = failingDatabase(openDatabase(':memory:'));
    const gateway = await tradingWith(time, [broker], disk.database);
    broker.place = () => {
      disk.fail();
      return NO;
    };
    const { id } = await gateway.place();
    await time.advance(5_000);
    const createdAt = time.now();
    disk.heal();
    await time.advance(5_000);
    expect(statusOf(gateway.order(id))).toBe('rejected');
    broker.rows = [rowAt(time, { createdAt })];
    await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
    expect(statusOf(gateway.order(id))).toBe('rejected');
  });
});
