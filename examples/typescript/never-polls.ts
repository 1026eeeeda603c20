import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { NoAnswerError, ProblemError } from 'altbroker-gateway/client';
import { connect, option, words } from './connect.ts';

// A strategy that never polls. It buys once a day, when the price is at a level or below it:
//   node never-polls.ts NSE:INFY 5 --below=1490 --broker=paper
// Prices come by their stream, and what becomes of the order comes by events. Ctrl-C ends it. Started again, also after a
// crash, it goes on after the last event that it has handled, and places nothing twice.

const [instrument = 'NSE:INFY', quantity = '1'] = words();
const broker = option('broker');
const below = Number(option('below'));
if (!(below > 0)) throw new Error('--below=PRICE is required: the price at which it buys');

/** `cursor`: the last event that was handled. `orders`: the status of the order of each signal, by its key. */
interface State {
  readonly cursor: string;
  readonly orders: Readonly<Record<string, string>>;
}

const gateway = connect();
const control = new AbortController();
process.once('SIGINT', () => control.abort());
// A restart of the gateway takes seconds; a stream without a connection for ten minutes is an error.
const streaming = { signal: control.signal, patienceMs: 600_000 };

/** Read once, and follow from there: docs/events.md. */
async function newestEvent(): Promise<string> {
  const { meta } = await gateway.getOrders({ limit: 1 });
  if (meta.eventsCursor === null) throw new Error('the gateway cannot read its events: try again');
  return meta.eventsCursor;
}

const FILE = option('file') ?? 'never-polls.json';
let state: State = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as State)
  : { cursor: await newestEvent(), orders: {} };

/** The cursor and what its event has changed are in one file, which is replaced as a whole. */
function keep(cursor: string, orders: State['orders']): void {
  state = { cursor, orders };
  writeFileSync(`${FILE}.new`, JSON.stringify(state), { flush: true });
  renameSync(`${FILE}.new`, FILE);
}
// Before anything is placed: so the events of an order are known to come after this cursor.
keep(state.cursor, state.orders);

async function followOrders(): Promise<void> {
  const wanted = { type: 'order.updated,order.fill', instrument, scope: 'mine' } as const;
  for await (const { id, data } of gateway.events({
    ...streaming,
    ...wanted,
    after: state.cursor,
  })) {
    const { order, fill } = data;
    const key = order?.clientOrderId;
    if (!order || !key?.startsWith(`dip ${instrument} `)) continue;
    if (fill) console.log(`${key}: bought ${fill.quantity} at ${fill.price}`);
    if (order.status !== state.orders[key]) console.log(`${key}: ${order.status}`);
    if (order.status === 'disputed') console.error('A person has to look: docs/orders.md');
    keep(id, { ...state.orders, [key]: order.status });
  }
}

/** Events that are 30 days old are removed. Then there is nothing to follow, and it begins with those of now. */
async function followOrdersFromNow(error: unknown): Promise<void> {
  if (!(error instanceof ProblemError) || error.code !== 'cursor_expired') throw error;
  keep(await newestEvent(), state.orders);
  await followOrders();
}

async function followPrices(): Promise<void> {
  for await (const update of gateway.prices({ ...streaming, instruments: [instrument] })) {
    if (update.type === 'lost') console.log('no price is that of now, until the next one');
    if (update.type === 'subscribed') {
      for (const why of Object.values(update.refused)) throw new Error(why);
      console.log(`watching ${instrument}: buys ${quantity} at ${below} or less`);
    }
    if (update.type !== 'snapshot' && update.type !== 'ticks') continue;
    for (const { lastPrice, receivedAt, stale } of update.prices) {
      if (!stale && lastPrice <= below) await buy(receivedAt.slice(0, 10));
      console.log(`${instrument} ${lastPrice}${stale ? ' STALE' : ''}`);
    }
  }
}

/** The key says which signal this is, so it is the same after a crash. The price of the order follows from the signal, too. */
async function buy(day: string): Promise<void> {
  const key = `dip ${instrument} ${below} ${day}`;
  if (state.orders[key] !== undefined) return;
  try {
    const { data, replayed } = await gateway.placeOrder({
      ...{ key, patienceMs: 2_000 },
      body: {
        ...{ instrument, side: 'BUY', quantity: Number(quantity), product: 'CNC' },
        ...{ orderType: 'LIMIT', price: below, ...(broker === undefined ? {} : { broker }) },
      },
    });
    console.log(`${key}: ${replayed ? 'was placed before' : 'is placed'}, ${data.status}`);
    // An event may have told more already. `uncertain` is not repeated either: the event that resolves it will come.
    keep(state.cursor, { [key]: data.status, ...state.orders });
  } catch (error) {
    const isOurs = error instanceof ProblemError || error instanceof NoAnswerError;
    if (!isOurs || (error instanceof ProblemError && error.code === 'idempotency_conflict'))
      throw error;
    console.error(`${key}: ${error.message}`);
    // Where it may have arrived, the next price asks again with the same key. Else it is not placed, and that is the end.
    if (!error.mayHaveExecuted) keep(state.cursor, { [key]: 'not placed', ...state.orders });
  }
}

await Promise.all([followOrders().catch(followOrdersFromNow), followPrices()]);
console.log('stopped: orders that are open stay with their broker');
for (const [key, status] of Object.entries(state.orders)) console.log(`  ${key}: ${status}`);
