import express from 'express';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The least that an Express server does: one route, one answer, which it writes as JSON each time. */
const answer: unknown = JSON.parse((workerData as { text: string }).text);
const app = express();
app.get('/api/v1/quotes', (_request, response) => void response.json(answer));
const server = app.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
