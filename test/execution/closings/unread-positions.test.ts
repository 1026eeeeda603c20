import { describe, expect, it } from 'vitest';
import type { UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import type { ClosingFilter } from '../../../src/execution/closings/closing-filter.ts';
import { planClosing } from '../../../src/execution/closings/plan-closing.ts';
import { unreadIn } from '../../../src/execution/closings/unread-positions.ts';
import { exitBench } from '../exits/support/exit-bench.ts';
import { instrument, portfolio, position } from '../support/makers.ts';
import { ALL } from './support/all.ts';

const option = (strike: number, optionType: 'CE' | 'PE') =>
  instrument({
    ...{ name: `NFO:NIFTY26NOV${strike}${optionType}`, exchange: 'NFO', segment: 'DERIVATIVE' },
    ...{ tradingSymbol: `NIFTY26NOV${strike}${optionType}`, lotSize: 65, optionType, strike },
  });
const CALL = option(24_000, 'CE');
const PUT = option(24_000, 'PE');
const LONG = option(24_500, 'CE');
const FUTURE = instrument({
  ...{ name: 'NFO:NIFTY26NOVFUT', exchange: 'NFO', tradingSymbol: 'NIFTY26NOVFUT' },
  ...{ segment: 'DERIVATIVE', lotSize: 65, optionType: null, strike: null, isin: null },
});
const LISTED = [instrument(), CALL, PUT, LONG, FUTURE];
const byName = (name: string) => LISTED.find((each) => each.name === name) ?? null;

/** Nothing of it can be read but what is given. */
const row = (parts: Partial<UnreadPortfolioRow> = {}): UnreadPortfolioRow => ({
  ...{ list: 'positions', instrument: null, product: null, quantity: null },
  reason: 'quantity: not a number',
  ...parts,
});

const HELD = [
  position({ product: 'INTRADAY', quantity: 10 }),
  position({ instrument: LONG.name, product: 'MARGIN', quantity: 65 }),
  position({ instrument: FUTURE.name, product: 'MARGIN', quantity: -65 }),
  position({ instrument: CALL.name, product: 'MARGIN', quantity: -65 }),
];

const statuses = (unread: UnreadPortfolioRow, filter: Partial<ClosingFilter> = {}) =>
  planClosing(
    portfolio({ positions: HELD, unread: [unread] }),
    { ...ALL, ...filter },
    { byName, netOfKey: null },
  ).map(({ status }) => status);

describe('a position whose row cannot be read', () => {
  it('is closed as any other where instrument, product and quantity can be read', () => {
    const read = row({ instrument: PUT.name, product: 'MARGIN', quantity: -65 });
    const account = portfolio({ unread: [read] });
    expect(planClosing(account, ALL, { byName, netOfKey: null })).toMatchObject([
      { instrument: PUT.name, net: -65, status: 'waiting' },
    ]);
    expect(unreadIn(account, ALL)).toEqual([]);
  });

  it('keeps all that may cover it where its instrument cannot be read', () => {
    expect(statuses(row())).toEqual(['kept', 'kept', 'kept', 'waiting']);
    expect(statuses(row({ quantity: 65, product: 'MARGIN' }))).toEqual(Array(4).fill('waiting'));
    expect(statuses(row({ product: 'CNC' }))).toEqual(Array(4).fill('waiting'));
    expect(statuses(row({ list: 'holdings' }))).toEqual(Array(4).fill('waiting'));
  });

  it('keeps what may cover it on its own underlying, and of a put what is short as well', () => {
    expect(statuses(row({ instrument: PUT.name }))).toEqual(['waiting', 'kept', 'kept', 'waiting']);
    const another = option(25_000, 'CE').name;
    // No list has it: it may be on anything.
    expect(statuses(row({ instrument: another }))).toEqual(['kept', 'kept', 'kept', 'waiting']);
    const shares = row({ instrument: 'NSE:INFY', product: 'MARGIN' });
    expect(statuses(shares)).toEqual(Array(4).fill('waiting'));
  });

  it('keeps nothing that the request names', () => {
    expect(statuses(row(), { instrument: LONG.name })).toEqual(['waiting']);
  });

  it('says how to close what was kept for it', () => {
    const account = portfolio({ positions: HELD, unread: [row()] });
    const [first] = planClosing(account, ALL, { byName, netOfKey: null });
    expect(first?.reason).toBe(
      'it may cover a position whose row cannot be read: name its instrument to close it all the same',
    );
  });

  it.each([
    ['any', {}, row(), 1],
    ['another instrument', { instrument: 'NSE:TCS' }, row({ instrument: PUT.name }), 0],
    ['its instrument', { instrument: PUT.name }, row({ instrument: PUT.name }), 1],
    ['an instrument that can be read', { instrument: LONG.name, product: 'MARGIN' }, row(), 0],
    ['a product of an instrument', { instrument: LONG.name, product: 'INTRADAY' }, row(), 1],
    ['another product', { product: 'INTRADAY' }, row({ product: 'MARGIN' }), 0],
    ['its product', { product: 'MARGIN' }, row({ product: 'MARGIN' }), 1],
    ['the other side', { side: 'SELL' }, row({ quantity: 5 }), 0],
    ['its side', { side: 'SELL' }, row({ quantity: -5 }), 1],
    ['no holdings', {}, row({ list: 'holdings' }), 0],
    ['a holding', { holdings: ['NSE:INFY'] }, row({ list: 'holdings' }), 1],
    [
      'another holding',
      { holdings: ['NSE:INFY'] },
      row({ list: 'holdings', instrument: 'NSE:A' }),
      0,
    ],
    ['no delivery', {}, row({ product: 'CNC' }), 0],
    ['what is open, of one that is closed', {}, row({ quantity: 0 }), 0],
    ['what can be read', {}, row({ instrument: LONG.name, product: 'MARGIN' }), 0],
  ] as const)('counts where a closing is of %s', (_, filter, unread, rows) => {
    const account = portfolio({ positions: HELD, unread: [unread] });
    expect(unreadIn(account, { ...ALL, ...filter })).toHaveLength(rows);
  });
});

const INFOSYS = {
  ...{
    instrument: 'NSE:INFY',
    isin: 'INE009A01021',
    quantity: 100,
    usedQuantity: 0,
    t1Quantity: 0,
  },
  ...{ averagePrice: 1_400, lastPrice: 1_500 },
};

describe('an exit of a holding beside a position of which the instrument cannot be read', () => {
  it.each([
    ['ends where the position is open', -4, 'account_unreadable', 0],
    ['sells it where the position is closed', 0, null, 1],
  ] as const)('%s', async (_, quantity, why, legs) => {
    const bench = await exitBench();
    bench.broker.positions = [];
    bench.broker.holdings = [INFOSYS];
    bench.broker.unread = [row({ product: 'CNC', quantity })];
    const begun = await bench.begin({ product: 'CNC' });
    await bench.time.advance(60_000);
    expect(bench.legs()).toHaveLength(legs);
    if (why !== null) expect((await bench.after(begun.id, 0)).over?.why).toBe(why);
  });
});

describe('a closing of an account with a row that cannot be read', () => {
  it('closes the others, lists the row, and does not end flat', async () => {
    const { broker, trading, time, legs } = await exitBench();
    broker.unread = [row({ instrument: 'NSE:TCS' })];
    const { closings } = trading.execution;
    const { closing } = await time.settle(closings.begin(ALL));
    expect(closing.unread).toMatchObject([{ broker: 'alt', instrument: 'NSE:TCS' }]);
    await time.advance(60_000);
    const ended = await closings.closing(closing.id);
    expect(ended?.positions).toMatchObject([{ instrument: 'NSE:INFY', status: 'flat' }]);
    expect(legs()).toHaveLength(1);
    expect(ended?.over).toMatchObject({
      end: 'partly_flat',
      detail: '1 of 1 positions are closed; one row of positions or holdings could not be read',
    });
    const [alert] = trading.alerts().filter(({ message }) => message.startsWith('closing'));
    expect(alert?.message).toContain(
      'Not closed: a row of the positions at alt: NSE:TCS, quantity: not a number',
    );
  });

  it('reads the account again before it begins, and closes all once every row can be read', async () => {
    const { broker, trading, time } = await exitBench();
    broker.unread = [row()];
    const { closings } = trading.execution;
    const begun = closings.begin(ALL);
    await time.advance(1_500);
    broker.unread = [];
    const { closing } = await time.settle(begun);
    expect([closing.unread, closing.positions[0]?.status]).toEqual([undefined, 'waiting']);
    await time.advance(60_000);
    expect((await closings.closing(closing.id))?.over?.end).toBe('flat');
  });
});
