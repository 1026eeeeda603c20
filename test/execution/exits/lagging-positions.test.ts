import { describe, expect, it } from 'vitest';
import { ALL } from '../closings/support/all.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/** A broker at which ten were bought through the gateway, and whose positions do not show it yet. */
async function boughtUnshown() {
  const both = await exitBench({ held: 0 });
  const { broker, time, trading } = both;
  broker.positions = [];
  broker.place = ({ tag, terms }) => {
    const { side, quantity, product, orderType, price } = terms;
    const row = { side, quantity, product, orderType, price, tags: [tag] };
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: quantity } as const;
    const brokerOrderId = `b${broker.placed.length}`;
    broker.rows = [
      ...broker.rows,
      rowAt(time, { ...row, ...filled, brokerOrderId, averagePrice: 1_500 }),
    ];
    return { kind: 'acknowledged', brokerOrderId };
  };
  await trading.place({ side: 'BUY', quantity: 10, product: 'INTRADAY' });
  await time.advance(3_000);
  const day = { buyQuantity: 10, buyValue: 15_000, sellQuantity: 0, sellValue: 0 };
  const show = (): void => {
    broker.positions = [position({ quantity: 10, product: 'INTRADAY', buyQuantity: 10, day })];
  };
  const sales = () => broker.placed.filter(({ terms }) => terms.side === 'SELL');
  return { ...both, show, sales };
}

describe('an exit of what was bought a moment ago', () => {
  it('waits until the positions show it, and sells it', async () => {
    const { begin, after, show, sales } = await boughtUnshown();
    const { id } = await begin();
    expect((await after(id, 3_000)).over).toBeNull();
    show();
    await after(id, 5_000);
    expect(sales().map(({ terms }) => terms.quantity)).toEqual([10]);
  });

  it('is never flat while they do not show it: it stops, with how much is missing', async () => {
    const { begin, after, sales } = await boughtUnshown();
    const { over } = await after((await begin()).id, 60_000);
    expect([over?.end, over?.why]).toEqual(['stopped', 'account_unreadable']);
    expect(over?.detail).toContain('do not show yet that 10 of NSE:INFY (INTRADAY) have filled');
    expect(sales()).toEqual([]);
  });
});

describe('an exit of a position that was closed, and that others have sold beyond', () => {
  /** Ten were bought and sold; a person has sold thirty more, which the row of the closed position lacks. */
  async function soldBeyond() {
    const both = await exitBench({ held: 0 });
    const { broker, time } = both;
    const day = { buyQuantity: 10, buyValue: 15_000, sellQuantity: 10, sellValue: 15_000 };
    broker.positions = [
      position({ quantity: 0, product: 'INTRADAY', buyQuantity: 10, sellQuantity: 10, day }),
    ];
    const filled = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
    const row = (brokerOrderId: string, side: 'BUY' | 'SELL', quantity: number) =>
      rowAt(time, {
        ...{ ...filled, brokerOrderId, side, quantity, filledQuantity: quantity },
        product: 'INTRADAY',
      });
    broker.rows = [row('b', 'BUY', 10), row('s', 'SELL', 10), row('by hand', 'SELL', 30)];
    const show = (): void => {
      const sold = { ...day, sellQuantity: 40 };
      broker.positions = [
        position({
          quantity: -30,
          product: 'INTRADAY',
          buyQuantity: 10,
          sellQuantity: 40,
          day: sold,
        }),
      ];
    };
    return { ...both, show };
  }

  it('is not flat while the positions lack that, and buys it back once they show it', async () => {
    const { begin, after, show, broker } = await soldBeyond();
    const { id } = await begin();
    expect((await after(id, 10_000)).over).toBeNull();
    show();
    await after(id, 5_000);
    expect(broker.placed.map(({ terms }) => [terms.side, terms.quantity])).toEqual([['BUY', 30]]);
  });

  it('stops where they never do, and says how much is missing', async () => {
    const { begin, after, broker } = await soldBeyond();
    const { over } = await after((await begin()).id, 60_000);
    expect([over?.end, over?.why]).toEqual(['stopped', 'account_unreadable']);
    expect(over?.detail).toContain('do not show yet that 30 more have filled');
    expect(broker.placed).toEqual([]);
  });

  it('is not flat either where there is no row of it at all', async () => {
    const { begin, after, broker } = await soldBeyond();
    broker.positions = [];
    const { over } = await after((await begin()).id, 60_000);
    expect([over?.end, over?.why]).toEqual(['stopped', 'account_unreadable']);
  });

  it('is flat where the broker leaves out what was bought and sold again', async () => {
    const { begin, after, broker } = await soldBeyond();
    broker.positions = [];
    broker.rows = broker.rows.slice(0, 2);
    expect((await after((await begin()).id, 60_000)).over?.end).toBe('flat');
  });
});

