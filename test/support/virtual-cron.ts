import { istDay, istTime } from '../../src/domain/ist.ts';
import type { OpenCron } from '../../src/platform/cron.ts';

const DAY_MS = 86_400_000;

/** Cron on the clock and the timers that it is given: under virtual time, a day takes a moment. */
export const openVirtualCron: OpenCron = ({ clock, scheduler }) =>
  Promise.resolve({
    daily(time, run) {
      let cancel = (): void => undefined;
      const arm = (): void => {
        const today = istTime(istDay(clock.now()), time);
        const next = today > clock.now() ? today : today + DAY_MS;
        cancel = scheduler.after(next - clock.now(), () => {
          arm();
          run();
        });
      };
      arm();
      return () => cancel();
    },
  });
