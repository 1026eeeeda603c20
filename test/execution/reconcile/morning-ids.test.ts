import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { type LyingBroker, lyingBroker, rowAt, tradingWith } from '../support/lying-broker.ts';
import { ist, unreadRow } from '../support/makers.ts';

const HOUR = 3_600_000;
/** From the evening, 18:00, to 09:16 of the session. */
const TO_THE_SESSION = 15 * HOUR + 16 * 60_000;

/** An after-market order of the evening, seen there as `evening`, at 09:16 of the next morning. */
async function overnight() {
  const time = new VirtualTime(ist('2026-11-05T18:00:00'));
  const broker = lyingBroker(time);
  broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'evening' });
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place({ amo: true });
  const { tag } = broker.placed[0]!;
  const evening = rowAt(time, { brokerOrderId: 'evening', tags: [tag], rawStatus: 'AMO' });
  broker.rows = [evening];
  await time.advance(60_000);
  const seen = () => orderResponse(gateway.order(id));
  expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening', filledQuantity: 0 });
  await time.advance(13 * HOUR);
  broker.rows = [];
  await time.advance(TO_THE_SESSION - 13 * HOUR - 60_000);
  const morning = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
    rowAt(time, { ...evening, brokerOrderId: 'morning', createdAt: time.now(), ...parts });
  const critical = () => gateway.alerts().filter(({ level }) => level === 'critical');
  return { time, broker, gateway, id, tag, evening, morning, seen, critical };
}

/** As what each cancel asks for its order: true for one that the broker still holds. */
function askedAs(broker: LyingBroker): (boolean | undefined)[] {
  const asked: (boolean | undefined)[] = [];
  broker.trading.cancel = ({ brokerOrderId, amo }) => {
    asked.push(amo);
    return Promise.resolve({ kind: 'acknowledged', brokerOrderId });
  };
  return asked;
}

describe('a cancel of an after-market order in the morning of its session', () => {
  type Morning = Awaited<ReturnType<typeof overnight>>;
  it.each<[string, boolean, (day: Morning) => void]>([
    ['its row has no id of the exchange', true, ({ broker, evening }) => (broker.rows = [evening])],
    ['its row is gone', false, ({ broker }) => (broker.rows = [])],
    ['the book cannot be read', false, ({ broker }) => (broker.isReadable = false)],
  ])('once the exchange has taken all, while %s: held is %s', async (_while, held, begin) => {
    const day = await overnight();
    begin(day);
    await day.time.advance(2.5 * 60_000);
    const asked = askedAs(day.broker);
    await day.gateway.cancel(day.id);
    expect(asked[0]).toBe(held);
  });

  it('is one of an order that the broker holds before that, though the book cannot be read', async () => {
    const { time, broker, gateway, id } = await overnight();
    broker.isReadable = false;
    await time.advance(60_000);
    const asked = askedAs(broker);
    await gateway.cancel(id);
    expect(asked[0]).toBe(true);
  });
});

