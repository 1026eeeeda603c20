import { createServer, type AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../../src/platform/values.ts';

/** What the server and the test share. */
export interface EarlyServer {
  /** Sent on a connection that has asked for nothing, when `speak` becomes 1; null for never. */
  readonly early: string | null;
  /** How many connections answer early; later ones wait for a request. */
  readonly earlyConnections: number;
  readonly answer: string;
  /** Shared: [0] the test sets it to 1 to make the server speak; [1] how often it has. */
  readonly speak: Int32Array;
  /** Shared: connections, and requests that arrived. */
  readonly seen: Int32Array;
}

/**
 * A server in a thread of its own: it can send while the thread of the test is busy, as a broker can
 * while the gateway writes to disk.
 */
const { early, earlyConnections, answer, speak, seen } = workerData as EarlyServer;
const port = must(parentPort, 'runs in a worker');

const server = createServer((socket) => {
  const count = Atomics.add(seen, 0, 1) + 1;
  let asked = false;
  socket.on('error', () => undefined);
  socket.on('data', () => {
    if (asked) return;
    asked = true;
    Atomics.add(seen, 1, 1);
    socket.write(answer);
  });
  if (early === null || count > earlyConnections) return;
  const watch = setInterval(() => {
    if (Atomics.load(speak, 0) === 0) return;
    clearInterval(watch);
    if (socket.destroyed) return;
    socket.write(early, () => {
      Atomics.add(speak, 1, 1);
      Atomics.notify(speak, 1);
    });
  }, 1);
});
server.listen(0, '127.0.0.1', () => port.postMessage((server.address() as AddressInfo).port));
