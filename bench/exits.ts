import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import type { BrokerSide, HeldAtBroker, HeldPosition } from './exit-brokers.ts';
import { closeFortyInVirtualTime } from './exits-in-virtual-time.ts';
import { type Closed, ENTRIES, ENTRY, LEGS, QUEUED_FOR_MS } from './exits-measured.ts';
import { leastMs, ORDER_WINDOWS } from './least-time.ts';
import { atMost, printRows, row, type Row } from './results.ts';
import { BENCH_ADMIN_KEY, benchEnvironment } from './settings.ts';
import { startGateway } from './started.ts';

const MOST_TIMES = 1.2;
/** The gateway takes 512 connections; each carries several requests at a time. */
const CONNECTIONS = 250;
const PIPELINED = 4;
const GIVE_UP_MS = 120_000;

/** How long 40 positions take until they are flat, with 1,000 entries queued before them. */
export async function benchExits(): Promise<readonly Row[]> {
  return printRows(
    `${LEGS} positions closed by close-all at Kite's limits, ${ENTRIES} entries asked for before. The least: ` +
      'each order request as early as 10 a second and 400 a minute allow, after those that had been sent',
    [
      ...rowsOf('virtual time, 40 legs', await closeFortyInVirtualTime(false)),
      ...rowsOf('virtual time, 40 cancels and 40 legs', await closeFortyInVirtualTime(true)),
      ...rowsOf('40 legs', await closeForty(false)),
      ...rowsOf('40 cancels and 40 legs', await closeForty(true)),
    ],
  );
}

function rowsOf(name: string, each: Closed): Row[] {
  const entries = `${name}: of ${ENTRIES} entries`;
  return [
    row(`${name} to flat, over the least`, each.tookMs / each.leastMs, 'times', atMost(MOST_TIMES)),
    row(`${name} to flat, from the request on`, each.tookMs, 'ms'),
    row(`${name} to flat, the least`, each.leastMs, 'ms'),
    row(`${name}, order requests above a limit`, each.limitBreaks, 'requests', atMost(0)),
    row(`${entries}, waiting when it was asked for`, each.queued, 'entries'),
    row(`${entries}, placed`, each.placed, 'entries'),
    row(`${entries}, answered as not sent`, each.notSent, 'entries'),
    row(`${entries}, without an answer`, each.unanswered, 'entries', atMost(0)),
  ];
}

