import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../src/session/session.ts';
import { createLog, createPino } from '../../src/platform/log.ts';
import { openReminderFile } from '../../src/reminder/reminder-file.ts';
import { createReminder } from '../../src/reminder/reminder.ts';
import { AWAY, fakeMessenger } from '../support/fake-messenger.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';
import { epochMs } from '../../src/units/branded.ts';

const LINK = 'https://gateway.example/api/altbroker/login';
const PATH = 'data/reminder.json';
const valid = (verifiedAt: number | null) => ({ state: 'valid', verifiedAt }) as SessionState;

async function reminderBench(start: string, days: 'daily' | 'trading' = 'daily') {
  const time = new VirtualTime(start);
  const files = memoryFiles();
  const messenger = fakeMessenger();
  const lines: string[] = [];
  const log = createLog(createPino('debug', { write: (line: string) => void lines.push(line) }));
  const cron = await openVirtualCron({ clock: time, scheduler: time, log });
  const bench = {
    time,
    files,
    messenger,
    lines,
    state: { state: 'absent' } as SessionState,
    /** How often the token was checked with the broker. */
    checks: 0,
    /** Whether the broker can be reached. */
    verifies: true,
    /** Cron does not fire: the process was asleep, or node-cron missed it. */
    withoutCron: { daily: () => () => undefined },
    start: (parts: { cron?: typeof cron } = {}) =>
      createReminder({
        session: {
          check: () => {
            bench.checks += 1;
            return Promise.resolve(
              bench.state.state === 'valid' && bench.verifies ? valid(time.now()) : bench.state,
            );
          },
        },
        messenger,
        cron: parts.cron ?? cron,
        file: openReminderFile({ files, log, path: PATH }),
        clock: time,
        scheduler: time,
        log,
        settings: { at: '09:00', days },
        loginUrl: () => LINK,
        loginTitle: 'alternative broker',
      }),
  };
  return bench;
}

