import { describe, expect, it } from 'vitest';
import { altBench, orderRow, tradeRow } from './support/alt-broker.ts';
import { success } from './support/scripted-transport.ts';

const positionRow = (changes: Record<string, unknown>) => ({
  ...{ tradingsymbol: 'INFY', exchange: 'NSE', product: 'MIS', quantity: 10 },
  ...{ average_price: 1500, last_price: 1490, buy_quantity: 10, sell_quantity: 0 },
  ...changes,
});

const NAMES = [
  { tradingsymbol: 'infy' },
  { tradingsymbol: ' INFY ' },
  { exchange: 'nse' },
  { exchange: 'NSE ' },
];

describe('a row that spells its names and words in its own way', () => {
  const readOrders = async (changes: Record<string, unknown>) => {
    const { trading } = altBench(success([orderRow(changes)])).broker;
    const rows = await trading.orderBook();
    return { rows, unread: trading.unread?.(rows) ?? [] };
  };

  it.each(NAMES)('names the instrument of an order as %j', async (spelling) => {
    const { rows } = await readOrders(spelling);
    expect(rows).toMatchObject([{ instrument: 'NSE:INFY' }]);
  });

  it.each(NAMES)('names the instrument of an order that cannot be read as %j', async (spelling) => {
    const { rows, unread } = await readOrders({ ...spelling, quantity: 'many' });
    expect([rows, unread]).toMatchObject([[], [{ instrument: 'NSE:INFY' }]]);
  });

  it('is no whole row where a name is only spaces', async () => {
    const { rows, unread } = await readOrders({ tradingsymbol: '  ' });
    expect([rows, unread]).toMatchObject([[], [{ instrument: null }]]);
  });

  it.each([
    ['mis', 'INTRADAY'],
    ['MIS ', 'INTRADAY'],
    ['Nrml', 'MARGIN'],
    [' cnc', 'CNC'],
    ['mtf', 'MTF'],
    ['', ''],
    [null, ''],
  ])('has the product %j of an order and of a position', async (product, as) => {
    expect((await readOrders({ product })).rows).toMatchObject([{ product: as }]);
    expect((await readOrders({ product, quantity: 'many' })).unread).toMatchObject([
      as === '' ? {} : { product: as },
    ]);
    if (as === '') return;
    const data = success({ net: [positionRow({ product })], day: [] });
    expect(await altBench(data).broker.account.positions('watch')).toMatchObject([{ product: as }]);
  });

  it('has its other words in capitals', async () => {
    const words = { transaction_type: 'sell ', order_type: 'sl-m', validity: ' day' };
    const { rows } = await readOrders(words);
    expect(rows).toMatchObject([{ side: 'SELL', orderType: 'SL-M', validity: 'DAY' }]);
  });

  it('is an iceberg in whatever letters', async () => {
    expect((await readOrders({ variety: ' Iceberg' })).rows).toMatchObject([{ iceberg: null }]);
  });

  it.each(NAMES)(
    'names the instrument of a trade, a position and a holding as %j',
    async (name) => {
      const trades = altBench(success([tradeRow({ ...name, transaction_type: 'buy' })]));
      expect(await trades.broker.trading.trades()).toMatchObject([
        { instrument: 'NSE:INFY', side: 'BUY', exchange: 'NSE' },
      ]);
      const positions = altBench(success({ net: [positionRow(name)], day: [] }));
      expect(await positions.broker.account.positions('watch')).toMatchObject([
        { instrument: 'NSE:INFY' },
      ]);
      const holdings = altBench(
        success([{ tradingsymbol: 'INFY', exchange: 'NSE', quantity: 5, ...name }]),
      );
      expect(await holdings.broker.account.holdings('watch')).toMatchObject([
        { instrument: 'NSE:INFY' },
      ]);
    },
  );

  it('is a trigger of the same shares', async () => {
    const condition = { exchange: 'nse', tradingsymbol: 'infy ', trigger_values: [1450] };
    const leg = { product: 'mis', order_type: 'limit', transaction_type: 'Sell', quantity: 10 };
    const row = { id: 100001, type: 'single', status: 'Active', condition };
    const orders = [{ ...leg, price: 1449.5, result: null }];
    const list = await altBench(success([{ ...row, orders }])).broker.triggers.list('caller');
    expect(list.triggers).toMatchObject([
      {
        ...{ instrument: 'NSE:INFY', status: 'waiting' },
        legs: [{ side: 'SELL', product: 'INTRADAY', orderType: 'LIMIT' }],
      },
    ]);
  });
});

describe('an open row whose quantities contradict one another', () => {
  const restOf = async (changes: Record<string, unknown>) => {
    const row = orderRow({ status: 'OPEN', ...changes });
    const [read] = await altBench(success([row])).broker.trading.orderBook();
    return read?.mostLeft;
  };

  it.each([
    ['nobody knows', { quantity: 0, filled_quantity: 0, pending_quantity: 0 }, null],
    ['what is pending instead', { quantity: 5, filled_quantity: 0, pending_quantity: 10 }, 10],
    ['what is pending after a fill', { quantity: 10, filled_quantity: 8, pending_quantity: 9 }, 9],
    ['what is pending of a quantity of 0', { quantity: 0, pending_quantity: 10 }, 10],
    [
      'what is pending, written as a text',
      { quantity: 5, filled_quantity: 0, pending_quantity: '7' },
      7,
    ],
  ])('may still fill %s', async (_what, changes, most) => {
    expect(await restOf(changes)).toBe(most);
  });

  it.each([
    ['agree', { quantity: 10, filled_quantity: 4, pending_quantity: 6 }],
    ['leave less', { quantity: 10, filled_quantity: 0, pending_quantity: 6 }],
    ['tell nothing of what is pending', { quantity: 10, filled_quantity: 0 }],
    ['are of an order that has ended', { quantity: 0, status: 'CANCELLED', pending_quantity: 5 }],
  ])('is none where they %s', async (_what, changes) => {
    expect(await restOf(changes)).toBeUndefined();
  });
});
