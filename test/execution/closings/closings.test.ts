import { describe, expect, it } from 'vitest';
import type { ClosingCommand } from '../../../src/execution/closings/new-closing.ts';
import { exitBench } from '../exits/support/exit-bench.ts';

const ALL: ClosingCommand = {
  ...{ caller: 'someone', idempotencyKey: null, brokers: ['alt'], scope: 'account' },
  ...{ instrument: null, product: null, side: null, holdings: [], includeUndelivered: false },
};

describe('a closing at which the gateway makes a mistake', () => {
  it('ends stopped, and says so', async () => {
    const { trading, time, exits } = await exitBench();
    const { closings } = trading.execution;
    Object.assign(exits, { begin: () => Promise.reject(new TypeError('nothing is there')) });
    const { closing } = await time.settle(closings.begin(ALL));
    await time.advance(5_000);
    const ended = await closings.closing(closing.id);
    expect(ended?.over?.end).toBe('stopped');
    expect(ended?.over?.detail).toContain('nothing is there');
  });
});
