import { expect } from 'vitest';
import type { Rig, RigOptions } from '../support/rig.ts';
import { LEG, STOP } from './trigger-walk.ts';
import { loggedInRig } from './walk.ts';

/** A gateway with a trade key, and a trigger of that key. */
export async function withTrigger(body: object = STOP, options: RigOptions = {}) {
  const rig = await loggedInRig(options);
  const { key, caller } = rig.composed.callers.add({ name: 'a strategy', scope: 'trade' });
  const headers = { authorization: `Bearer ${key.reveal()}`, 'idempotency-key': 'stop' };
  const { status, body: answer } = await rig.post('/api/v1/triggers', body, headers);
  expect(status).toBe(201);
  const id: string = answer.data.id;
  return {
    rig,
    headers,
    key: caller.id,
    id,
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

/** A trade key with a trigger of its own that waits on: it buys the same share, far below. */
export async function otherKey(rig: Rig) {
  const { key } = rig.composed.callers.add({ name: 'another strategy', scope: 'trade' });
  const headers = { authorization: `Bearer ${key.reveal()}` };
  const far = { ...LEG, side: 'BUY', triggerPrice: 1_420, price: 1_421 };
  const { status } = await rig.post('/api/v1/triggers', { ...STOP, legs: [far] }, headers);
  expect(status).toBe(201);
  return headers;
}

/** NSE:INFY falls below the stop, and stays above its limit price: the order fills in the next seconds. */
export const reach = (rig: Rig): void => rig.sandbox.exchange.setPrice('NSE:INFY', 144_975);

/** The order of the trigger rests: the price falls below its limit. */
export const reachWithoutFill = (rig: Rig): void =>
  rig.sandbox.exchange.setPrice('NSE:INFY', 144_000);

export const quantitiesOf = async (rig: Rig, key: string) => {
  const { body } = await rig.get(`/api/v1/keys/${key}/positions`);
  const { positions, uncertainOrders } = body.data;
  return {
    quantities: positions.map(({ quantity }: { quantity: number }) => quantity),
    uncertainOrders,
  };
};

export async function comparedOf(rig: Rig) {
  const { body } = await rig.get('/api/v1/positions/by-key');
  const { positions, uncertainOrders } = body.data;
  const infy = positions.find((each: { instrument: string }) => each.instrument === 'NSE:INFY');
  return { ...infy, uncertainOrders };
}
