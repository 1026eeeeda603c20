import { describe, expect, it } from 'vitest';
import { createSharedRead } from '../../src/portfolio/shared-read.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** A broker that takes 100 ms to answer how often it was asked. */
function bench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const askedAt: number[] = [];
  const shared = createSharedRead(
    () => {
      askedAt.push(time.elapsed());
      const count = askedAt.length;
      return new Promise<number>((resolve) => void time.after(100, () => resolve(count)));
    },
    { clock: time, scheduler: time },
  );
  const ask = async (maxAgeMs = 60_000): Promise<number> => (await shared.read(maxAgeMs)).data;
  return { time, shared, ask, askedAt };
}

describe('a read of which something has moved', () => {
  it('is used no more, whatever age a caller allows', async () => {
    const { time, shared, ask, askedAt } = bench();
    expect(await time.settle(ask())).toBe(1);
    await time.advance(1_000);
    expect(await time.settle(ask())).toBe(1);
    shared.outdate();
    expect(await time.settle(ask())).toBe(2);
    expect(await time.settle(ask())).toBe(2);
    expect(askedAt).toHaveLength(2);
  });

  it('is used no more after each move, also where nothing had to be waited for at the one before', async () => {
    const { time, shared, ask } = bench();
    expect(await time.settle(ask())).toBe(1);
    for (const next of [2, 3, 4]) {
      await time.advance(1_000);
      shared.outdate();
      expect(await time.settle(ask())).toBe(next);
    }
  });

  it('while it is under way answers those who asked before, and the others share the next one', async () => {
    const { time, shared, ask, askedAt } = bench();
    const before = ask();
    await time.advance(50);
    shared.outdate();
    const after = [ask(), ask(), ask()];
    await time.advance(10);
    expect(askedAt).toHaveLength(1);
    await time.advance(1_000);
    expect([await before, await Promise.all(after)]).toEqual([1, [2, 2, 2]]);
    expect(askedAt).toHaveLength(2);
  });

  it('is followed four times a second at most, however often something moves', async () => {
    const { time, shared, ask, askedAt } = bench();
    const answers: Promise<number>[] = [];
    for (let count = 0; count < 100; count += 1) {
      shared.outdate();
      answers.push(ask(), ask());
      await time.advance(20);
    }
    await time.advance(2_000);
    const all = await Promise.all(answers);
    expect(all).toEqual([...all].sort((left, right) => left - right));
    expect(askedAt.length).toBeLessThanOrEqual(10);
  });

  it('is not held up for long by one that does not end', async () => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    let asked = 0;
    const shared = createSharedRead(
      () => ((asked += 1) === 1 ? new Promise<number>(() => undefined) : Promise.resolve(asked)),
      { clock: time, scheduler: time },
    );
    void shared.read(1_000);
    shared.outdate();
    const next = shared.read(1_000);
    await time.advance(500);
    expect((await next).data).toBe(2);
  });

  it('waits for nothing where the caller wants it now', async () => {
    const { time, shared, ask, askedAt } = bench();
    void ask();
    await time.advance(10);
    shared.outdate();
    void ask(0);
    expect(askedAt).toHaveLength(2);
    await time.advance(1_000);
  });
});
