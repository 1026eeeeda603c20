import {
  createClient,
  newKey,
  NoAnswerError,
  type PagedName,
  ProblemError,
  type Schemas,
} from '../../client/index.ts';

/*
 * What a program may write with the client, and what the compiler refuses. `npm run types` checks it: each
 * `@ts-expect-error` is an error itself where the line below it is accepted. No test runs this file.
 */

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const typeOf = <A>(_value: A) => ({ is: <B>(_same: Same<A, B>): void => undefined });

const client = createClient({ baseUrl: 'http://127.0.0.1:8420', key: 'abg_x' });
const ORDER = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'CNC',
} as const;

export async function placing(): Promise<void> {
  const placed = await client.placeOrder({ body: ORDER, key: newKey(), broker: 'paper' });
  typeOf(placed.httpStatus).is<201 | 202>(true);
  typeOf(placed.data).is<Schemas['Order']>(true);
  typeOf(placed.key).is<string | null>(true);
  typeOf(placed.data.filledQuantity).is<number | null>(true);
  await client.placeOrder({ body: { ...ORDER, orderType: 'LIMIT', price: 1500.5 } });
  // The settings may name a second account.
  await client.placeOrder({ body: { ...ORDER, broker: 'alt-2' } });
  // @ts-expect-error a limit order has a price
  await client.placeOrder({ body: { ...ORDER, orderType: 'LIMIT' } });
  // @ts-expect-error a market order has none
  await client.placeOrder({ body: { ...ORDER, price: 1500 } });
  // @ts-expect-error the document has no such side
  await client.placeOrder({ body: { ...ORDER, side: 'LONG' } });
  // @ts-expect-error an order is what there is to place
  await client.placeOrder({});
  // @ts-expect-error each order of a basket has a key of its own
  await client.placeBasket({ body: { orders: [ORDER] } });
}

export async function reading(): Promise<void> {
  const quotes = await client.getQuotes({ instruments: 'NSE:INFY', maxAgeMs: 500 });
  typeOf(quotes.data['NSE:INFY']).is<Schemas['Quote'] | undefined>(true);
  // @ts-expect-error the instruments are needed
  await client.getQuotes();
  await client.getPositions();
  await client.getPositions({ timeoutMs: 1_000, patienceMs: 0, signal: AbortSignal.abort() });
  await client.getOrder({ id: 'ord_1' });
  // @ts-expect-error the id is needed
  await client.getOrder({ broker: 'alt' });
  // @ts-expect-error reads take no idempotency key
  await client.getOrder({ id: 'ord_1', key: 'k' });
  // @ts-expect-error there is no such parameter
  await client.getOrder({ id: 'ord_1', brokr: 'alt' });
  const metrics = await client.getMetrics();
  typeOf(metrics.data).is<string>(true);
  const cancelled = await client.cancelOrder({ id: 'ord_1' });
  typeOf(cancelled.httpStatus).is<200 | 202>(true);
  // @ts-expect-error a browser goes there, and no program
  await client.logIn();
}

export async function pages(): Promise<void> {
  for await (const order of client.items('getOrders', { status: 'open' })) {
    typeOf(order).is<Schemas['Order']>(true);
  }
  for await (const page of client.pages('getTrades')) {
    typeOf(page.meta.nextCursor).is<string | null>(true);
  }
  const lists: readonly PagedName[] = ['getOrders', 'getTrades'];
  void lists;
  // @ts-expect-error one order is no list
  client.pages('getOrder');
  // @ts-expect-error the client sends the cursors
  client.pages('getOrders', { cursor: 'c' });
}

export function told(error: unknown): string {
  if (error instanceof ProblemError) {
    typeOf(error.order).is<Schemas['Order'] | null>(true);
    // @ts-expect-error there is no such code
    return error.code === 'order_lost' ? 'lost' : error.code;
  }
  if (error instanceof NoAnswerError) return error.key ?? error.reason;
  return '';
}
