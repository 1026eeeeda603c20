import { describe, expect, it } from 'vitest';
import { createClock, systemClock } from '../../src/platform/clock.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const HOUR_MS = 3_600_000;

/** A host whose running clock stands still while it sleeps, and whose uptime has whole seconds where `resolution` says so. */
function host({ resolution = 10, stands = true } = {}) {
  const is = { wall: 1_793_957_280_000, running: 50_000, uptime: 7_000_003 };
  const clock = createClock({
    wall: () => is.wall,
    running: () => is.running,
    uptime: () => Math.floor(is.uptime / resolution) * resolution,
  });
  const begun = clock.elapsed();
  return {
    clock,
    elapsed: () => clock.elapsed() - begun,
    run(ms: number): void {
      is.wall += ms;
      is.running += ms;
      is.uptime += ms;
    },
    sleep(ms: number): void {
      is.wall += ms;
      is.uptime += ms;
      if (!stands) is.running += ms;
    },
    set: (ms: number) => void (is.wall += ms),
  };
}

describe('elapsed time', () => {
  it('includes sleep at the first question after it', () => {
    const { clock, elapsed, run, sleep } = host();
    run(300);
    sleep(2 * HOUR_MS);
    expect(elapsed()).toBeCloseTo(2 * HOUR_MS + 300, -2);
    run(1_000);
    expect(elapsed()).toBeCloseTo(2 * HOUR_MS + 1_300, -2);
    expect(clock.now()).toBe(1_793_957_280_000 + 2 * HOUR_MS + 1_300);
  });

  it('includes each sleep once, and two of them', () => {
    const { elapsed, run, sleep } = host({ resolution: 1_000 });
    for (const hours of [1, 3]) {
      sleep(hours * HOUR_MS);
      for (let turn = 0; turn < 40; turn += 1) {
        run(500);
        elapsed();
      }
    }
    expect(Math.abs(elapsed() - 4 * HOUR_MS - 40_000)).toBeLessThan(2_000);
  });

  it.each([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, 1_500, -90_000])(
    'does not step with the clock of the wall (%i ms)',
    (ms) => {
      const { elapsed, run, set } = host({ resolution: 1_000 });
      run(700);
      set(ms);
      expect(elapsed()).toBe(700);
      run(60_000);
      expect(elapsed()).toBe(60_700);
    },
  );

  it('includes a sleep after which the clock of the wall was wrong, ten seconds later', () => {
    const { elapsed, run, sleep, set } = host();
    sleep(HOUR_MS);
    set(-2 * HOUR_MS);
    expect(elapsed()).toBe(0);
    run(10_000);
    expect(elapsed()).toBeCloseTo(HOUR_MS + 10_000, -2);
  });

  it('counts no sleep twice on a host whose running clock goes on', () => {
    const { elapsed, run, sleep } = host({ stands: false, resolution: 1_000 });
    sleep(HOUR_MS);
    run(1_000);
    expect(elapsed()).toBe(HOUR_MS + 1_000);
  });

  it('never goes back', () => {
    const { elapsed, run, sleep, set } = host({ resolution: 1_000 });
    let before = elapsed();
    for (let turn = 0; turn < 2_000; turn += 1) {
      run((turn * 37) % 1_300);
      if (turn % 90 === 0) sleep((turn * 7) % 9_000);
      if (turn % 70 === 0) set(turn % 140 === 0 ? 5_000 : -5_000);
      const now = elapsed();
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  });
});

it('runs on this host', () => {
  const before = systemClock.elapsed();
  expect(systemClock.elapsed()).toBeGreaterThanOrEqual(before);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
});

describe('the scheduler of tests', () => {
  it('waits a millisecond at least, as the system does: a rest of 1e-11 ms ends too', async () => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    await time.advance(519_378.712948);
    const before = time.elapsed();
    await time.settle(new Promise<void>((resolve) => void time.after(5.8e-11, resolve)));
    expect(time.elapsed() - before).toBeGreaterThanOrEqual(0.9);
  });
});
