import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { KiteConnect } from 'kiteconnect';
import { benchOrder, BENCH_KITE } from './settings.ts';

/**
 * The least that any local server in front of the broker costs: it takes the request, writes one
 * synced row, makes the SDK's call, writes a second one, and answers. No order is known to it, and
 * nothing is checked.
 */
const { directory, origin, token } = workerData as Record<'directory' | 'origin' | 'token', string>;
const sdk = new KiteConnect({ api_key: BENCH_KITE.apiKey, root: origin });
sdk.setAccessToken(token);

const database = new DatabaseSync(join(directory, 'bare.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
const insert = database.prepare('INSERT INTO rows (text) VALUES (?)');

let count = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    insert.run(Buffer.concat(chunks).toString());
    count += 1;
    void sdk.placeOrder('regular', benchOrder(`bare${count}`)).then((placed) => {
      const answer = JSON.stringify(placed);
      insert.run(answer);
      response.writeHead(201, { 'content-type': 'application/json' }).end(answer);
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
