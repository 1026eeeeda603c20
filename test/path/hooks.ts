import type { Signal } from '../../src/domain/signal.ts';
import { inProcessHttp, type InProcessReply } from '../support/in-process-http.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { ALERT, TRADINGVIEW } from '../signals/support/templates.ts';
import { loggedInRig } from './walk.ts';

/** The alerts of these tests are raised at the time of the rig. */
export const alertAt = (rig: Rig, changes: object = {}) => ({
  ...ALERT,
  at: new Date(rig.time.now()).toISOString(),
  ...changes,
});

export interface HookOptions {
  readonly key?: object;
  readonly hook?: object;
  readonly rig?: RigOptions;
}

/** Posts to the application of hooks, as a tunnel does. */
export function post(
  rig: Rig,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<InProcessReply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const send = inProcessHttp(rig.composed.apps.hooks);
  return rig.time.settle(send({ method: 'POST', path, text, headers }));
}

/** A key of scope trade, and a hook of it. */
export async function addHook(rig: Rig, { key = {}, hook = {} }: HookOptions = {}) {
  const asked = { name: 'strategy', scope: 'trade', ...key };
  const madeKey = await rig.post('/api/v1/keys', asked);
  if (madeKey.status !== 201) throw new Error(madeKey.text);
  const keyId = String(madeKey.body.data.id);
  const made = await rig.post('/api/v1/hooks', {
    ...{ name: 'tradingview', key: keyId, template: TRADINGVIEW },
    ...hook,
  });
  if (made.status !== 201) throw new Error(made.text);
  const path = String(made.body.data.path);
  return {
    ...{ keyId, id: String(made.body.data.id), path, secret: path.slice('/hooks/'.length) },
    token: String(madeKey.body.data.key),
    post: (body: unknown, headers: Record<string, string> = {}) => post(rig, path, body, headers),
  };
}

/** A rig with a hook that is logged in at the live broker. */
export async function hookRig(options: HookOptions = {}) {
  const rig = await loggedInRig(options.rig);
  const hook = await addHook(rig, options);
  return { rig, hook, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

/** The orders of all keys, as the gateway lists them. */
export async function ordersOf(rig: Rig): Promise<readonly Record<string, unknown>[]> {
  return (await rig.get('/api/v1/orders')).body.data;
}

/** The signals of all keys, newest first. */
export const signalsOf = async (rig: Rig) => (await rig.get('/api/v1/signals')).body.data;

/** A signal as it is on disk between its commit and its first order. */
export async function acceptedOnly(rig: Rig): Promise<Signal> {
  const { signals } = rig.composed.execution;
  const [placed] = await signals.newest({ caller: null, state: null, before: null, limit: 1 });
  if (placed === undefined) throw new Error('there is no signal yet');
  const id = placed.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const orders = placed.orders.map((order) => ({
    ...{ ...order, orderId: null, problem: null, idempotencyKey: `${order.idempotencyKey}x` },
  }));
  const signal = { ...placed, id, alertId: 'Long of a crash', orders, receivedAt: rig.time.now() };
  await rig.time.settle(signals.write(signal, { event: 'signal.accepted', alert: null }));
  return signal;
}
