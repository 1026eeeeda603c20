import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock, systemScheduler } from '../../src/platform/clock.ts';
import { openNodeCron } from '../../src/platform/cron.ts';
import { silentLog } from '../../src/platform/log.ts';

const open = () => openNodeCron({ clock: systemClock, scheduler: systemScheduler, log: silentLog });
const before = process.env['TZ'];

describe('node-cron behind its port', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-06T08:59:00+05:30') });
  });
  afterEach(() => {
    vi.useRealTimers();
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  it.each(['UTC', 'Asia/Kolkata', 'America/New_York'])(
    'runs at 09:00 IST each day on a host in %s',
    async (zone) => {
      process.env['TZ'] = zone;
      const times: string[] = [];
      const end = (await open()).daily('09:00', () => void times.push(new Date().toISOString()));
      await vi.advanceTimersByTimeAsync(2 * 86_400_000);
      expect(times.map((time) => time.slice(0, 16))).toEqual([
        '2026-11-06T03:30',
        '2026-11-07T03:30',
      ]);
      end();
    },
  );

  it('runs once after the host slept through the time', async () => {
    let runs = 0;
    const end = (await open()).daily('09:00', () => void (runs += 1));
    // The wall clock runs on; timers do not.
    vi.setSystemTime(Date.parse('2026-11-06T10:30:00+05:30'));
    await vi.advanceTimersByTimeAsync(61_000);
    expect(runs).toBe(1);
    end();
  });

  it('leaves no timer that keeps the process alive once it is ended', async () => {
    const end = (await open()).daily('09:00', () => undefined);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });
});
