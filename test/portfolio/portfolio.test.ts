import { describe, expect, it } from 'vitest';
import type { Position } from '../../src/domain/portfolio.ts';
import type { Account } from '../../src/domain/ports.ts';
import { createPortfolio } from '../../src/portfolio/portfolio.ts';
import { position } from '../execution/support/makers.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** An account whose answers a test releases, in any order. */
class FakeAccount implements Account {
  readonly broker = 'alt';
  readonly asked: { answer(quantity: number): void; fail(): void }[] = [];

  positions(): Promise<readonly Position[]> {
    return new Promise((resolve, reject) => {
      this.asked.push({
        answer: (quantity) => resolve([position({ quantity })]),
        fail: () => reject(new Error('away')),
      });
    });
  }
  holdings = () => Promise.resolve([]);
  funds = () => Promise.resolve({ available: 5, used: null, total: null, byProduct: {} });
  profile = () => Promise.resolve({ userId: 'AB1234', name: null, email: null });
}

function bench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const account = new FakeAccount();
  const portfolio = createPortfolio(account, { clock: time, scheduler: time });
  const ask = async (maxAgeMs = 1_000): Promise<number | undefined> =>
    (await portfolio.positions(maxAgeMs)).data[0]?.quantity;
  return { time, account, portfolio, ask };
}

describe('an account’s read', () => {
  it('answers all callers who ask while it is under way', async () => {
    const { account, ask } = bench();
    const answers = Promise.all([ask(), ask(), ask()]);
    account.asked[0]!.answer(7);
    expect(await answers).toEqual([7, 7, 7]);
    expect(account.asked).toHaveLength(1);
  });

  it('is used until it is older than the caller allows, counted from its request', async () => {
    const { time, account, ask } = bench();
    const first = ask();
    await time.advance(900);
    account.asked[0]!.answer(7);
    await first;
    await time.advance(99);
    expect(await ask()).toBe(7);
    await time.advance(1);
    void ask();
    expect(account.asked).toHaveLength(2);
  });

  it('that is under way is not used for a caller who wants a newer one', async () => {
    const { time, account, ask } = bench();
    const first = ask(0);
    await time.advance(10);
    const second = ask(5);
    account.asked[0]!.answer(1);
    account.asked[1]!.answer(2);
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  it('that failed fails for its own callers only; the next caller reads again', async () => {
    const { account, ask } = bench();
    const failed = [ask(), ask()];
    account.asked[0]!.fail();
    for (const each of failed) await expect(each).rejects.toThrow('away');
    const next = ask();
    account.asked[1]!.answer(7);
    expect(await next).toBe(7);
  });

  it('that failed leaves the last answer for callers who allow its age', async () => {
    const { time, account, ask } = bench();
    const first = ask();
    account.asked[0]!.answer(7);
    await first;
    await time.advance(2_000);
    const failed = ask();
    account.asked[1]!.fail();
    await expect(failed).rejects.toThrow('away');
    expect(await ask(60_000)).toBe(7);
  });

  it('that is overtaken does not replace the newer one', async () => {
    const { time, account, ask } = bench();
    const slow = ask(0);
    await time.advance(10);
    const quick = ask(0);
    account.asked[1]!.answer(2);
    await quick;
    account.asked[0]!.answer(1);
    expect(await slow).toBe(1);
    expect(await ask()).toBe(2);
  });

  it('has the time of its request, by both clocks', async () => {
    const { time, account, portfolio } = bench();
    await time.advance(50);
    const read = portfolio.positions(0);
    const askedAt = time.now();
    await time.advance(30);
    account.asked[0]!.answer(7);
    expect(await read).toMatchObject({ askedAt, asked: 50 });
  });

  it('is of one kind: holdings, funds and profile are read separately', async () => {
    const { portfolio } = bench();
    expect(portfolio.broker).toBe('alt');
    expect((await portfolio.holdings(0)).data).toEqual([]);
    expect((await portfolio.funds(0)).data.available).toBe(5);
    expect((await portfolio.profile(0)).data.userId).toBe('AB1234');
  });
});
