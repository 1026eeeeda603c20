import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { atMost, pauseRows, percentile, printRows, row, type Row } from './results.ts';
import { BENCH_ADMIN_KEY, benchEnvironment } from './settings.ts';
import { openRequests, startBrokers, startGateway } from './started.ts';

const SAMPLES = 60;
/** Far below the market, so that the order rests until it is filled by hand. */
const RESTING = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'INTRADAY' };
const RESTING_PRICE = 1_400;
/** What a request to the broker takes, ms. */
const LATENCY_MS: [number, number] = [4, 8];

/**
 * From the broker's postback of a fill to the event of the fill in a caller's stream. The postback goes by a
 * server of the bench that notes when it came; between postback and event the gateway reads the broker's book.
 */
export async function benchPostbackEvents(directory: string): Promise<readonly Row[]> {
  const noted = new Map<string, number>();
  const postbackPort = await freePort();
  await using relay = await startRelay(`http://127.0.0.1:${postbackPort}`, (brokerOrderId) =>
    noted.set(brokerOrderId, performance.now()),
  );
  await using brokers = await startBrokers({ latencyMs: LATENCY_MS, postbackUrl: relay.url });
  await using gateway = await startGateway({
    ...benchEnvironment(brokers.origins, directory),
    APP_POSTBACK_PORT: String(postbackPort),
  });
  await using requests = openRequests();
  const over = new AbortController();
  const filled = await readFills(`${gateway.url}/api/v1/events?type=order.fill`, over.signal);
  const took: number[] = [];
  gateway.watch();
  let seenBefore = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const body = JSON.stringify({ ...RESTING, orderType: 'LIMIT', price: RESTING_PRICE });
    const text = await requests.post(`${gateway.url}/api/v1/orders`, body, `postback-${sample}`);
    const { data } = JSON.parse(text) as { data: { brokerOrderId: string } };
    // Reads of the book are a second apart: the fills must not be in step with them.
    await sleep(300 + ((sample * 137) % 900));
    brokers.fill(data.brokerOrderId, RESTING_PRICE);
    const heardAt = await filled(data.brokerOrderId);
    await sleep(500);
    const notedAt = noted.get(data.brokerOrderId) ?? Infinity;
    if (heardAt < notedAt) seenBefore += 1;
    else took.push(heardAt - notedAt);
  }
  over.abort();
  return printRows(`From the postback of a fill to its event, ${SAMPLES} fills`, [
    row('fills that a read of the book showed before their postback', seenBefore, 'fills'),
    row('from the postback to the event in a stream, p50', percentile(took, 0.5), 'ms'),
    row(
      'from the postback to the event in a stream, p99',
      percentile(took, 0.99),
      'ms',
      atMost(50),
    ),
    ...pauseRows('postbacks', await gateway.pauses()),
  ]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Passes postbacks on as they are. */
async function startRelay(to: string, note: (brokerOrderId: string) => void) {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      note((JSON.parse(body) as { order_id: string }).order_id);
      const headers = { 'content-type': 'application/json' };
      request(`${to}${req.url}`, { method: 'POST', headers, body })
        .then(async (answer) => {
          await answer.body.dump();
          res.writeHead(answer.statusCode).end();
        })
        .catch(() => res.writeHead(502).end());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/altbroker/postback`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** When the fill of an order arrived in a stream that is open from now on. */
async function readFills(
  url: string,
  signal: AbortSignal,
): Promise<(brokerOrderId: string) => Promise<number>> {
  const headers = { authorization: `Bearer ${BENCH_ADMIN_KEY}`, accept: 'text/event-stream' };
  const { body } = await request(url, { headers, signal, bodyTimeout: 0 });
  const heard = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: body })) {
      if (!line.startsWith('data:')) continue;
      const at = performance.now();
      const event = JSON.parse(line.slice(5)) as Event;
      const id = event.data?.order?.brokerOrderId;
      if (event.type !== 'order.fill' || id === undefined) continue;
      heard.set(id, at);
      waiting.get(id)?.(at);
    }
  };
  read().catch(() => undefined);
  return (brokerOrderId) =>
    new Promise((resolve) => {
      const at = heard.get(brokerOrderId);
      if (at === undefined) waiting.set(brokerOrderId, resolve);
      else resolve(at);
    });
}

interface Event {
  readonly type: string;
  readonly data?: { readonly order?: { readonly brokerOrderId?: string } };
}
