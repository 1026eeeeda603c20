import type { Cancel, Clock, Scheduler } from './clock.ts';
import type { Log } from './log.ts';

/** Runs functions at a time of day in India, whatever the host's time zone. */
export interface Cron {
  /**
   * Runs every day at `time`, `HH:MM` IST. A run that fell due while the process hung or slept
   * happens when the process continues. The returned function ends the task. A task does not keep
   * the process alive.
   */
  daily(time: string, run: () => void): Cancel;
}

/** Takes the gateway's clock and timers, so that a test can simulate a day. */
export type OpenCron = (parts: {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}) => Promise<Cron>;

/**
 * node-cron, which has its own clock and timers; loaded on first use. It makes up for each missed
 * run, and notices a step of the wall clock only at its next timer: a task must check the clock and
 * what it has already done.
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
      // A running task would keep the process alive.
      return () => void task.destroy();
    },
  };
};
