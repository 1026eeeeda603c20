import { describe, expect, it } from 'vitest';
import { oneRowPerOrder } from '../../../src/execution/reconcile/one-row-per-order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { AT, bookRow } from '../support/makers.ts';
import { plus } from '../../../src/units/branded.ts';
import { exitBench } from '../exits/support/exit-bench.ts';

const open = bookRow({ brokerOrderId: 'x1', filledQuantity: 3 });
const cancelled = bookRow({
  ...{ brokerOrderId: 'x1', status: 'cancelled', rawStatus: 'CANCELLED', filledQuantity: 0 },
});
const filled = bookRow({
  ...{ brokerOrderId: 'x1', status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 },
});

describe('the copies of one order in a read of a book', () => {
  it('leave a book without any as it is', () => {
    const rows = [bookRow({ brokerOrderId: 'x1' }), bookRow({ brokerOrderId: 'x2' })];
    expect(oneRowPerOrder(rows)).toEqual(rows);
  });

  it('are one row, at the place of the first', () => {
    const [first, other] = [bookRow({ brokerOrderId: 'x1' }), bookRow({ brokerOrderId: 'x2' })];
    const rows = [first, other, { ...first }];
    expect(oneRowPerOrder(rows)).toEqual([first, other]);
  });

  it.each([
    ['the final one, whichever comes first', [open, filled], filled],
    ['the final one, also where it comes first', [filled, open], filled],
    [
      'an end with the larger filled quantity',
      [cancelled, open],
      { ...cancelled, status: 'partial', filledQuantity: 3 },
    ],
    [
      'the one that was changed later, of two that are open',
      [
        { ...open, price: 1_510, updatedAt: plus(AT, 2_000) },
        { ...open, updatedAt: plus(AT, 1_000), filledQuantity: 4 },
      ],
      { ...open, price: 1_510, updatedAt: plus(AT, 2_000), filledQuantity: 4 },
    ],
    [
      'the later in the book, of two that nothing else tells apart',
      [open, { ...open, price: 1_510 }],
      { ...open, price: 1_510 },
    ],
    [
      'unknown, where the end does not say how much has filled',
      [{ ...filled, status: 'partial', filledQuantity: null } as const, open],
      { ...filled, status: 'partial', filledQuantity: null },
    ],
  ])('are %s', (_what, rows, expected) => {
    expect(oneRowPerOrder(rows)).toEqual([expected]);
  });

  it.each([
    ['instrument', { instrument: 'NSE:TCS' }],
    ['side', { side: 'SELL' as const }],
    ['product', { product: 'INTRADAY' }],
    ['tag', { tags: ['0VkJ2q0aTagOfTheFirst'] }],
    ['id of the exchange', { exchangeOrderId: '1200000002' }],
  ])('are not rows of another %s: those stay', (_what, parts) => {
    const rows = [{ ...open, exchangeOrderId: '1200000001' }];
    const other = { ...open, exchangeOrderId: '1200000001', ...parts };
    expect(oneRowPerOrder([...rows, other])).toEqual([...rows, other]);
  });
});

describe('an order of the gateway whose row comes twice', () => {
  it.each([
    ['the end first', [1, 0]],
    ['the end last', [0, 1]],
  ])('is over with all of its fills, %s', async (_what, places) => {
    const time = midday();
    const broker = lyingBroker(time);
    const trading = await tradingWith(time, [broker]);
    await time.advance(2_000);
    let tag = '';
    broker.place = (attempt) => {
      tag = attempt.tag;
      return { kind: 'acknowledged', brokerOrderId: 'b1' };
    };
    const { id } = await trading.place();
    const copies = [
      rowAt(time, { filledQuantity: 4, averagePrice: 1_500, tags: [tag] }),
      rowAt(time, {
        ...{ filledQuantity: 10, averagePrice: 1_500, tags: [tag] },
        ...{ status: 'filled', rawStatus: 'COMPLETE' },
      }),
    ];
    broker.rows = places.flatMap((place) => copies[place] ?? []);
    trading.execution.wake('alt');
    await time.advance(2_000);
    const { state } = trading.order(id);
    expect(state.kind).toBe('filled');
    broker.rows = copies;
    await time.advance(70_000);
    expect(trading.order(id).state.kind).toBe('filled');
  });
});

describe('an order placed elsewhere whose row comes twice', () => {
  const elsewhere = { side: 'SELL', product: 'INTRADAY', quantity: 30, filledQuantity: 0 } as const;

  it('is kept free once by an exit', async () => {
    const { begin, after, broker, time, legs } = await exitBench();
    const row = rowAt(time, { brokerOrderId: 'x1', ...elsewhere });
    broker.rows = [row, { ...row }];
    const exit = await after((await begin()).id, 30_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([70]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere' });
  });

  it('keeps nothing free once one of its rows says that it has ended', async () => {
    const { begin, after, broker, time, legs } = await exitBench();
    const row = rowAt(time, { brokerOrderId: 'x1', ...elsewhere });
    broker.rows = [{ ...row, status: 'cancelled', rawStatus: 'CANCELLED' }, row];
    const exit = await after((await begin()).id, 30_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
    expect(exit.over?.end).toBe('flat');
  });
});