describe('the reminder', () => {
  it('comes at 09:00, 09:10 and 09:14 with the link, while there is no session', async () => {
    const { time, messenger, start } = await reminderBench('2026-11-06T08:00:00+05:30');
    start();
    await time.advanceTo('2026-11-06T08:59:59+05:30');
    expect(messenger.texts).toEqual([]);
    await time.advanceTo('2026-11-06T09:00:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain(LINK);
    expect(messenger.texts[0]).toContain('The market opens at 09:15.');
    await time.advanceTo('2026-11-06T09:10:00+05:30');
    await time.advanceTo('2026-11-06T09:14:00+05:30');
    expect(messenger.texts.map((text) => text.split('\n')[0])).toEqual([
      'Please log in to the alternative broker for today:',
      'Still not logged in to the alternative broker at 09:10:',
      'Still not logged in to the alternative broker at 09:14:',
    ]);
    await time.advanceTo('2026-11-07T08:59:00+05:30');
    expect(messenger.texts).toHaveLength(3);
    await time.advanceTo('2026-11-07T09:00:00+05:30');
    expect(messenger.texts[3]).toContain('There is no trading today.');
  });

  it('ends when the user logs in', async () => {
    const bench = await reminderBench('2026-11-06T08:59:00+05:30');
    bench.start();
    await bench.time.advanceTo('2026-11-06T09:05:00+05:30');
    bench.state = valid(null);
    await bench.time.advanceTo('2026-11-06T12:00:00+05:30');
    // A session that dies later in the day has an alert of its own.
    bench.state = { state: 'expired', userId: null, expiredAt: epochMs(0) };
    await bench.time.advanceTo('2026-11-06T16:00:00+05:30');
    expect(bench.messenger.texts).toHaveLength(1);
    // The token is checked when a reminder is due, and at no other time.
    expect(bench.checks).toBe(3);
  });

  it('is not skipped when the broker could not be reached', async () => {
    const bench = await reminderBench('2026-11-06T08:59:00+05:30');
    Object.assign(bench, { state: valid(null), verifies: false });
    bench.start();
    await bench.time.advanceTo('2026-11-06T09:20:00+05:30');
    expect(bench.messenger.texts).toEqual([]);
    // The network is back, and the broker says that the token is dead.
    bench.state = { state: 'expired', userId: null, expiredAt: epochMs(0) };
    await bench.time.advance(60_000);
    expect(bench.messenger.texts).toHaveLength(1);
  });

  it('is sent late, once, when the gateway starts after its time', async () => {
    const { time, messenger, start } = await reminderBench('2026-11-06T11:20:00+05:30');
    start();
    await time.advance(3_600_000);
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain('was due at 09:14 and could not be sent then');
    expect(messenger.texts[0]).toContain('The market is open.');
  });

  it('is sent within a minute when cron missed its time, as after a sleep', async () => {
    const { time, messenger, start, withoutCron } = await reminderBench(
      '2026-11-06T07:59:30+05:30',
    );
    start({ cron: withoutCron });
    await time.advance(10_000);
    // The computer slept: the wall clock has moved on, timers have not.
    time.stepWall(75 * 60_000);
    await time.advance(60_000);
    expect(messenger.texts).toHaveLength(1);
  });

  it('is not repeated by a restart, nor by a clock that is set back', async () => {
    const { time, messenger, start } = await reminderBench('2026-11-06T08:59:00+05:30');
    {
      const life = start();
      await time.advance(120_000);
      time.stepWall(-120_000);
      await time.advance(180_000);
      life[Symbol.dispose]();
    }
    start();
    await time.advance(120_000);
    expect(messenger.texts).toHaveLength(1);
  });

  it('writes its intention to disk before it sends, and the result afterwards', async () => {
    const { time, files, messenger, start } = await reminderBench('2026-11-06T08:59:00+05:30');
    messenger.script.push('hang');
    const reminder = start();
    await time.advance(60_000);
    expect([messenger.tries, files.contents.get(PATH)]).toEqual([
      1,
      expect.stringContaining('"state":"sending"'),
    ]);
    reminder[Symbol.dispose]();
    await time.advance(0);
    expect(files.contents.get(PATH)).toContain('"state":"sending"');

    // Nobody knows whether this one was sent: it is sent once more, and says so.
    start();
    await time.advance(60_000);
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain('It may come twice');
    expect(files.contents.get(PATH)).toContain('"state":"sent"');
  });

  it('is sent twice at most, however often the process ends while sending', async () => {
    const { time, messenger, start } = await reminderBench('2026-11-06T09:01:00+05:30');
    messenger.script.push('hang', 'hang', 'hang');
    for (let round = 0; round < 3; round += 1) {
      const life = start();
      await time.advance(1_000);
      life[Symbol.dispose]();
    }
    expect(messenger.tries).toBe(2);
  });

  it('is sent again each minute while Telegram is away, and dropped when it is no longer needed', async () => {
    const bench = await reminderBench('2026-11-06T08:59:30+05:30');
    bench.messenger.always = AWAY;
    bench.start();
    // By cron at 09:00:00, then at each check.
    await bench.time.advanceTo('2026-11-06T09:02:45+05:30');
    expect(bench.messenger.tries).toBe(4);
    bench.state = valid(null);
    bench.messenger.always = null;
    await bench.time.advance(3_600_000);
    expect([bench.messenger.tries, bench.messenger.texts]).toEqual([4, []]);
  });

  it('is not lost by a restart while Telegram is away', async () => {
    const { time, messenger, start } = await reminderBench('2026-11-06T08:59:00+05:30');
    messenger.always = AWAY;
    {
      const life = start();
      await time.advance(90_000);
      life[Symbol.dispose]();
    }
    messenger.always = null;
    start();
    await time.advance(1_000);
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).not.toContain('It may come twice');
  });

  it('is not sent again when Telegram refuses it, which is logged', async () => {
    const { time, messenger, lines, start } = await reminderBench('2026-11-06T08:59:00+05:30');
    messenger.script.push({ kind: 'refused', reason: 'HTTP 403: blocked' });
    start();
    await time.advanceTo('2026-11-06T09:09:00+05:30');
    expect(messenger.tries).toBe(1);
    expect(lines.join()).toContain('HTTP 403: blocked');
    await time.advanceTo('2026-11-06T09:10:00+05:30');
    expect(messenger.texts).toHaveLength(1);
  });

  it('is sent once in this process when the disk is full', async () => {
    const { time, files, messenger, lines, start } = await reminderBench(
      '2026-11-06T08:59:00+05:30',
    );
    files.full = true;
    start();
    await time.advanceTo('2026-11-06T09:09:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    expect(lines.join()).toContain('ENOSPC');
  });

  it.each(['{"version":1,"slots":[{"key":1}]}', 'not JSON', '[]'])(
    'is sent when its file is damaged, which is logged: %s',
    async (damaged) => {
      const { time, files, messenger, lines, start } = await reminderBench(
        '2026-11-06T08:59:00+05:30',
      );
      files.contents.set(PATH, damaged);
      start();
      await time.advance(60_000);
      expect(messenger.texts).toHaveLength(1);
      expect(lines.join()).toContain('the next write replaces it');
    },
  );

  it('keeps the results of the last days only', async () => {
    const { time, files, start } = await reminderBench('2026-11-06T08:59:00+05:30');
    start();
    await time.advance(30 * 86_400_000);
    const { slots } = JSON.parse(files.contents.get(PATH) ?? '') as { slots: { key: string }[] };
    expect(slots).toHaveLength(60);
    expect(slots.at(-1)?.key).toBe('2026-12-05T09:14');
  });

  it('leaves no timer when it is stopped', async () => {
    const { time, start } = await reminderBench('2026-11-06T08:00:00+05:30');
    const reminder = start();
    expect(time.pending).toBeGreaterThan(0);
    reminder[Symbol.dispose]();
    expect(time.pending).toBe(0);
  });
});
