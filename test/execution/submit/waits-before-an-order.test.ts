import { describe, expect, it } from 'vitest';
import { createRestingTriggers } from '../../../src/execution/exits/resting-triggers.ts';
import type { ExitParts } from '../../../src/execution/exits/exit-parts.ts';
import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import { statusOf } from '../../../src/execution/order/order.ts';
import { elapsedMs } from '../../../src/units/branded.ts';
import { triggerRecord, triggerState } from '../triggers/makers.ts';
import { accountWith, EXIT, tried } from '../support/exit-account.ts';
import { type LyingBroker, midday, rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

const held = (broker: LyingBroker): void => {
  broker.positions = [position({ quantity: 10 })];
};

describe('before an order is sent', () => {
  it('an exit waits one second for a book that does not come, and goes out without it', async () => {
    const account = await accountWith(held, { tagging: 'never', isEngaged: false });
    const { time, broker, gateway } = account;
    await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
    await time.advance(2_000);
    broker.readMs = 30_000;
    const exit = tried(account);
    await time.advance(990);
    expect(broker.placed).toHaveLength(0);
    await time.advance(20);
    expect(broker.placed).toHaveLength(1);
    await time.settle(exit);
  });

  it('a place within the limits of the broker is waited for as long as is left of five seconds', async () => {
    const account = await accountWith(held, { isEngaged: false });
    const waits: number[] = [];
    account.broker.trading.permit = (waitMs) => {
      waits.push(waitMs);
      return Promise.resolve(null);
    };
    await account.time.settle(tried(account, { quantity: 1 }));
    expect(waits).toEqual([5_000]);
  });

  it('an account is read for an exit a second after the last fill is known, and not earlier', async () => {
    const account = await accountWith(held);
    const { time, broker } = account;
    expect(await time.settle(tried(account, { ...EXIT, quantity: 4 }))).toBe('working');
    const [{ tag } = { tag: '' }] = broker.placed;
    const filled = { status: 'filled', filledQuantity: 4, quantity: 4, tags: [tag] } as const;
    broker.rows = [rowAt(time, { ...EXIT, ...filled, orderType: 'MARKET', price: null })];
    broker.positions = [position({ quantity: 6, sellQuantity: 4 })];
    const statusNow = (): string[] =>
      [...account.gateway.execution.state.orders.values()].map(statusOf);
    for (let ms = 0; ms < 5_000 && !statusNow().includes('filled'); ms += 10)
      await time.advance(10);
    const reads = broker.accountReads;
    const exit = tried(account, { ...EXIT, quantity: 6 });
    await time.advance(970);
    expect(broker.accountReads).toBe(reads);
    await time.advance(60);
    expect(broker.accountReads).toBe(reads + 1);
    await time.settle(exit);
  });

  it('an account that cannot be read is read again after five minutes at the latest', async () => {
    const unreadable = (broker: LyingBroker): void => void (broker.isAccountReadable = false);
    const { time, broker } = await accountWith(unreadable, { isEngaged: false });
    await time.advance(3_600_000);
    const reads = broker.accountReads;
    await time.advance(3_600_000);
    expect(broker.accountReads - reads).toBe(12);
  });
});

describe('the triggers of the gateway, before the first leg of an exit', () => {
  it('hold nothing up where their deletion fails: it is logged, and the list is read all the same', async () => {
    const time = midday();
    const trigger = triggerRecord({ state: triggerState('waiting') });
    const [leg] = trigger.terms.legs;
    const warned: unknown[] = [];
    const list = { triggers: [], unread: [] };
    const watch = {
      read: () => Promise.resolve({ begun: elapsedMs(0), list, account: null }),
    };
    const parts = {
      ...{ clock: time, scheduler: time },
      writer: { state: { triggers: new Map([[trigger.id, trigger]]) } },
      log: { warn: (...told: readonly unknown[]) => void warned.push(told) },
      triggers: {
        watch: () => watch,
        change: () => Promise.reject(new Error('the disk is full')),
      },
    } as unknown as ExitParts;
    const exit = {
      ...{ id: 'exit_1', broker: trigger.broker, instrument: trigger.terms.instrument },
      ...{ product: leg!.product, side: leg!.side, orderId: null },
    } as ExitRecord;
    const resting = createRestingTriggers(parts, () => null);
    expect(resting.live(exit)).toEqual([trigger]);
    expect(await time.settle(resting.clear(exit))).toBeNull();
    expect(warned).toEqual([
      [
        'a trigger could not be deleted for an exit',
        { orderId: trigger.id, reason: 'the disk is full' },
      ],
    ]);
  });
});
