import { describe, expect, it } from 'vitest';
import { sleep, systemScheduler } from '../../src/platform/clock.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const soon = (run: (resolve: () => void) => void) => new Promise<void>(run);

describe('the host’s scheduler', () => {
  it('runs a task that is due', async () => {
    await soon((resolve) => systemScheduler.after(0, resolve));
    await soon((resolve) => systemScheduler.after(-5, resolve));
  });

  it('does not run a cancelled task', async () => {
    let ran = false;
    systemScheduler.after(0, () => (ran = true))();
    await soon((resolve) => systemScheduler.after(0, resolve));
    expect(ran).toBe(false);
  });

  it('does not run a task at once whose delay exceeds the longest timer', async () => {
    let ran = false;
    const cancel = systemScheduler.after(Infinity, () => (ran = true));
    await soon((resolve) => systemScheduler.after(1, () => systemScheduler.endOfTurn(resolve)));
    expect(ran).toBe(false);
    cancel();
  });

  it('ends a turn after all promise callbacks of that turn', async () => {
    const seen: string[] = [];
    const end = soon((resolve) =>
      systemScheduler.endOfTurn(() => {
        seen.push('end');
        resolve();
      }),
    );
    void Promise.resolve()
      .then(() => seen.push('first'))
      .then(() => seen.push('second'));
    await end;
    expect(seen).toEqual(['first', 'second', 'end']);
  });
});

describe('sleeping', () => {
  it('lasts as long as requested', async () => {
    const time = new VirtualTime(0);
    await time.settle(sleep(time, 700));
    expect(time.elapsed()).toBe(700);
  });

  it('ends early, without an error and without a timer left, when it is aborted', async () => {
    const time = new VirtualTime(0);
    const abort = new AbortController();
    const asleep = sleep(time, 700, abort.signal);
    abort.abort();
    await asleep;
    expect([time.elapsed(), time.pending]).toEqual([0, 0]);
  });

  it('does not begin when it was aborted before', async () => {
    const time = new VirtualTime(0);
    await sleep(time, 700, AbortSignal.abort());
    expect(time.pending).toBe(0);
  });
});
