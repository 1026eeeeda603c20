import { describe, expect, it } from 'vitest';
import type { Holding, Position } from '../../../src/domain/portfolio.ts';
import { ALL } from '../closings/support/all.ts';
import { listed, lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { instrument, position } from '../support/makers.ts';
import { exitBench, quoteAt } from './support/exit-bench.ts';

const UNTRADED = { buyQuantity: 0, buyValue: 0, sellQuantity: 0, sellValue: 0 };
/** A position of an earlier day. */
const carried = (name: string, quantity: number, product = 'MARGIN'): Position =>
  position({
    ...{ instrument: name, product, quantity, day: UNTRADED },
    ...{ buyQuantity: Math.max(0, quantity), sellQuantity: Math.max(0, -quantity) },
  });
const HELD = {
  ...{ instrument: 'NSE:INFY', isin: null, quantity: 75, t1Quantity: 0 },
  ...{ averagePrice: 1_500, lastPrice: 1_500 },
} as unknown as Holding;

/** An account of which an earlier read has shown what is held. */
async function heldBefore({
  positions = [],
  holdings = [],
}: {
  positions?: Position[];
  holdings?: Holding[];
}) {
  const bench = await exitBench({ held: 0 });
  Object.assign(bench.broker, { positions, holdings });
  const other = await bench.begin({ instrument: 'NSE:TCS' });
  await bench.after(other.id, 3_000);
  return bench;
}

describe('an exit of a position whose row a read lacks that the one before had', () => {
  it.each([
    ['MARGIN', { positions: [carried('NSE:INFY', 75)] }],
    ['CNC', { holdings: [HELD] }],
  ] as const)(
    'is not flat, and sells it once the row is there again: %s',
    async (product, shown) => {
      const account = {
        positions: [...('positions' in shown ? shown.positions : [])],
        holdings: [...('holdings' in shown ? shown.holdings : [])],
      };
      const { broker, begin, after, legs } = await heldBefore(account);
      Object.assign(broker, { positions: [], holdings: [] });
      const { id } = await begin({ product });
      const waiting = await after(id, 10_000);
      expect([waiting.over, legs()]).toEqual([null, []]);
      Object.assign(broker, account);
      await after(id, 3_000);
      expect(legs().map(([, quantity]) => quantity)).toEqual([75]);
    },
  );

  it('is flat where later reads lack it too', async () => {
    const { broker, begin, after, legs } = await heldBefore({
      positions: [carried('NSE:INFY', 75)],
    });
    broker.positions = [];
    const { id } = await begin({ product: 'MARGIN' });
    const { over } = await after(id, 20_000);
    expect([over?.end, legs()]).toEqual(['flat', []]);
  });

  it('is flat before that where its own legs have sold what the row had', async () => {
    const { broker, begin, after, legs } = await heldBefore({
      positions: [carried('NSE:INFY', 75)],
    });
    const { place } = broker;
    broker.place = async (attempt) => {
      const outcome = await place(attempt);
      broker.positions = [];
      return outcome;
    };
    const { id } = await begin({ product: 'MARGIN' });
    const { over } = await after(id, 10_000);
    expect([over?.end, legs().length]).toEqual(['flat', 1]);
  });

  it('is not flat where its legs have sold what another row had', async () => {
    const shares = position({
      ...{ instrument: 'NSE:INFY', product: 'CNC', quantity: 5, buyQuantity: 5 },
      day: { buyQuantity: 5, buyValue: 0, sellQuantity: 0, sellValue: 0 },
    });
    const { broker, begin, after, legs } = await heldBefore({
      ...{ positions: [shares], holdings: [HELD] },
    });
    broker.holdings = [];
    const { id } = await begin({ product: 'CNC' });
    const { over } = await after(id, 10_000);
    expect([legs().map(([, quantity]) => quantity), over?.end]).toEqual([[5], undefined]);
  });
});

describe('a closing, where a read lacks a row that the one before had', () => {
  it('is not flat, and names it', async () => {
    const { broker, time, trading } = await heldBefore({ positions: [carried('NSE:INFY', 75)] });
    broker.positions = [];
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(10_000);
    const closing = await trading.execution.closings.closing((await begun).closing.id);
    expect(closing).toMatchObject({
      over: { end: 'partly_flat' },
      unread: [{ instrument: 'NSE:INFY', product: 'MARGIN', quantity: 75 }],
    });
  });

  it.each([1, 2, 3, 4])('sells no cover of a short position: at read %d', async (lacking) => {
    const time = midday();
    const broker = lyingBroker(time);
    const calls = [24_000, 25_000].map((strike) =>
      instrument({
        ...{ name: `NFO:NIFTY26NOV${strike}CE`, tradingSymbol: `NIFTY26NOV${strike}CE`, strike },
        ...{ exchange: 'NFO', segment: 'DERIVATIVE', lotSize: 75, optionType: 'CE' },
        expiry: '2026-11-26',
      }),
    );
    const [short = '', long = ''] = calls.map(({ name }) => name);
    const held = new Map([
      [short, -75],
      [long, 75],
    ]);
    const order: string[] = [];
    broker.place = ({ tag, terms }) => {
      const { side, quantity, product, orderType, price, instrument: name } = terms;
      held.set(name, (held.get(name) ?? 0) + (side === 'BUY' ? quantity : -quantity));
      order.push(`${side} ${name === short ? 'short' : 'long'}`);
      const brokerOrderId = `b${order.length}`;
      const row = { instrument: name, side, quantity, product, orderType, price, tags: [tag] };
      const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: quantity } as const;
      broker.rows = [
        ...broker.rows,
        rowAt(time, { ...row, ...filled, averagePrice: 100, brokerOrderId }),
      ];
      return { kind: 'acknowledged', brokerOrderId };
    };
    let lacksFrom = Infinity;
    Object.defineProperty(broker, 'positions', {
      get: () =>
        [...held]
          .map(([name, quantity]) => carried(name, quantity))
          .filter(({ quantity }) => broker.accountReads !== lacksFrom || quantity > 0),
    });
    const trading = await tradingWith(time, [broker], undefined, {
      quoteOf: ({ name }) => Promise.resolve(quoteAt(100, { instrument: name, bid: 99, ask: 101 })),
      instruments: {
        byName: (name) => calls.find((each) => each.name === name) ?? listed(name),
        bySecurityId: () => null,
      },
    });
    const first = { ...ALL, idempotencyKey: 'first', instrument: 'NSE:TCS' };
    await time.settle(trading.execution.closings.begin(first));
    await time.advance(5_000);
    lacksFrom = broker.accountReads + lacking;
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(60_000);
    const closing = await trading.execution.closings.closing((await begun).closing.id);
    const isNaked = (held.get(short) ?? 0) < 0 && held.get(long) === 0;
    const saysFlat = closing?.over?.end === 'flat';
    expect([isNaked, saysFlat && [...held.values()].some((each) => each !== 0)]).toEqual([
      false,
      false,
    ]);
    expect(order).toEqual(['BUY short', 'SELL long']);
  });
});
