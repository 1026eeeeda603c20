import { newKey, ProblemError, type Schemas } from 'altbroker-gateway/client';
import { connect, option, pause, words } from './connect.ts';

// Places a limit order at the last price, watches it, and cancels what has not filled:
//   node place-and-watch.ts NSE:INFY 10 --broker=paper --seconds=30

const [instrument, quantity] = words();
// An order that nobody has named could be one with real money.
if (instrument === undefined || quantity === undefined) {
  throw new Error(
    'takes an instrument and a quantity: place-and-watch.ts NSE:INFY 10 --broker=paper',
  );
}
const broker = option('broker');
const seconds = Number(option('seconds') ?? '30');

const gateway = connect();
const { data: quotes } = await gateway.getQuotes({ instruments: instrument });
const price = option('price') ?? quotes[instrument]?.lastPrice;
if (price === undefined) throw new Error(`${instrument} has no price now`);

let order: Schemas['Order'];
try {
  const placed = await gateway.placeOrder({
    key: newKey(),
    body: {
      instrument,
      side: 'BUY',
      quantity: Number(quantity),
      orderType: 'LIMIT',
      price: Number(price),
      product: 'CNC',
      ...(broker === undefined ? {} : { broker }),
    },
  });
  order = placed.data;
} catch (error) {
  // Known not to be placed: say why. Anything else ends the program, with what to do next.
  if (!(error instanceof ProblemError) || error.mayHaveExecuted) throw error;
  console.error(`not placed: ${error.message}`);
  process.exit(1);
}
console.log(`${order.id} at ${order.broker} (${order.mode})`);

// `uncertain` is no end: the gateway is finding out, and the order may have filled already.
const ENDS = ['filled', 'partial', 'cancelled', 'rejected', 'not_sent', 'disputed'];
for (let waited = 0; waited < seconds && !ENDS.includes(order.status); waited += 0.5) {
  await pause(500);
  order = (await gateway.getOrder({ id: order.id })).data;
}

if (!ENDS.includes(order.status)) {
  console.log(`still ${order.status} after ${seconds} s: cancelling`);
  // A cancel can come too late, so its answer is read like any other.
  order = (await gateway.cancelOrder({ id: order.id })).data;
  while (!ENDS.includes(order.status)) {
    await pause(500);
    order = (await gateway.getOrder({ id: order.id })).data;
  }
}

// Null is "not known", not "nothing".
const filled = order.filledQuantity ?? 'an unknown quantity';
console.log(
  `${order.status}: ${filled} of ${order.quantity} at ${order.averagePrice ?? 'no price'}`,
);
const { data: fills } = await gateway.getFills({ id: order.id });
for (const fill of fills) console.log(`  ${fill.quantity} at ${fill.price}, ${fill.at}`);
if (order.status === 'disputed') {
  console.error('A person has to look in the broker’s app, and tell the gateway: docs/orders.md');
  process.exitCode = 1;
}
