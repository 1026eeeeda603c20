import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type CallInput, newKey, NoAnswerError, ProblemError } from 'altbroker-gateway/client';
import { connect, option, words } from './connect.ts';

// What to do when the connection is cut in the middle of an order, or this program dies there:
//   node retry-safely.ts NSE:INFY 1 --broker=paper --patience=30
// The intent is on disk before it is sent. If its outcome is not known when the program ends, start it again: it sends
// the same order with the same key, which places no second one, and answers what became of the first.

const FILE = option('file') ?? 'open-order.json';
type Order = CallInput<'placeOrder'>['body'];
interface Intent {
  readonly key: string;
  readonly body: Order;
}

function openIntent(): Intent | null {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Intent) : null;
}

function newIntent(): Intent {
  const [instrument, quantity] = words();
  // An order that nobody has named could be one with real money.
  if (instrument === undefined || quantity === undefined) {
    throw new Error(
      'takes an instrument and a quantity: retry-safely.ts NSE:INFY 1 --broker=paper',
    );
  }
  const broker = option('broker');
  return {
    key: newKey(),
    body: {
      ...{ instrument, side: 'BUY', quantity: Number(quantity), orderType: 'MARKET' },
      ...{ product: 'CNC', ...(broker === undefined ? {} : { broker }) },
    },
  };
}

const found = openIntent();
const intent = found ?? newIntent();
if (found !== null) console.log(`asking again about the order with the key ${found.key}`);
writeFileSync(FILE, JSON.stringify(intent), { flush: true });

try {
  const patienceMs = Number(option('patience') ?? '30') * 1_000;
  const { data, replayed } = await connect().placeOrder({ ...intent, patienceMs });
  const how = replayed ? 'was placed before' : 'is placed';
  console.log(`${data.id} ${how}: ${data.status}`);
  // `uncertain` is an order as well: its id is known, and getOrder tells how it goes on.
  renameSync(FILE, `${FILE}.done`);
} catch (error) {
  const isOurs = error instanceof NoAnswerError || error instanceof ProblemError;
  if (!isOurs || error.mayHaveExecuted) {
    console.error(`not known whether it is placed: start this again.\n${String(error)}`);
    process.exitCode = 2;
  } else {
    console.error(`known not to be placed.\n${error.message}`);
    renameSync(FILE, `${FILE}.done`);
    process.exitCode = 1;
  }
}
