import { KiteConnect } from 'kiteconnect';
import { expect, it } from 'vitest';
import { createSdks, createWire, type Sdk } from '../../../src/adapters/alt/sdk.ts';
import { loopback, reply } from '../../platform/support/loopback.ts';
import { answered, scriptedTransport } from './support/scripted-transport.ts';

const TRIGGER = {
  trigger_type: 'single',
  exchange: 'NSE',
  tradingsymbol: 'M&M',
  trigger_values: [1],
  last_price: 2,
  orders: [{ transaction_type: 'BUY', quantity: 1, product: 'CNC', order_type: 'LIMIT', price: 1 }],
};

/** One call for each way in which the SDK builds a request. */
const CALLS: readonly (readonly [string, (sdk: Sdk) => Promise<void>])[] = [
  ['a read', (sdk) => sdk.getOrders()],
  ['a read with a list in its query', (sdk) => sdk.getQuote(['NSE:INFY', 'NSE:M&M'])],
  ['a read with an id in its path', (sdk) => sdk.getOrderTrades('12')],
  ['an order', (sdk) => sdk.placeOrder('regular', { tradingsymbol: 'M&M', tag: 'a b' })],
  ['a modification', (sdk) => sdk.modifyOrder('amo', '12', { quantity: 1 })],
  ['a cancel', (sdk) => sdk.cancelOrder('regular', '12', {})],
  ['a trigger', (sdk) => sdk.placeGTT(structuredClone(TRIGGER))],
  ['a body of JSON with a query', (sdk) => sdk.orderBasketMargins([{ quantity: 1 }], true, '')],
];
const NAMES = ['accept', 'authorization', 'content-type', 'user-agent', 'x-kite-version'];

interface Seen {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** What the SDK sends through its own HTTP library. */
async function byItself(run: (sdk: Sdk) => Promise<void>): Promise<Seen> {
  const body = '{"status":"success","data":{}}';
  await using server = await loopback((socket) => socket.write(reply(body, '200 OK')));
  const kite = new KiteConnect({ api_key: 'key', access_token: 'token', root: server.origin });
  await run(kite as unknown as Sdk).catch(() => undefined);
  const [head = '', sent = ''] = (server.requests[0] ?? '').split('\r\n\r\n', 2);
  const [line = '', ...headers] = head.split('\r\n');
  const kept = headers.filter((each) => NAMES.includes(each.split(':')[0]?.toLowerCase() ?? ''));
  // The gateway leaves out a parameter that the SDK writes as an empty one.
  const bare = line.replace(/ HTTP.*/, '').replace(/[?&]mode=$/, '');
  return { line: bare, headers: kept.map(inLowerCase).sort(), body: sent };
}

const inLowerCase = (header: string): string =>
  header.replace(/^[^:]*/, (name) => name.toLowerCase());

/** What the gateway sends for the same call. */
async function byGateway(run: (sdk: Sdk) => Promise<void>): Promise<Seen> {
  const transport = scriptedTransport(answered(200, ''));
  const wire = createWire(transport, { deadlineMs: 1_000, fresh: false });
  const sdks = createSdks({ apiKey: 'key', apiRoot: 'https://broker.test' });
  await sdks.use('token', wire, run).catch(() => undefined);
  const request = transport.last;
  const headers = Object.entries(request.headers).map((pair) => inLowerCase(pair.join(': ')));
  return {
    line: `${request.method} ${request.url.replace('https://broker.test', '')}`,
    headers: headers.sort(),
    body: request.body ?? '',
  };
}

it.each(CALLS)('%s is sent as the SDK by itself sends it', async (_what, run) => {
  expect(await byGateway(run)).toEqual(await byItself(run));
});