describe('a closing of all, a moment after something was bought', () => {
  it('names what the positions do not show, and does not end flat', async () => {
    const { trading, time } = await boughtUnshown();
    const { closings } = trading.execution;
    const begun = closings.begin(ALL);
    await time.advance(10_000);
    const { closing } = await begun;
    expect(closing.unread).toMatchObject([
      {
        ...{ instrument: 'NSE:INFY', product: 'INTRADAY', quantity: null },
        reason: 'the positions do not show yet that 10 have been bought',
      },
    ]);
    expect((await closings.closing(closing.id))?.over?.end).toBe('partly_flat');
  });

  it.each([
    ['without a row of it', []],
    ['where the row of the closed position lacks it', [{ quantity: 0, product: 'INTRADAY' }]],
  ])('names what a person has bought as well, %s', async (_, rows) => {
    const { trading, time, broker } = await exitBench({ held: 0 });
    broker.positions = rows.map(position);
    const filled = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
    const shares = { side: 'BUY', product: 'INTRADAY', quantity: 30, filledQuantity: 30 } as const;
    broker.rows = [rowAt(time, { ...filled, ...shares, brokerOrderId: 'by hand' })];
    await time.advance(10_000);
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(10_000);
    expect((await begun).closing.unread).toMatchObject([
      { reason: 'the positions do not show yet that 30 have been bought' },
    ]);
  });

  it('names it where a price of the row of the closed position cannot be read', async () => {
    const { trading, time, broker } = await exitBench({ held: 0 });
    broker.positions = [];
    const shares = { instrument: 'NSE:INFY', product: 'INTRADAY' } as const;
    broker.unread = [
      { ...shares, list: 'positions', quantity: 0, reason: 'average_price: not a number' },
    ];
    const filled = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
    const bought = { ...shares, side: 'BUY', quantity: 30, filledQuantity: 30 } as const;
    broker.rows = [rowAt(time, { ...filled, ...bought, brokerOrderId: 'by hand' })];
    await time.advance(10_000);
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(10_000);
    expect((await begun).closing.unread).toMatchObject([
      { reason: 'the positions do not show yet that 30 have been bought' },
    ]);
  });

  it('does not name what others have traded under MARGIN: it may have been carried over, and closed', async () => {
    const { trading, time, broker } = await exitBench({ held: 0 });
    broker.positions = [];
    const filled = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
    const shares = { side: 'SELL', product: 'MARGIN', quantity: 30, filledQuantity: 30 } as const;
    broker.rows = [rowAt(time, { ...filled, ...shares, brokerOrderId: 'by hand' })];
    await time.advance(10_000);
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(10_000);
    expect((await begun).closing.unread).toBeUndefined();
  });

  it('names what the gateway has traded under MARGIN', async () => {
    const { trading, time, broker } = await boughtUnshown();
    await trading.place({ side: 'BUY', quantity: 10, product: 'MARGIN' });
    broker.positions = [position({ quantity: 10, product: 'INTRADAY' })];
    await time.advance(3_000);
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(10_000);
    expect((await begun).closing.unread).toMatchObject([{ product: 'MARGIN' }]);
  });

  it('closes it where they show it while it is read again', async () => {
    const { trading, time, show, sales } = await boughtUnshown();
    const { closings } = trading.execution;
    const begun = closings.begin(ALL);
    await time.advance(1_500);
    show();
    await time.advance(10_000);
    expect((await begun).closing.unread).toBeUndefined();
    expect(sales().map(({ terms }) => terms.quantity)).toEqual([10]);
  });

  it('keeps what may cover a contract that was sold and is not shown', async () => {
    const { trading, time, broker, sales } = await boughtUnshown();
    const { closings } = trading.execution;
    await trading.place({ side: 'SELL', quantity: 30, product: 'INTRADAY' });
    broker.positions = [position({ quantity: 10, product: 'INTRADAY' })];
    await time.advance(3_000);
    const before = sales().length;
    const begun = closings.begin(ALL);
    await time.advance(10_000);
    // Ten are shown as held, and by the fills twenty are short: nothing is sold.
    expect((await begun).closing.unread?.[0]?.reason).toMatch(/have been sold$/);
    expect(sales()).toHaveLength(before);
  });
});

describe('an exit of delivery shares', () => {
  it('never buys, also where more was sold today than the holdings show', async () => {
    const { broker, begin, after } = await exitBench({ held: 0 });
    broker.positions = [position({ quantity: -10, product: 'CNC', sellQuantity: 10 })];
    const { over } = await after((await begin({ product: 'CNC' })).id, 60_000);
    expect(broker.placed).toEqual([]);
    expect([over?.end, over?.why]).toEqual(['stopped', 'account_unreadable']);
    expect(over?.detail).toContain('10 more of NSE:INFY have been sold today');
  });
});

describe('an exit of a position whose row comes twice', () => {
  it('sells once what is held', async () => {
    const { broker, legs, begin, after, setHeld } = await exitBench();
    setHeld(10);
    broker.positions = [...broker.positions, ...broker.positions];
    await after((await begin()).id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([10]);
  });
});
