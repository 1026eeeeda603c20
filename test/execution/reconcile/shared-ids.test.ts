import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import { isRowOfOurs } from '../../../src/execution/reconcile/matching.ts';
import type { BrokerOrderId } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { DAY, trade } from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

/** Another order's row under the id of ours, filled whole. */
const FOREIGN = {
  ...{ instrument: 'NSE:TCS', side: 'SELL', quantity: 65, filledQuantity: 65, averagePrice: 10 },
  ...{ status: 'filled', rawStatus: 'COMPLETE', exchangeOrderId: '999' },
} as const satisfies Partial<BrokerOrder>;

/** An order BUY 10 NSE:INFY that works as `b1`, where a book has shown its row. */
async function workingOrder(tagging: Trading['tagging'] = 'always') {
  const time = midday();
  const broker = lyingBroker(time, { tagging });
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const tags = tagging === 'always' ? [broker.placed[0]?.tag ?? ''] : [];
  const row = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
    rowAt(time, { tags, exchangeOrderId: '111', ...parts });
  const foreign = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
    row({ ...FOREIGN, tags: [], ...parts });
  const show = async (...rows: BrokerOrder[]): Promise<void> => {
    broker.rows = rows;
    await time.advance(30_000);
  };
  await show(row());
  expect(fieldsOf(gateway.order(id))).toMatchObject({ status: 'working', filledQuantity: 0 });
  return {
    ...{ time, broker, gateway, id, row, foreign, show },
    now: () => fieldsOf(gateway.order(id)),
    cancel: () => gateway.cancel(id),
    alerts: () => gateway.alerts().map(({ level }) => level),
  };
}

describe.each<Trading['tagging']>(['always', 'never'])(
  'another order’s row under the id of an order, where tags come back: %s',
  (tagging) => {
    it.each([
      ['after', false],
      ['before', true],
    ])('%s its own row gives it nothing: its own decides', async (_, isFirst) => {
      const { row, foreign, show, now, cancel, broker, alerts } = await workingOrder(tagging);
      const both = (own: BrokerOrder) => (isFirst ? [foreign(), own] : [own, foreign()]);
      await show(...both(row()));
      expect(now()).toMatchObject({
        ...{ status: 'working', filledQuantity: 0, averagePrice: null, terms: { quantity: 10 } },
      });
      expect(alerts()).toEqual(['warning']);
      await show(...both(row({ filledQuantity: 4, averagePrice: 1_500 })));
      expect(now()).toMatchObject({ status: 'working', filledQuantity: 4, averagePrice: 1_500 });
      expect(alerts()).toEqual(['warning']);
      await cancel();
      expect(broker.cancels).toEqual(['b1']);
    });

    it('in its place disputes it, and what was told stays', async () => {
      const { row, foreign, show, now, cancel, broker, alerts } = await workingOrder(tagging);
      await show(row({ filledQuantity: 4, averagePrice: 1_500 }));
      await show(foreign());
      expect(now()).toMatchObject({ status: 'disputed', filledQuantity: 4, averagePrice: 1_500 });
      expect(now().reason).toMatch(/shows an order SELL 65 NSE:TCS under its id b1/);
      expect(alerts()).toEqual(['critical']);
      // It would reach the other order.
      await expect(cancel()).rejects.toThrow();
      expect(broker.cancels).toEqual([]);
    });

    it('in its place for a while leaves the rest to its own row', async () => {
      const { row, foreign, show, now, cancel, broker, alerts } = await workingOrder(tagging);
      await show(foreign());
      await show(row({ filledQuantity: 7, averagePrice: 1_500 }));
      expect(now()).toMatchObject({ status: 'working', brokerOrderId: 'b1', filledQuantity: 7 });
      expect(alerts()).toEqual(['critical', 'warning']);
      await cancel();
      expect(broker.cancels).toEqual(['b1']);
    });

    it('does not change an order that has ended', async () => {
      const { row, foreign, show, now, alerts } = await workingOrder(tagging);
      await show(
        row({ filledQuantity: 10, averagePrice: 1_500, status: 'filled', rawStatus: 'COMPLETE' }),
      );
      await show(foreign({ filledQuantity: 500, quantity: 500 }));
      expect(now()).toMatchObject({ status: 'filled', filledQuantity: 10 });
      expect(alerts()).toEqual(['warning']);
    });
  },
);

