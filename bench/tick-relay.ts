import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket, WebSocketServer } from 'ws';

/** The least that passes ticks on: each message of the ticker goes to every reader, and nobody looks at it. */
const { tickerUrl, instruments } = workerData as { tickerUrl: string; instruments: number };

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
await once(server, 'listening');
const ticker = new WebSocket(tickerUrl);
await once(ticker, 'open');
const tokens = Array.from({ length: instruments }, (_, index) => index + 1);
ticker.send(JSON.stringify({ a: 'subscribe', v: tokens }));
ticker.on('message', (data: Buffer) => {
  for (const reader of server.clients) reader.send(data);
});
parentPort?.postMessage(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
