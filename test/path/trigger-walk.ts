import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';

/** A stop for ten shares: NSE:INFY stands at ₹1,500. */
export const LEG = {
  ...{ triggerPrice: 1_450, side: 'SELL', quantity: 10, product: 'CNC', price: 1_449.5 },
} as const;
/** What takes the profit. */
export const UPPER = { ...LEG, triggerPrice: 1_600, price: 1_599 } as const;

export const STOP = { instrument: 'NSE:INFY', legs: [LEG], broker: 'alt' };
export const PAIR = { ...STOP, legs: [LEG, UPPER] };

export const placeTrigger = (rig: Rig, body: object, key: string): Promise<InProcessReply> =>
  rig.post('/api/v1/triggers', body, { 'idempotency-key': key });

export const changeTrigger = (
  rig: Rig,
  id: string,
  json: object,
  key: string,
): Promise<InProcessReply> =>
  rig.call({
    method: 'PATCH',
    path: `/api/v1/triggers/${id}`,
    json,
    headers: { 'idempotency-key': key },
  });

export const deleteTrigger = (rig: Rig, id: string, key = 'delete'): Promise<InProcessReply> =>
  rig.call({
    method: 'DELETE',
    path: `/api/v1/triggers/${id}`,
    headers: { 'idempotency-key': key },
  });

/** The trigger as the gateway tells it. */
export async function triggerOf(rig: Rig, id: string) {
  const reply = await rig.get(`/api/v1/triggers/${id}`);
  if (reply.status !== 200) throw new Error(`GET trigger ${id}: ${reply.text}`);
  return reply.body.data;
}

/** Requests about triggers that have left, of one method. */
export const sentTriggers = (rig: Rig, method: HttpRequest['method']): readonly HttpRequest[] =>
  rig.sent.filter(
    (each) => each.method === method && new URL(each.url).pathname.startsWith('/gtt/triggers'),
  );

/** Spoils the alternative broker's answers about triggers, once unless told otherwise. */
export const spoilTriggers = (
  rig: Rig,
  kind: FaultKind,
  method: HttpRequest['method'],
  more: Partial<FaultRule> = {},
): string =>
  rig.sandbox.faults.add({
    broker: 'kite',
    kind,
    match: { method, path: '/gtt/triggers' },
    times: 1,
    ...more,
  });

const REFUSAL = { status: 'error', message: 'Invalid `quantity`.', data: null };

/** The alternative broker refuses the next deletion, and does nothing. */
export const refuseDeletion = (rig: Rig): string =>
  spoilTriggers(rig, 'error_before', 'DELETE', {
    params: { status: 400, body: JSON.stringify({ ...REFUSAL, error_type: 'InputException' }) },
  });

/** The rows that the broker itself has. */
export function rowsAtBroker(
  rig: Rig,
): readonly { readonly id: number; readonly status: string }[] {
  const rows: unknown = elsewhere(rig.sandbox, 'GET', '/gtt/triggers');
  return Array.isArray(rows) ? rows : Object.values(rows as object);
}

/** A trigger that a person has placed in the broker's app. */
export function placeElsewhere(
  rig: Rig,
  { triggerPrice = 1_450, quantity = 10, price = 1_449.5 } = {},
): string {
  const about = { exchange: 'NSE', tradingsymbol: 'INFY' };
  const order = { transaction_type: 'SELL', product: 'CNC', order_type: 'LIMIT', quantity };
  const made = elsewhere(rig.sandbox, 'POST', '/gtt/triggers', {
    type: 'single',
    condition: JSON.stringify({ ...about, trigger_values: [triggerPrice], last_price: 1_500 }),
    orders: JSON.stringify([{ ...about, ...order, price }]),
  });
  return String(made['trigger_id']);
}

/** Messages of alerts that the journal has. */
export async function alertsOf(rig: Rig): Promise<readonly string[]> {
  return rig.log
    .map((line) => JSON.parse(line) as { readonly level: number; readonly msg: string })
    .filter(({ level }) => level >= 40)
    .map(({ msg }) => msg);
}