describe('another order’s row under an id that a person has named', () => {
  /** An uncertain order BUY 10 NSE:INFY whose row has lost its tag, and what a person says of it. */
  async function named(force: boolean) {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    const { id } = await gateway.place();
    const now = () => fieldsOf(gateway.order(id));
    const shown = {
      own: [rowAt(time, force ? { quantity: 7 } : {})],
      named: [rowAt(time, FOREIGN)],
    };
    // Every book since the decision has the other's row.
    const rows = () => (now().boundBy === 'person' ? shown.named : shown.own);
    Object.defineProperty(broker, 'rows', { get: rows });
    await time.advance(5_000);
    const said = { kind: 'placed', brokerOrderId: 'b1' as BrokerOrderId } as const;
    const named = { ...said, ...(force ? { force: true as const } : {}) };
    await time.settle(gateway.execution.resolve(id, named, 'a person', null));
    await time.advance(5_000);
    return { now, time, shown };
  }

  it('gives the order nothing: the row that was named was like the order', async () => {
    const { now, time, shown } = await named(false);
    expect(now()).toMatchObject({
      status: 'disputed',
      filledQuantity: null,
      terms: { quantity: 10 },
    });
    shown.named = shown.own;
    await time.advance(30_000);
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('is the order where the person has said that it is, although it differs', async () => {
    const { now } = await named(true);
    expect(now()).toMatchObject({ status: 'filled', filledQuantity: 65 });
  });
});

describe('what else is under the id of an order', () => {
  it('is another’s by its side alone', async () => {
    const { row, foreign, show, now } = await workingOrder();
    await show(row(), foreign({ instrument: 'NSE:INFY' }));
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('is another’s where it is alike but for the tag, and a row with the tag is there', async () => {
    const { row, foreign, show, now } = await workingOrder();
    await show(row({ filledQuantity: 2 }), foreign({ instrument: 'NSE:INFY', side: 'BUY' }));
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 2, terms: { quantity: 10 } });
  });

  it('is not looked at by the check of an acknowledged id, where its own row is there', async () => {
    const time = midday();
    const broker = lyingBroker(time, { tagging: 'never' });
    const gateway = await tradingWith(time, [broker]);
    broker.place = () => {
      broker.rows = [rowAt(time, FOREIGN), rowAt(time), rowAt(time, FOREIGN)];
      return { kind: 'acknowledged', brokerOrderId: 'b1' };
    };
    const { id } = await gateway.place();
    await time.advance(5_000);
    expect(fieldsOf(gateway.order(id))).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('gives nothing to an order that the same read finds', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    broker.place = ({ tag }) => {
      broker.rows = [rowAt(time, { tags: [tag] }), rowAt(time, FOREIGN)];
      return uncertain({ kind: 'transport', message: 'no answer' });
    };
    const { id } = await gateway.place();
    await time.advance(5_000);
    expect(fieldsOf(gateway.order(id))).toMatchObject({
      ...{ status: 'working', boundBy: 'tag', filledQuantity: 0 },
    });
  });

  it('can be the row of another order of ours, which is disputed then and never called absent', async () => {
    const { gateway, broker, row, show, now } = await workingOrder();
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    const { id } = await gateway.place({ instrument: 'NSE:TCS', side: 'SELL', quantity: 65 });
    const theirs = row({ ...FOREIGN, tags: [broker.placed[1]?.tag ?? ''] });
    await show(row(), theirs);
    expect(fieldsOf(gateway.order(id))).toMatchObject({ status: 'disputed' });
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('counts as placed elsewhere, also after a restart', async () => {
    const { gateway, row, foreign, show } = await workingOrder();
    await show(row(), foreign());
    await gateway.restart();
    const isOurs = (each: BrokerOrder): boolean =>
      isRowOfOurs(gateway.execution.state, 'alt', DAY, each);
    expect([row(), foreign()].map(isOurs)).toEqual([true, false]);
  });
});

describe('a trade under the id of an order', () => {
  it.each([
    ['of another instrument', { instrument: 'NSE:TCS', side: 'BUY' }],
    ['of the other side', { instrument: 'NSE:INFY', side: 'SELL' }],
  ] as const)('%s is not its fill', async (_, named) => {
    const { broker, row, show, now, alerts, gateway } = await workingOrder();
    broker.fills = [
      trade({ fillId: 'theirs', quantity: 5, ...named }),
      trade({ fillId: 'own', quantity: 2, instrument: 'NSE:INFY', side: 'BUY' }),
    ];
    await show(row({ filledQuantity: 2 }));
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 2 });
    expect([...gateway.execution.state.fills.values()].map(({ fillId }) => fillId)).toEqual([
      'own',
    ]);
    expect(alerts()).toEqual(['warning']);
  });

  it('that tells only the exchange’s id of its order is joined to the row with that id', async () => {
    const { broker, row, foreign, show, now } = await workingOrder('never');
    const joined = { brokerOrderId: null } as const;
    broker.fills = [
      trade({ ...joined, fillId: 'theirs', quantity: 65, exchangeOrderId: '999' }),
      trade({ ...joined, fillId: 'own', quantity: 2, exchangeOrderId: '111' }),
    ];
    await show(row({ filledQuantity: 2 }), foreign());
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 2 });
  });

  it('that names the id and tells only the exchange’s id is not its own under a shared id', async () => {
    const { broker, row, foreign, show, now } = await workingOrder('never');
    await show(row(), foreign());
    broker.fills = [
      trade({ fillId: 'theirs', quantity: 5, exchangeOrderId: '999' }),
      trade({ fillId: 'own', quantity: 2, exchangeOrderId: '111' }),
    ];
    await show(row({ filledQuantity: 2 }), foreign());
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 2 });
  });
});
