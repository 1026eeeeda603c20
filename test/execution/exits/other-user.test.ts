import { describe, expect, it } from 'vitest';
import { exitBench } from './support/exit-bench.ts';

describe('an exit, once another user of the broker has logged in', () => {
  async function changing() {
    const bench = await exitBench();
    let account = 'AB1';
    bench.broker.trading.account = () => Promise.resolve(account);
    return { ...bench, login: (name: string) => void (account = name) };
  }

  it('sells nothing of theirs, and goes on once its own user is back', async () => {
    const { begin, after, legs, fates, login, setHeld } = await changing();
    fates.push({ kind: 'fills', quantity: 40 });
    const { id } = await begin();
    await after(id, 500);
    expect(legs()).toHaveLength(1);
    login('XY9');
    setHeld(500);
    expect((await after(id, 12_000)).doing).toContain('of XY9, and this began for AB1');
    expect(legs()).toHaveLength(1);
    login('AB1');
    setHeld(60);
    await after(id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 60]);
  });

  it('is not called flat because they hold nothing', async () => {
    const { begin, after, fates, login, setHeld } = await changing();
    fates.push({ kind: 'fills', quantity: 40 });
    const { id } = await begin();
    await after(id, 500);
    login('XY9');
    setHeld(0);
    const exit = await after(id, 60_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'account_unreadable', held: null });
  });

  it('is not called flat either where they log in while the account is read', async () => {
    const { begin, after, broker, fates, setHeld } = await exitBench();
    let reads = Infinity;
    const account = (): string => (broker.accountReads > reads ? 'XY9' : 'AB1');
    broker.trading.account = () => Promise.resolve(account());
    fates.push({ kind: 'fills', quantity: 40 });
    const { id } = await begin();
    // The leg rests for a second more, and the account was read again after what has filled.
    await after(id, 9_000);
    reads = broker.accountReads;
    setHeld(0);
    const exit = await after(id, 60_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'account_unreadable', held: null });
  });
});