async function closeForty(withResting: boolean): Promise<Closed> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-exits-'));
  const worker = new Worker(new URL('./exit-brokers.ts', import.meta.url));
  try {
    const [{ origins, positions }] = (await once(worker, 'message')) as [HeldAtBroker];
    await using gateway = await startGateway({
      ...benchEnvironment(origins, directory),
      // What is refused is counted here, and not logged a thousand times.
      APP_LOG_LEVEL: 'fatal',
    });
    await using calls = openCalls(gateway.url);
    await calls.accountIsRead();
    if (withResting) await placeResting(calls, positions);
    return await measure(calls, worker, withResting ? 2 * LEGS : LEGS);
  } finally {
    await worker.terminate();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `least` order requests have to leave: the legs, and the cancels of what rests for the positions. */
async function measure(calls: Calls, worker: Worker, least: number): Promise<Closed> {
  const entries = Array.from({ length: ENTRIES }, (_, index) => calls.enter(`entry-${index}`));
  let answered = 0;
  for (const entry of entries) void entry.then(() => (answered += 1));
  await sleep(QUEUED_FOR_MS);
  const queued = ENTRIES - answered;
  const before = await brokerSide(worker);
  const begun = Date.now();
  const closing = await calls.closeAll();
  let after = await brokerSide(worker);
  while (after.open > 0 && Date.now() - begun < GIVE_UP_MS) {
    await sleep(50);
    after = await brokerSide(worker);
  }
  const outcomes = await Promise.all(entries);
  const end = await calls.closingEnd(closing);
  if (after.open > 0 || end !== 'flat') {
    throw new Error(`the closing ended ${end}, and ${after.open} positions are open at the broker`);
  }
  const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length;
  return {
    tookMs: after.lastSellAt - begun,
    leastMs: leastMs(
      before.arrivals.filter((at) => at <= begun),
      begun,
      least,
      ORDER_WINDOWS,
    ),
    queued,
    limitBreaks: after.limitBreaks,
    placed: count('placed'),
    notSent: count('not_sent'),
    unanswered: count('other'),
  };
}

async function brokerSide(worker: Worker): Promise<BrokerSide> {
  worker.postMessage('what is it now?');
  const [side] = (await once(worker, 'message')) as [BrokerSide];
  return side;
}

/** Below the gateway's eight orders of callers a second, so that all are placed. */
async function placeResting(calls: Calls, positions: readonly HeldPosition[]): Promise<void> {
  for (const position of positions) {
    await calls.rest(position);
    await sleep(150);
  }
  await sleep(QUEUED_FOR_MS);
}

type Outcome = 'placed' | 'not_sent' | 'other';

interface Calls extends AsyncDisposable {
  /** Resolves once the gateway has read the account's positions. */
  accountIsRead(): Promise<void>;
  rest(position: HeldPosition): Promise<void>;
  /** Never rejects. */
  enter(key: string): Promise<Outcome>;
  /** The path of the closing. */
  closeAll(): Promise<string>;
  /** How it ended, once it has. */
  closingEnd(path: string): Promise<string>;
}

interface Body {
  readonly data?: { readonly status?: string; readonly mayHaveExecuted?: boolean };
  readonly mayHaveExecuted?: boolean;
}

function openCalls(origin: string): Calls {
  const many = new Agent({
    ...{ connections: CONNECTIONS, pipelining: PIPELINED },
    ...{ headersTimeout: GIVE_UP_MS, bodyTimeout: GIVE_UP_MS },
  });
  const single = new Agent();
  async function send(method: 'GET' | 'POST', path: string, body?: string, key?: string) {
    const headers = {
      authorization: `Bearer ${BENCH_ADMIN_KEY}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const isEntry = key?.startsWith('entry') === true;
    const answer = await request(`${origin}${path}`, {
      ...{ method, headers, dispatcher: isEntry ? many : single },
      ...(body === undefined ? {} : { body }),
      // Only such requests share a connection before they are answered; each has a key of its own.
      ...(isEntry ? { idempotent: true, blocking: false } : {}),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text };
  }
  async function wanted(status: number, ...call: Parameters<typeof send>) {
    const answer = await send(...call);
    if (answer.status === status) return answer;
    throw new Error(`${call[1]} answered ${answer.status}: ${answer.text}`);
  }
  return {
    async accountIsRead() {
      await wanted(200, 'GET', '/api/v1/positions');
    },
    async rest({ instrument, quantity, farPrice }) {
      const product = instrument.startsWith('NFO:') ? 'MARGIN' : 'INTRADAY';
      const order = { instrument, side: 'SELL', quantity, product, orderType: 'LIMIT' };
      const body = JSON.stringify({ ...order, price: farPrice });
      await wanted(201, 'POST', '/api/v1/orders', body, `rest-${instrument}`);
    },
    async enter(key) {
      try {
        const { status, text } = await send('POST', '/api/v1/orders', ENTRY, key);
        if (status === 201) return 'placed';
        const body = JSON.parse(text) as Body;
        return status === 503 && body.mayHaveExecuted === false ? 'not_sent' : 'other';
      } catch {
        return 'other';
      }
    },
    async closeAll() {
      const body = JSON.stringify({ scope: 'account' });
      const { headers } = await wanted(202, 'POST', '/api/v1/positions/close-all', body, 'out');
      return String(headers['location']);
    },
    async closingEnd(path) {
      for (;;) {
        const { text } = await wanted(200, 'GET', path);
        const { data } = JSON.parse(text) as Body;
        if (data?.status !== 'running') return data?.status ?? 'without a status';
        await sleep(200);
      }
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([many.close(), single.close()])),
  };
}
