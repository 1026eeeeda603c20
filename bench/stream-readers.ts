import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { sinceStamp } from './tick-stamps.ts';

export interface ReadersGiven {
  readonly url: string;
  /** One for each reader: the key in its Authorization. */
  readonly keys: readonly string[];
  /** Sent when a connection is open; null for a server that needs none. */
  readonly subscribe: object | null;
  /** Takes nothing after the first message. */
  readonly isSlow: boolean;
}

export interface Heard {
  /** How long the newest and the oldest price of each message took, ms. */
  readonly latencies: readonly number[];
  readonly messages: number;
  readonly closed: number;
}

const given = workerData as ReadersGiven;
let latencies: number[] = [];
let [messages, closed, opened] = [0, 0, 0];

/** The stamps of the first and the last price, without reading what is between: readers are not what is measured. */
function stampsOf(data: Buffer, isBinary: boolean): number[] {
  if (isBinary) {
    if (data.byteLength < 16) return [];
    const length = data.readUInt16BE(2);
    return [data.readUInt32BE(8), data.readUInt32BE(data.byteLength - length + 4)];
  }
  const text = data.toString('latin1');
  if (!text.startsWith('{"type":"ticks"')) return [];
  return [text.indexOf('"lastPrice":'), text.lastIndexOf('"lastPrice":')].map(
    (at) => Number.parseFloat(text.slice(at + 12, at + 32)) * 100,
  );
}

for (const key of given.keys) {
  const headers = { authorization: `Bearer ${key}` };
  const socket = new WebSocket(given.url, { headers, perMessageDeflate: false });
  socket.on('open', () => {
    opened += 1;
    if (given.subscribe) socket.send(JSON.stringify(given.subscribe));
    if (opened === given.keys.length) parentPort?.postMessage('open');
  });
  socket.on('message', (data: Buffer, isBinary) => {
    messages += 1;
    if (given.isSlow) return socket.pause();
    for (const stamp of stampsOf(data, isBinary)) latencies.push(sinceStamp(stamp));
  });
  socket.on('close', () => (closed += 1));
  socket.on('error', (error) => {
    throw error;
  });
}

parentPort?.on('message', () => {
  const heard: Heard = { latencies, messages, closed };
  parentPort?.postMessage(heard);
  latencies = [];
  messages = 0;
});
