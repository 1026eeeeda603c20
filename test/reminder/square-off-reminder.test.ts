import { describe, expect, it } from 'vitest';
import { createLog, createPino } from '../../src/platform/log.ts';
import { openReminderFile } from '../../src/reminder/reminder-file.ts';
import type { AccountPositions } from '../../src/reminder/square-off.ts';
import { createSquareOffReminder } from '../../src/reminder/square-off-reminder.ts';
import { AWAY, fakeMessenger } from '../support/fake-messenger.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

const HELD: AccountPositions = {
  broker: 'alt',
  positions: [{ instrument: 'NSE:INFY', product: 'INTRADAY', quantity: 10 }],
  problem: null,
  asOf: null,
};

async function squareOffBench(start: string) {
  const time = new VirtualTime(start);
  const files = memoryFiles();
  const messenger = fakeMessenger();
  const log = createLog(createPino('silent', { write: () => undefined }));
  const cron = await openVirtualCron({ clock: time, scheduler: time, log });
  const bench = {
    time,
    messenger,
    held: [HELD] as readonly AccountPositions[],
    reads: 0,
    start: () =>
      createSquareOffReminder({
        ...{ messenger, cron, clock: time, scheduler: time, log },
        file: openReminderFile({ files, log, path: 'data/square-off.json' }),
        settings: {
          times: new Map([
            ['NSE', '15:10'],
            ['NFO', '15:20'],
          ]),
          minutesBefore: 15,
        },
        accounts: () => {
          bench.reads += 1;
          return Promise.resolve(bench.held);
        },
      }),
  };
  return bench;
}

describe('the square-off reminder', () => {
  it('comes once, a quarter of an hour before, for the exchange of the position', async () => {
    const { time, messenger, start } = await squareOffBench('2026-11-06T14:00:00+05:30');
    start();
    await time.advanceTo('2026-11-06T14:54:59+05:30');
    expect(messenger.texts).toEqual([]);
    await time.advanceTo('2026-11-06T14:55:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain('NSE:INFY, 10 bought');
    await time.advanceTo('2026-11-06T16:00:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    await time.advanceTo('2026-11-09T14:55:00+05:30');
    expect(messenger.texts).toHaveLength(2);
  });

  it('reads no account at other times', async () => {
    const bench = await squareOffBench('2026-11-06T15:30:00+05:30');
    bench.start();
    await bench.time.advanceTo('2026-11-09T14:54:00+05:30');
    expect(bench.reads).toBe(0);
  });

  it('comes for a position that is opened shortly before', async () => {
    const bench = await squareOffBench('2026-11-06T14:00:00+05:30');
    bench.held = [];
    bench.start();
    await bench.time.advanceTo('2026-11-06T15:04:30+05:30');
    expect(bench.messenger.texts).toEqual([]);
    bench.held = [HELD];
    await bench.time.advanceTo('2026-11-06T15:06:00+05:30');
    expect(bench.messenger.texts).toHaveLength(1);
  });

  it('comes as soon as the messenger is there again, and no more after the time', async () => {
    const bench = await squareOffBench('2026-11-06T14:00:00+05:30');
    bench.start();
    bench.messenger.always = AWAY;
    await bench.time.advanceTo('2026-11-06T14:58:30+05:30');
    expect([bench.messenger.tries > 2, bench.messenger.texts]).toEqual([true, []]);
    bench.messenger.always = null;
    await bench.time.advanceTo('2026-11-06T15:00:00+05:30');
    expect(bench.messenger.texts).toHaveLength(1);
    const late = await squareOffBench('2026-11-06T15:10:00+05:30');
    late.start();
    await late.time.advanceTo('2026-11-06T16:00:00+05:30');
    expect(late.messenger.texts).toEqual([]);
  });

  it('is not repeated by a restart', async () => {
    const { time, messenger, start } = await squareOffBench('2026-11-06T14:00:00+05:30');
    const first = start();
    await time.advanceTo('2026-11-06T14:55:30+05:30');
    first[Symbol.dispose]();
    start();
    await time.advanceTo('2026-11-06T15:09:00+05:30');
    expect(messenger.texts).toHaveLength(1);
  });
});
