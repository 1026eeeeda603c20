import { describe, expect, it } from 'vitest';
import { bucketsOf, createRateLimitQueues } from '../../../src/adapters/alt/rate-limits.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

describe('what is left of the limits', () => {
  it('is reported for each, by the second, the minute and the day', async () => {
    const time = new VirtualTime('2026-11-20T10:00:00+05:30');
    const queues = createRateLimitQueues(time, time);
    await queues.orders.limiter.acquire(0);
    await queues.account.limiter.acquire(0);
    await queues.session.limiter.acquire(0);
    queues.quotes.limiter.pause(7_000);
    const idle = { waiting: 0, waited: { calls: 0, ms: 0 }, pausedUntil: null };
    expect(bucketsOf(queues, time)).toEqual([
      {
        ...idle,
        name: 'orders',
        windows: [
          { perMs: 1_000, limit: 10, left: 9, reserved: 2 },
          { perMs: 60_000, limit: 400, left: 399, reserved: 80 },
          { perMs: 86_400_000, limit: 5_000, left: 4_999, reserved: 1_000 },
        ],
      },
      {
        ...idle,
        name: 'quotes',
        windows: [{ perMs: 1_000, limit: 1, left: 1, reserved: 0 }],
        pausedUntil: time.now() + 7_000,
      },
      { ...idle, name: 'historical', windows: [{ perMs: 1_000, limit: 3, left: 3, reserved: 0 }] },
      { ...idle, name: 'other', windows: [{ perMs: 1_000, limit: 10, left: 8, reserved: 4 }] },
    ]);
  });
});
