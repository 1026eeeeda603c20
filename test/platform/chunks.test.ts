import { describe, expect, it } from 'vitest';
import { atOnce, inChunks, type Chunked } from '../../src/platform/chunks.ts';
import { VirtualTime } from '../support/virtual-time.ts';

function* counting(to: number, seen: number[]): Chunked<string> {
  for (let each = 1; each <= to; each += 1) {
    seen.push(each);
    yield;
  }
  return 'done';
}

describe('work in chunks', () => {
  it('lets other work run between two chunks', async () => {
    const time = new VirtualTime(0);
    const seen: number[] = [];
    const work = inChunks(counting(2, seen), time);
    expect(seen).toEqual([1]);
    time.endOfTurn(() => void seen.push(100));
    expect(await time.settle(work)).toBe('done');
    expect(seen).toEqual([1, 2, 100]);
  });

  it('rejects with what a later chunk throws', async () => {
    const time = new VirtualTime(0);
    const work = inChunks(
      (function* (): Chunked<void> {
        yield;
        throw new Error('half way');
      })(),
      time,
    );
    await expect(time.settle(work)).rejects.toThrow('half way');
  });

  it('rejects and does no more once it is aborted', async () => {
    const time = new VirtualTime(0);
    const seen: number[] = [];
    let aborted = false;
    const work = inChunks(counting(9, seen), time, () => aborted);
    aborted = true;
    await expect(time.settle(work)).rejects.toThrow('no longer wanted');
    expect(seen).toEqual([1]);
  });

  it('gives the same result when it runs at once', () => {
    const seen: number[] = [];
    expect(atOnce(counting(3, seen))).toBe('done');
    expect(seen).toEqual([1, 2, 3]);
  });
});
