import { parentPort, workerData } from 'node:worker_threads';
import { compose } from '../src/compose.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';

/** A gateway on a thread of its own, over real sockets and a real disk. */
const composed = await compose({
  environment: memoryEnvironment(workerData as Record<string, string>),
});
const { url } = await composed.listen();
parentPort?.postMessage(url);
parentPort?.once('message', () => {
  void composed[Symbol.asyncDispose]().then(() => parentPort?.postMessage('stopped'));
});
