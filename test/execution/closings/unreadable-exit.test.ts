import { describe, expect, it } from 'vitest';
import { ALL } from './support/all.ts';
import { exitBench } from '../exits/support/exit-bench.ts';

describe('a closing of which an exit is quarantined when the gateway starts', () => {
  it('ends, and says so', async () => {
    const { trading, time, database, fates } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { closing } = await time.settle(trading.execution.closings.begin(ALL));
    await time.advance(3_000);
    const [position] = (await trading.execution.closings.closing(closing.id))!.positions;
    expect(position?.exitId).toMatch(/^exit_/);
    database.exec(`UPDATE exits SET record = '{}'`);
    await trading.restart();
    await time.advance(600_000);
    const ended = await trading.execution.closings.closing(closing.id);
    expect(ended?.over?.end).toBe('stopped');
  });

  it('ends at once where a caller ends it', async () => {
    const { trading, time, database, fates } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { closing } = await time.settle(trading.execution.closings.begin(ALL));
    await time.advance(3_000);
    database.exec(`UPDATE exits SET record = '{}'`);
    await trading.restart();
    await time.settle(trading.execution.closings.cancel(closing.id));
    await time.advance(60_000);
    const ended = await trading.execution.closings.closing(closing.id);
    expect(ended?.over).not.toBeNull();
  });
});