describe('an after-market order whose id is another one in the morning', () => {
  it('is the row with its tag: its fills count, and a cancel goes there', async () => {
    const { time, broker, gateway, id, morning, seen } = await overnight();
    broker.rows = [morning()];
    await time.advance(5_000);
    expect(seen()).toMatchObject({
      ...{ status: 'working', brokerOrderId: 'morning', boundBy: 'tag', filledQuantity: 0 },
    });
    broker.rows = [morning({ filledQuantity: 4 })];
    await time.advance(2_000);
    expect(seen()).toMatchObject({ status: 'working', filledQuantity: 4 });
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['morning']);
  });

  it('is that also where its row had been found by its tag in the evening', async () => {
    const time = new VirtualTime(ist('2026-11-05T18:00:00'));
    const broker = lyingBroker(time);
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place({ amo: true });
    const tags = [broker.placed[0]!.tag];
    broker.rows = [rowAt(time, { brokerOrderId: 'evening', tags })];
    await time.advance(60_000);
    expect(orderResponse(gateway.order(id))).toMatchObject({ boundBy: 'tag', status: 'working' });
    await time.advance(13 * HOUR);
    broker.rows = [];
    await time.advance(TO_THE_SESSION - 13 * HOUR);
    broker.rows = [rowAt(time, { brokerOrderId: 'morning', tags })];
    await time.advance(5_000);
    expect(orderResponse(gateway.order(id))).toMatchObject({ brokerOrderId: 'morning' });
  });

  it.each([
    ['has', '1100000000000001', false],
    ['does not have', null, true],
  ])(
    'whose row cannot be read whole, and %s an id of the exchange, is cancelled as what it is',
    async (_has, exchangeOrderId, amo) => {
      const { time, broker, gateway, id, tag, seen } = await overnight();
      const asked = askedAs(broker);
      broker.unreadRows = [unreadRow({ brokerOrderId: 'morning', exchangeOrderId, tags: [tag] })];
      await time.advance(5 * 60_000);
      expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'morning' });
      await gateway.cancel(id);
      expect(asked[0]).toBe(amo);
    },
  );

  it('is that also where its row of the evening stays in the book until the opening', async () => {
    const { time, broker, evening, morning, seen } = await overnight();
    broker.rows = [evening];
    await time.advance(5_000);
    broker.rows = [morning()];
    await time.advance(5_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'morning' });
  });

  it('is that also where its id of the evening is another order’s in the morning', async () => {
    const { time, broker, evening, morning, seen } = await overnight();
    const foreign = { ...evening, tags: [], instrument: 'NSE:TCS', side: 'SELL' } as const;
    broker.rows = [{ ...foreign, filledQuantity: 10, status: 'filled' }];
    await time.advance(5_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening' });
    expect(seen().filledQuantity ?? 0).toBe(0);
    broker.rows = [...broker.rows, morning()];
    await time.advance(5_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'morning' });
  });

  it('waits for a second read: one may have misread the id', async () => {
    const { time, broker, evening, morning, seen } = await overnight();
    broker.rows = [morning()];
    await time.advance(1_000);
    broker.rows = [{ ...evening, rawStatus: 'OPEN' }];
    await time.advance(5_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening', boundBy: 'id' });
  });

  it('waits for a second read of its own tag there: other rows have been misread alike', async () => {
    const { time, broker, morning, seen } = await overnight();
    broker.rows = [morning({ tags: [], instrument: 'NSE:TCS' })];
    await time.advance(1_000);
    broker.rows = [morning()];
    await time.advance(1_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening' });
    await time.advance(1_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'morning' });
  });

  it('is the row of its first id again where another order’s stands under the second', async () => {
    const { time, broker, gateway, id, evening, morning, seen, critical } = await overnight();
    broker.rows = [morning()];
    await time.advance(5_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'morning' });
    broker.rows = [morning({ tags: ['someoneelse'] }), { ...evening, rawStatus: 'OPEN' }];
    await time.advance(5_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening' });
    expect(critical().filter(({ message }) => message.includes('two live orders'))).toEqual([]);
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['evening']);
  });

  it('stays bound to its row where that is there, too', async () => {
    const { time, broker, evening, morning, seen } = await overnight();
    broker.rows = [{ ...evening, rawStatus: 'OPEN' }, morning()];
    await time.advance(60_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening' });
  });
});

describe('an after-market order that no book of its session shows', () => {
  it('is uncertain minutes after the opening, with an alert', async () => {
    const { time, broker, gateway, id, morning, seen, critical } = await overnight();
    broker.rows = [morning({ tags: [] })];
    await time.advance(100_000);
    expect([seen().status, critical()]).toEqual(['working', []]);
    await time.advance(100_000);
    expect(seen()).toMatchObject({ status: 'uncertain', filledQuantity: null });
    expect(critical()).toEqual([
      expect.objectContaining({
        orderId: id,
        message: expect.stringContaining('evening, which no book of 2026-11-06 shows'),
      }),
    ]);
    await gateway.cancel(id);
    broker.rows = [morning()];
    await time.advance(10_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'morning' });
    expect(broker.cancels).toContain('morning');
  });

  it('is uncertain also after a restart, and is the row of its id once that shows', async () => {
    const { time, broker, gateway, evening, morning, seen } = await overnight();
    broker.rows = [morning({ tags: [] })];
    await gateway.restart();
    await time.advance(200_000);
    expect(seen().status).toBe('uncertain');
    broker.rows = [{ ...evening, rawStatus: 'OPEN' }];
    await time.advance(10_000);
    expect(seen()).toMatchObject({ status: 'working', brokerOrderId: 'evening', boundBy: 'tag' });
  });

  it('is missed like any other where its row is gone later in the day', async () => {
    const { time, broker, gateway, id, evening, seen } = await overnight();
    broker.rows = [evening];
    await time.advance(300_000);
    broker.rows = [];
    await time.advance(300_000);
    expect(seen()).toMatchObject({ status: 'working', filledQuantity: null });
    expect(gateway.alerts().map(({ message }) => message)).toEqual([
      expect.stringContaining(`evening (order ${id})`),
    ]);
  });

  it('works on where its trades are told, and a person is told that its row is missing', async () => {
    const { time, broker, gateway, id, seen } = await overnight();
    broker.fills = [
      {
        ...{ fillId: 't1', brokerOrderId: 'evening', exchangeOrderId: null, exchange: 'NSE' },
        ...{ quantity: 4, price: 1_500, at: null },
      },
    ];
    await time.advance(600_000);
    expect(seen()).toMatchObject({ status: 'working', filledQuantity: 4 });
    expect(gateway.alerts().map(({ message }) => message)).toEqual([
      expect.stringContaining(`evening (order ${id})`),
    ]);
  });

  it('is not missed before the opening', async () => {
    const time = new VirtualTime(ist('2026-11-05T18:00:00'));
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place({ amo: true });
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(13 * HOUR);
    broker.rows = [];
    await time.advance(2 * HOUR + 14 * 60_000);
    const { status } = orderResponse(gateway.order(id));
    expect([time.now(), status, gateway.alerts()]).toEqual([
      ist('2026-11-06T09:14:00'),
      'working',
      [],
    ]);
  });
});
