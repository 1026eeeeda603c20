import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { brokerOrderIdOf, reasonOf, statusOf } from '../../../src/execution/order/order.ts';
import type { VirtualTime } from '../../support/virtual-time.ts';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import { type LyingBroker, midday, rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

describe('an exit while the order book cannot be read', () => {
  const held = (broker: LyingBroker): void => {
    broker.positions = [position({ quantity: 10 })];
  };

  it.each([
    ['never', true, true, 'order_not_sent'],
    ['never', true, false, 'order_not_sent'],
    ['never', false, true, 'recovering'],
    ['never', false, false, 'recovering'],
    ['always', false, true, 'recovering'],
    ['always', false, false, 'recovering'],
  ] as const)(
    'goes out (tags: %s, read before: %s, switch: %s), and one that opens does not',
    async (tagging, isReadBefore, isEngaged, code) => {
      const account = await accountWith(held, { tagging, isEngaged, isReadable: isReadBefore });
      const { time, broker, gateway } = account;
      if (isReadBefore) await settled(time, gateway.execution.poller('alt')!.read(time.elapsed()));
      broker.isReadable = false;
      await time.advance(2_000);
      const begun = time.elapsed();
      expect(await settled(time, tried(account))).toBe('working');
      expect(time.elapsed() - begun).toBeLessThanOrEqual(3_000);
      expect(broker.placed).toHaveLength(1);
      expect(gateway.alerts().map(({ message }) => message)).toContainEqual(
        expect.stringContaining('its order book cannot be read'),
      );
      expect(await settled(time, tried(account, { quantity: 1 }))).toBe(code);
    },
  );

  it('goes out once, and is found again by its row where the answer is lost', async () => {
    const account = await accountWith(held, { tagging: 'never', isReadable: false });
    const { time, broker, gateway } = account;
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    expect(await settled(time, tried(account))).toBe('uncertain');
    const row = { ...EXIT, orderType: 'MARKET', price: null, brokerOrderId: 'b7' };
    broker.rows = [rowAt(time, row)];
    broker.isReadable = true;
    await time.advance(10_000);
    const [order] = [...gateway.execution.state.orders.values()];
    expect([order && brokerOrderIdOf(order), broker.placed.length]).toEqual(['b7', 1]);
  });

  it('is disputed, and says so, where its row does not say when it was made', async () => {
    const account = await accountWith(held, { tagging: 'never', isReadable: false });
    const { time, broker, gateway } = account;
    broker.place = () => uncertain({ kind: 'transport', message: 'no answer' });
    await settled(time, tried(account));
    broker.rows = [rowAt(time, { ...EXIT, orderType: 'MARKET', price: null, createdAt: null })];
    broker.isReadable = true;
    await time.advance(10_000);
    const [order] = [...gateway.execution.state.orders.values()];
    expect(order && [statusOf(order), reasonOf(order)]).toEqual([
      'disputed',
      expect.stringContaining('not known to have been made when it was sent'),
    ]);
  });

  it('waits for the book where the account has not been read for a minute either', async () => {
    const account = await accountWith(held, {
      tagging: 'never',
      isEngaged: false,
      isReadable: false,
    });
    account.broker.isAccountReadable = false;
    await account.time.advance(70_000);
    expect(await settled(account.time, tried(account))).toBe('recovering');
    expect(account.broker.placed).toEqual([]);
    expect(await settled(account.time, tried(account, EXIT, 'admin'))).toBe('working');
  });
});

describe('an exit under the kill switch, beside orders of the app', () => {
  const sale = (time: VirtualTime, parts: object = {}) =>
    rowAt(time, { side: 'SELL', brokerOrderId: 'hand', ...parts });

  it.each([
    ['rests', {}, 'kill_switch'],
    ['has a status that nobody knows', { status: 'unrecognised' }, 'kill_switch'],
    ['is cancelled', { status: 'cancelled' }, 'working'],
    ['buys', { side: 'BUY' }, 'working'],
    ['is of another product', { product: 'INTRADAY' }, 'working'],
    ['is of another instrument', { instrument: 'NSE:TCS' }, 'working'],
  ])('where one %s', async (_what, parts, expected) => {
    const time = midday();
    const account = await accountWith(
      (broker) => {
        broker.positions = [position({ quantity: 10 })];
        broker.rows = [sale(time, parts)];
      },
      { time },
    );
    expect(await settled(time, tried(account))).toBe(expected);
  });

  it('passes for what such an order leaves, and once it is gone', async () => {
    const time = midday();
    const account = await accountWith(
      (broker) => {
        broker.positions = [position({ quantity: 10 })];
        broker.rows = [sale(time, { quantity: 6 })];
      },
      { time },
    );
    expect(await settled(time, tried(account, { ...EXIT, quantity: 5 }))).toBe('kill_switch');
    expect(await settled(time, tried(account, { ...EXIT, quantity: 4 }))).toBe('working');
  });
});

describe('an exit under the kill switch, while the positions lag behind a fill', () => {
  it('is refused until they show it, however long that takes', async () => {
    const account = await accountWith((broker) => {
      broker.positions = [position({ quantity: 10 })];
    });
    const { time, broker } = account;
    expect(await settled(time, tried(account, { ...EXIT, quantity: 6 }))).toBe('working');
    const [{ tag } = { tag: '' }] = broker.placed;
    const filled = { status: 'filled', filledQuantity: 6, quantity: 6, tags: [tag] } as const;
    broker.rows = [rowAt(time, { ...EXIT, ...filled, orderType: 'MARKET', price: null })];
    await time.advance(5_000);
    expect(await settled(time, tried(account, { ...EXIT, quantity: 6 }))).toBe('kill_switch');
    await time.advance(120_000);
    expect(await settled(time, tried(account, { ...EXIT, quantity: 6 }))).toBe('kill_switch');
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    expect(await settled(time, tried(account, { ...EXIT, quantity: 4 }))).toBe('working');
    expect(broker.placed).toHaveLength(2);
  });

  it('passes within its three seconds where they show it then', async () => {
    const account = await accountWith((broker) => {
      broker.positions = [position({ quantity: 10 })];
    });
    const { time, broker } = account;
    expect(await settled(time, tried(account, { ...EXIT, quantity: 4 }))).toBe('working');
    const [{ tag } = { tag: '' }] = broker.placed;
    const filled = { status: 'filled', filledQuantity: 4, quantity: 4, tags: [tag] } as const;
    broker.rows = [rowAt(time, { ...EXIT, ...filled, orderType: 'MARKET', price: null })];
    await time.advance(2_000);
    time.after(1_500, () => {
      broker.positions = [position({ quantity: 6, sellQuantity: 4 })];
    });
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    const exit = tried(account, { ...EXIT, quantity: 6 });
    expect(await settled(time, exit)).toBe('working');
  });
});
