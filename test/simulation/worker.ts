import { parentPort, workerData } from 'node:worker_threads';
import type { DayKind } from './hours.ts';
import { runSeed } from './run-seed.ts';

/** Plays the seeds that it is handed, one after the other. */
const { only, day } = workerData as { only: string | null; day: DayKind };

parentPort?.on('message', (seed: string) => {
  void (async () => {
    const { timeline, violations, ...result } = await runSeed(seed, only, day);
    const texts = violations.map(({ property, text }) => `${property} ${text}`);
    parentPort?.postMessage({
      note: { ...result, violations: texts },
      timeline: texts.length > 0 ? timeline : [],
    });
  })();
});
