import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import { createRig, type Rig, type RigOptions } from '../support/rig.ts';

export const BUY = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'MARKET',
  product: 'CNC',
} as const;

/** Stays in the book: NSE:INFY stands at ₹1,500. */
export const RESTING = { ...BUY, orderType: 'LIMIT', price: 1_470 } as const;

/** A rig with NSE:INFY pinned at ₹1,500. */
export async function pinnedRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await createRig(options);
  rig.sandbox.exchange.setPrice('NSE:INFY', 150_000);
  return rig;
}

/** A pinned rig, logged in and settled: book and portfolio have been read. */
export async function loggedInRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await pinnedRig(options);
  const reply = await rig.logIn();
  if (reply.status !== 200) throw new Error(`the login failed: ${reply.text}`);
  await rig.time.advance(2_000);
  return rig;
}

export const place = (rig: Rig, order: object, key: string): Promise<InProcessReply> =>
  rig.post('/api/v1/orders', order, { 'idempotency-key': key });

/** The same with time standing still, for what happens while it is under way. */
export const beginPlacing = (rig: Rig, order: object, key: string): Promise<InProcessReply> =>
  rig.begin({
    method: 'POST',
    path: '/api/v1/orders',
    json: order,
    headers: { 'idempotency-key': key },
  });

export const cancel = (rig: Rig, id: string): Promise<InProcessReply> =>
  rig.call({ method: 'DELETE', path: `/api/v1/orders/${id}` });

export const modify = (rig: Rig, id: string, json: object): Promise<InProcessReply> =>
  rig.call({ method: 'PATCH', path: `/api/v1/orders/${id}`, json });

/** The order as the gateway tells it. */
export async function orderOf(rig: Rig, id: string) {
  const reply = await rig.get(`/api/v1/orders/${id}`);
  if (reply.status !== 200) throw new Error(`GET order ${id}: ${reply.text}`);
  return reply.body.data;
}

/** Requests to place that have left for either live broker. */
export const placings = (rig: Rig): readonly HttpRequest[] =>
  rig.sent.filter(
    ({ method, url }) => method === 'POST' && /\/(orders\/\w+|order)$/.test(new URL(url).pathname),
  );

/** Reads of the alternative broker's book that have left. */
export const bookReads = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method === 'GET' && url === 'http://kite.test/orders')
    .length;

/** Spoils the alternative broker's answers to placing, once unless told otherwise. */
export const spoilPlacing = (rig: Rig, kind: FaultKind, more: Partial<FaultRule> = {}): string =>
  rig.sandbox.faults.add({
    broker: 'kite',
    kind,
    match: { method: 'POST', path: '/orders' },
    times: 1,
    ...more,
  });

export const spoilReading = (rig: Rig, kind: FaultKind, path: string): string =>
  rig.sandbox.faults.add({ broker: 'kite', kind, match: { method: 'GET', path } });

/** The gateway is down until an instant. */
export async function downUntil(rig: Rig, at: string): Promise<void> {
  await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
  await rig.time.advanceTo(at);
  await rig.restart();
}

/** Restarts nine days later, after an order in between: what ended before that is on disk alone. */
export async function restartLongAfter(rig: Rig): Promise<void> {
  await rig.time.advance(7 * 86_400_000);
  await rig.logIn();
  await rig.time.advance(2_000);
  const { status, text } = await place(rig, BUY, 'a week later');
  if (status !== 201) throw new Error(`the order of a week later was not placed: ${text}`);
  await rig.time.advance(2 * 86_400_000);
  await rig.restart();
}
