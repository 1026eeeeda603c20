import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { withTrigger } from './fired-trigger.ts';
import { LEG, spoilTriggers, STOP } from './trigger-walk.ts';
import { BUY } from './walk.ts';

const PATH = '/api/v1/positions/close-all';
const DAY_STOP = { ...STOP, legs: [{ ...LEG, product: 'INTRADAY' }] };

/** A key that holds 30 for the day, with a stop for 10 of them, beside 20 that are of nobody's order. */
async function withPosition() {
  const made = await withTrigger(DAY_STOP);
  const { rig, headers } = made;
  const bought = { ...BUY, quantity: 30, product: 'INTRADAY', broker: 'alt' };
  const { status } = await rig.post('/api/v1/orders', bought, {
    ...{ ...headers, 'idempotency-key': 'bought' },
  });
  expect(status).toBe(201);
  const by = { instrument: 'NSE:INFY', side: 'BUY', quantity: 20, product: 'intraday' } as const;
  rig.sandbox.kite.placeByHand(by);
  await rig.time.advance(5_000);
  return made;
}

/** Closes what is the key's own: net, what is to be closed, and how that stands in the end. */
async function closeMine(rig: Rig, { authorization }: { readonly authorization: string }) {
  const { status, body } = await rig.post(
    PATH,
    { broker: 'alt', scope: 'mine' },
    { authorization },
  );
  if (status !== 202) throw new Error(JSON.stringify(body));
  await rig.time.advance(60_000);
  const { data } = (await rig.get(`${PATH}/${body.data.id}`)).body;
  return data.positions.map((each: Record<string, unknown>) => [
    ...[each['net'], each['quantity'], each['status'], each['reason']],
  ]);
}

const reach = (rig: Rig): void => rig.sandbox.exchange.setPrice('NSE:INFY', 144_975);

describe('POST /positions/close-all with scope mine, and the triggers of the key', () => {
  it('takes off what its trigger has sold: no more is sold than the key has left', async () => {
    await using made = await withPosition();
    const { rig, headers } = made;
    reach(rig);
    await rig.time.advance(60_000);
    expect(await closeMine(rig, headers)).toEqual([[40, 20, 'flat', null]]);
    expect(rig.sandbox.kite.positions().map(({ net }) => net)).toEqual([20]);
  });

  it('reads the list where the book has an order that the trigger may have placed', async () => {
    await using made = await withPosition();
    const { rig, headers } = made;
    reach(rig);
    await rig.time.advance(2_000);
    expect(await closeMine(rig, headers)).toEqual([[40, 20, 'flat', null]]);
  });

  it('closes what certainly is its own where no list tells whose that order is', async () => {
    await using made = await withPosition();
    const { rig, headers, id } = made;
    spoilTriggers(rig, 'error_before', 'GET', { times: 1_000 });
    reach(rig);
    await rig.time.advance(2_000);
    const closed = await closeMine(rig, headers);
    expect(closed.map((each: unknown[]) => each.slice(0, 3))).toEqual([
      [40, 20, 'flat'],
      [40, null, 'kept'],
    ]);
    expect(String(closed[1][3])).toContain(id);
  });

  it('closes all of its own while its trigger waits, also where the list cannot be read', async () => {
    await using made = await withPosition();
    const { rig, headers } = made;
    spoilTriggers(rig, 'error_before', 'GET', { times: 1_000 });
    await rig.time.advance(2_000);
    expect((await closeMine(rig, headers))[0].slice(0, 2)).toEqual([50, 30]);
  });
});
