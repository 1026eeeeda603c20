import { afterEach, describe, expect, it } from 'vitest';
import { altBench, instrument, orderRow, tradeRow } from './support/alt-broker.ts';
import { success } from './support/scripted-transport.ts';
import { epochMs } from '../../../src/units/branded.ts';

const before = process.env['TZ'];
afterEach(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

const gttRow = {
  id: 1,
  type: 'single',
  status: 'active',
  created_at: '2026-11-20 09:45:30',
  expires_at: '2027-11-20 09:45:30',
  condition: { exchange: 'NSE', tradingsymbol: 'INFY', trigger_values: [1] },
  orders: [
    {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', product: 'CNC', order_type: 'LIMIT' },
      ...{ transaction_type: 'SELL', quantity: 1, price: 1, result: null },
    },
  ],
};

/** The SDK reads wall times in the host's zone; the gateway's times must not depend on it. */
describe.each([
  ['UTC', 0],
  ['Asia/Kolkata', -330],
  ['America/New_York', 300],
])('on a host in %s', (zone, offset) => {
  it('times are IST', async () => {
    process.env['TZ'] = zone;
    expect(new Date('2026-11-20T04:15:30Z').getTimezoneOffset()).toBe(offset);

    const book = await altBench(success([orderRow()])).broker.trading.orderBook();
    expect(book[0]?.createdAt).toBe(Date.parse('2026-11-20T04:15:30Z'));
    const fills = await altBench(success([tradeRow()])).broker.trading.trades();
    expect(fills[0]?.at).toBe(Date.parse('2026-11-20T04:16:00Z'));

    const history = await altBench(success([orderRow()])).broker.trading.orderHistory('1');
    expect(history[0]?.updatedAt).toBe(Date.parse('2026-11-20T04:15:31Z'));
    const { triggers } = await altBench(success([gttRow])).broker.triggers.list();
    expect(triggers[0]).toMatchObject({
      createdAt: Date.parse('2026-11-20T04:15:30Z'),
      expiresAt: Date.parse('2027-11-20T04:15:30Z'),
    });

    const row = { last_price: 1, timestamp: '2026-11-20 09:45:30' };
    const quotes = await altBench(success({ 'NSE:INFY': row })).broker.marketData.quotes([
      instrument('NSE:INFY'),
    ]);
    expect(quotes.get('NSE:INFY')?.at).toBe(Date.parse('2026-11-20T04:15:30Z'));

    const bench = altBench(success({ candles: [['2026-11-20T09:15:00+0530', 1, 1, 1, 1, 1]] }));
    const from = epochMs(Date.parse('2026-11-20T03:45:00Z'));
    const candles = await bench.broker.marketData.candles!({
      instrument: instrument('NSE:INFY'),
      interval: '1minute',
      from,
      to: epochMs(from + 1_000),
    });
    expect(candles[0]?.at).toBe(from);
    expect(new URL(bench.transport.last.url).searchParams.get('from')).toBe('2026-11-20 09:15:00');
  });
});
