import { describe, expect, it } from 'vitest';
import { createReadsInTurn } from '../../../src/execution/reconcile/shared-reads.ts';
import { plus } from '../../../src/units/branded.ts';
import { drain, VirtualTime } from '../../support/virtual-time.ts';

/** Each read takes so long, or as long as `takes` says. */
const READ_MS = 30;

function bench(takes: (number: number) => number = () => READ_MS) {
  const time = new VirtualTime(0);
  const begun: number[] = [];
  const reads = createReadsInTurn<number>(
    (at) =>
      new Promise((resolve, reject) => {
        const number = begun.push(at);
        const ms = takes(number);
        time.after(Math.abs(ms), () => (ms < 0 ? reject(new Error('it failed')) : resolve(at)));
      }),
    { clock: time, scheduler: time },
  );
  return { time, begun, reads };
}

describe('reads that many ask for', () => {
  it('are one for those who ask in one turn', async () => {
    const { time, begun, reads } = bench();
    const asked = Array.from({ length: 40 }, () => reads.read(time.elapsed()));
    await time.advance(100);
    expect([begun, await Promise.all(asked)]).toEqual([[0], asked.map(() => 0)]);
  });

  it('are few for those who ask one after the other, each begun after it was asked for', async () => {
    const { time, begun, reads } = bench();
    const asked: { at: number; read: Promise<number> }[] = [];
    for (let each = 0; each < 40; each += 1) {
      asked.push({ at: time.elapsed(), read: reads.read(time.elapsed()) });
      await time.advance(3);
    }
    await time.advance(1_000);
    const early = [];
    for (const { at, read } of asked) if ((await read) < at) early.push(at);
    expect(early).toEqual([]);
    // One begins when the one before it is over: five of them fit into 120 ms.
    expect(begun.length).toBeLessThanOrEqual(6);
  });

  it('do not wait for one that hangs: the next one begins after half a second, and one at a time', async () => {
    const { time, begun, reads } = bench((number) => (number === 1 ? 60_000 : READ_MS));
    void reads.read(time.elapsed());
    await time.advance(10);
    const asked = [reads.read(time.elapsed()), reads.read(time.elapsed())];
    await time.advance(1_000);
    expect([begun, await Promise.all(asked)]).toEqual([
      [0, 500],
      [500, 500],
    ]);
  });

  it('that fail reject those who waited for them alone', async () => {
    const { time, begun, reads } = bench((number) => (number === 1 ? -READ_MS : READ_MS));
    const first = reads.read(time.elapsed()).catch(() => 'failed');
    await time.advance(10);
    const second = reads.read(time.elapsed());
    await time.advance(200);
    expect([await first, await second, begun]).toEqual(['failed', 30, [0, 30]]);
  });

  it('are shared by those for whom the one under way began late enough', async () => {
    const { time, begun, reads } = bench();
    const first = reads.read(time.elapsed());
    await drain();
    await time.advance(20);
    const other = reads.read(plus(time.elapsed(), -20));
    await time.advance(100);
    expect([await first, await other, begun]).toEqual([0, 0, [0]]);
  });
});
