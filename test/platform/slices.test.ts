import { describe, expect, it } from 'vitest';
import { atOnce, inSlices, type Sliced } from '../../src/platform/slices.ts';
import { VirtualTime } from '../support/virtual-time.ts';

function* counting(to: number, seen: number[]): Sliced<string> {
  for (let each = 1; each <= to; each += 1) {
    seen.push(each);
    yield;
  }
  return 'done';
}

describe('work in slices', () => {
  it('lets others go between two of them', async () => {
    const time = new VirtualTime(0);
    const seen: number[] = [];
    const work = inSlices(counting(2, seen), time);
    expect(seen).toEqual([1]);
    time.endOfTurn(() => void seen.push(100));
    expect(await time.settle(work)).toBe('done');
    expect(seen).toEqual([1, 2, 100]);
  });

  it('rejects with what is thrown in a later slice', async () => {
    const time = new VirtualTime(0);
    const work = inSlices(
      (function* (): Sliced<void> {
        yield;
        throw new Error('half way');
      })(),
      time,
    );
    await expect(time.settle(work)).rejects.toThrow('half way');
  });

  it('goes no further once it is aborted, and says so', async () => {
    const time = new VirtualTime(0);
    const seen: number[] = [];
    let aborted = false;
    const work = inSlices(counting(9, seen), time, () => aborted);
    aborted = true;
    await expect(time.settle(work)).rejects.toThrow('no longer wanted');
    expect(seen).toEqual([1]);
  });

  it('is the same all at once', () => {
    const seen: number[] = [];
    expect(atOnce(counting(3, seen))).toBe('done');
    expect(seen).toEqual([1, 2, 3]);
  });
});
