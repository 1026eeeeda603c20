import { describe, expect, it } from 'vitest';
import type { UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import type { LyingBroker } from '../support/lying-broker.ts';
import { position, unreadRow } from '../support/makers.ts';
import { rowAt } from '../support/lying-broker.ts';
import type { UnreadRow } from '../../../src/domain/broker-order.ts';

const unread = (parts: Partial<UnreadPortfolioRow> = {}): UnreadPortfolioRow => ({
  ...{ list: 'positions', instrument: null, product: null, quantity: null, reason: 'odd' },
  ...parts,
});

describe('a row of the positions that cannot be read, under the kill switch', () => {
  const withRow = (row: UnreadPortfolioRow) =>
    accountWith((broker) => {
      broker.positions = [position({ quantity: 10 })];
      broker.unread = [row];
    });

  it.each([
    ['of another instrument', unread({ instrument: 'NSE:TCS' })],
    ['of another product', unread({ product: 'INTRADAY' })],
    ['that could be any, since the position of the order is there', unread()],
  ])('%s does not hold back an exit', async (_what, row) => {
    const account = await withRow(row);
    expect(await settled(account.time, tried(account))).toBe('working');
  });

  it('holds back an exit of what it could be, unless an admin forces it', async () => {
    const account = await accountWith((broker) => {
      broker.positions = [position({ instrument: 'NSE:TCS', quantity: 10 })];
      broker.unread = [unread({ instrument: 'NSE:INFY' })];
    });
    expect(await settled(account.time, tried(account))).toBe('kill_switch');
    const tcs = { ...EXIT, instrument: 'NSE:TCS' };
    expect(await settled(account.time, tried(account, tcs))).toBe('working');
    account.broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    expect(await settled(account.time, tried(account, EXIT, 'admin'))).toBe('working');
  });

  it('holds back a sale of holdings that it may have sold already, unless an admin forces it', async () => {
    const account = await accountWith((broker) => {
      broker.holdings = [holding('NSE:INFY')];
      broker.unread = [unread({ instrument: 'NSE:INFY', product: 'CNC' })];
    });
    expect(await settled(account.time, tried(account))).toBe('kill_switch');
    expect(account.broker.placed).toEqual([]);
    expect(await settled(account.time, tried(account, EXIT, 'admin'))).toBe('working');
  });

  it('of another product does not hold back a sale of holdings', async () => {
    const account = await accountWith((broker) => {
      broker.holdings = [holding('NSE:INFY')];
      broker.unread = [unread({ instrument: 'NSE:INFY', product: 'INTRADAY' })];
    });
    expect(await settled(account.time, tried(account))).toBe('working');
  });

  it('counts with its quantity where that can be read', async () => {
    const account = await accountWith((broker) => {
      broker.unread = [unread({ instrument: 'NSE:INFY', product: 'CNC', quantity: 10 })];
    });
    expect(await settled(account.time, tried(account, { ...EXIT, quantity: 11 }))).toBe(
      'kill_switch',
    );
    expect(await settled(account.time, tried(account))).toBe('working');
  });

  it('is alerted to once', async () => {
    const account = await withRow(unread({ instrument: 'NSE:TCS' }));
    account.gateway.execution.wake('alt');
    await account.time.advance(60_000);
    expect(account.broker.accountReads).toBeGreaterThan(1);
    const alerts = account.gateway.alerts().filter(({ message }) => message.includes('NSE:TCS'));
    expect(alerts).toHaveLength(1);
  });
});

describe('a row of the book that cannot be read, under the kill switch', () => {
  const withRow = (row: Partial<UnreadRow>) =>
    accountWith((broker) => {
      broker.positions = [position({ quantity: 10 })];
      const named = { brokerOrderId: 'x1', instrument: 'NSE:INFY', side: 'SELL' } as const;
      broker.unreadRows = [unreadRow({ ...named, ...row })];
    });

  it('holds back an exit of what it may sell, with its name, unless an admin forces it', async () => {
    const account = await withRow({});
    expect(await settled(account.time, tried(account))).toBe('kill_switch');
    const { gateway, time } = account;
    const refused = gateway.execution.place(gateway.commandOf(EXIT)).catch(String);
    expect(await settled(time, refused)).toMatch(/row x1 in the order book of alt/);
    expect(await settled(time, tried(account, EXIT, 'admin'))).toBe('working');
  });

  it.each([
    ['of another instrument', { instrument: 'NSE:TCS' }],
    ['of no readable instrument', { instrument: null }],
    ['that has ended', { status: 'rejected' as const }],
  ])('%s does not hold back an exit', async (_what, row) => {
    const account = await withRow(row);
    expect(await settled(account.time, tried(account))).toBe('working');
  });

  it('is not forced where what can be read stops the order', async () => {
    const account = await withRow({});
    account.broker.rows = [rowAt(account.time, { brokerOrderId: 'x2', side: 'SELL', quantity: 5 })];
    await account.time.advance(10_000);
    account.gateway.execution.wake('alt');
    await account.time.advance(10_000);
    expect(await settled(account.time, tried(account, EXIT, 'admin'))).toBe('kill_switch');
  });
});

describe('shares that are held at another exchange', () => {
  it('count as held where the lists have one ISIN for both', async () => {
    const account = await accountWith((broker) => {
      broker.holdings = [holding('BSE:SBIN')];
    });
    const exit = { ...EXIT, instrument: 'NSE:SBIN' };
    expect(await settled(account.time, tried(account, { ...exit, quantity: 11 }))).toBe(
      'kill_switch',
    );
    expect(await settled(account.time, tried(account, exit))).toBe('working');
  });

  it('do not count twice: what was sold there today is gone', async () => {
    const account = await accountWith((broker) => {
      broker.holdings = [holding('BSE:SBIN')];
      broker.positions = [position({ instrument: 'BSE:SBIN', quantity: -4, sellQuantity: 4 })];
    });
    const exit = { ...EXIT, instrument: 'NSE:SBIN' };
    expect(await settled(account.time, tried(account, { ...exit, quantity: 7 }))).toBe(
      'kill_switch',
    );
    expect(await settled(account.time, tried(account, { ...exit, quantity: 6 }))).toBe('working');
  });

  it('count without what was bought there today: that is not delivered yet', async () => {
    const account = await accountWith((broker) => {
      broker.holdings = [holding('BSE:SBIN')];
      broker.positions = [position({ instrument: 'BSE:SBIN', quantity: 5, buyQuantity: 5 })];
    });
    const exit = { ...EXIT, instrument: 'NSE:SBIN' };
    expect(await settled(account.time, tried(account, { ...exit, quantity: 11 }))).toBe(
      'kill_switch',
    );
    expect(await settled(account.time, tried(account, exit))).toBe('working');
  });

  it('do not count where no list says that they are the same', async () => {
    const account = await accountWith((broker) => {
      broker.holdings = [{ ...holding('BSE:INFY'), isin: 'INE009A01021' }];
    });
    expect(await settled(account.time, tried(account))).toBe('kill_switch');
  });
});

describe('an exit after the usual close, when a session may have been extended', () => {
  const late = (): VirtualTime => new VirtualTime('2026-11-06T16:30:00+05:30');
  const held = (broker: LyingBroker): void => {
    broker.positions = [position({ quantity: 10 })];
  };

  it.each([
    ['goes to the broker that it names', { ...EXIT, broker: 'alt' }, 'working'],
    ['is refused without a name', EXIT, 'market_closed'],
    [
      'is refused where it sells more than is held',
      { ...EXIT, broker: 'alt', quantity: 11 },
      'market_closed',
    ],
    ['is refused where it buys', { broker: 'alt' }, 'market_closed'],
  ])('%s', async (_what, request, expected) => {
    const account = await accountWith(held, { time: late(), isEngaged: false });
    expect(await settled(account.time, tried(account, request))).toBe(expected);
  });
});

const holding = (instrument: string) => ({
  ...{ instrument, isin: null, quantity: 10, usedQuantity: 0, t1Quantity: 0 },
  ...{ averagePrice: null, lastPrice: null },
});
