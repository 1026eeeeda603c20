import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Cancel, Scheduler } from './scheduler.ts';

/** Runs things at a time of the day in India, whatever the host's zone. */
export interface Cron {
  /**
   * `time` is `HH:MM` IST, each day. A time that passes while the process hangs or sleeps is run
   * when it goes on. The returned function ends it, and nothing of it keeps the process alive.
   */
  daily(time: string, run: () => void): Cancel;
}

/** Given the clock and the timers of the gateway that it is for, so that a test can play a day. */
export type OpenCron = (parts: {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}) => Promise<Cron>;

/**
 * node-cron, with clock and timers of its own; loaded when first needed. It runs what it missed once
 * for each time missed, and a step of the wall clock shows at its next timer only: who uses it looks
 * at the clock, and at what was done already.
 */
export const openNodeCron: OpenCron = async ({ log }) => {
  const { createTask } = await import('node-cron');
  const logger = {
    info: () => undefined,
    debug: () => undefined,
    warn: (message: string) => log.debug('node-cron', { reason: message }),
    error: (problem: string | Error) =>
      log.error('a scheduled task failed', {
        reason: problem instanceof Error ? problem.message : problem,
      }),
  };
  return {
    daily(time, run) {
      const [hour, minute] = time.split(':').map(Number);
      const task = createTask(`${minute} ${hour} * * *`, run, {
        timezone: 'Asia/Kolkata',
        logger,
        suppressMissedWarning: true,
      });
      task.on('execution:missed', run);
      void task.start();
      // A live task blocks the process's exit.
      return () => void task.destroy();
    },
  };
};
