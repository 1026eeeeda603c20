import { setTimeout as sleep } from 'node:timers/promises';
import { createStage, serveGateway } from '../support/served.ts';
import { logInOverSockets, type SocketClient } from '../support/socket-client.ts';
import { watchExecutedFiles } from './support/executed-files.ts';

/**
 * `npm run order-files`: the source files in which a function is executed during one live
 * `POST /api/v1/orders` over HTTP, from the request to its answer, for each live broker. Before an
 * order to the primary brokerage, the gateway reads its book. Ends with 1 when there are more files than the
 * bound allows.
 */

/** Counted by this script on commit b78c87b, before the order model became one table. */
const COUNT_BEFORE = { alt: 87, primary: 95 };
const BOUND = 0.6;

const BROKERS = ['alt', 'primary'] as const;
type Live = (typeof BROKERS)[number];
const WARM_UP = 3;
const ORDERS = 5;
/** Longer than the reads of the order book that follow an order. */
const QUIET_MS = 1_500;

let within = true;
for (const broker of BROKERS) {
  const files = await filesOfAnOrder(broker);
  const before = COUNT_BEFORE[broker];
  const bound = Math.floor(before * BOUND);
  within &&= files.length <= bound;
  process.stdout.write(
    [
      `One POST /api/v1/orders to ${broker}: ${files.length} source files with an executed function`,
      `(commit b78c87b: ${before}; bound: ${bound}, ${BOUND * 100} % of that)`,
      ...files.map((file) => `  ${file}`),
      '',
    ].join('\n'),
  );
}
process.exitCode = within ? 0 : 1;

/** The files that every order executes: this leaves out what a timer ran during one of them. */
async function filesOfAnOrder(broker: Live): Promise<string[]> {
  await using stage = await createStage({ sandbox: { latencyMs: [1, 1] } });
  await using gateway = await serveGateway(stage, {
    APP_ROUTE_TRADING: broker,
    APP_ORDER_POLL_SECONDS: '60',
  });
  // Postbacks are separate requests and do not count.
  stage.forwardPostbacksTo(null);
  if (broker === 'alt') await logInOverSockets(gateway.url);
  const { client } = gateway;
  for (let number = 0; number < WARM_UP; number += 1) await place(client, `warm-${number}`);
  using executed = await watchExecutedFiles();
  const runs: string[][] = [];
  for (let number = 0; number < ORDERS; number += 1) {
    await sleep(QUIET_MS);
    runs.push(await executed.during(() => place(client, `order-${number}`)));
  }
  const [first = [], ...others] = runs;
  return first.filter((file) => others.every((run) => run.includes(file)));
}

async function place(client: SocketClient, key: string): Promise<void> {
  const order = {
    instrument: 'NSE:INFY',
    side: 'BUY',
    quantity: 1,
    orderType: 'LIMIT',
    product: 'INTRADAY',
    price: 1550,
  };
  const { status, text } = await client.place(order, key);
  if (status !== 201) throw new Error(`the order was answered with ${status}: ${text}`);
}
