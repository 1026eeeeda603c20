import { parentPort } from 'node:worker_threads';
import type { DayKind } from '../hours.ts';
import { digestsOf, playForLog } from './play.ts';
import type { RecordedSeed } from './recorded.ts';

/** Plays the seeds that it is handed, one after the other, and answers with their digests. */
parentPort?.on('message', ({ kind, seed }: { kind: DayKind; seed: number }) => {
  void (async () => {
    const digests = digestsOf(await playForLog(kind, String(seed)));
    const played: RecordedSeed = { kind, seed, ...digests };
    parentPort?.postMessage(played);
  })();
});
