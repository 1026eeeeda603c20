import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'RELIANCE', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
};

interface Traded {
  readonly id: string;
  readonly orderId: string | null;
  readonly external: boolean;
  readonly instrument: string;
  readonly side: string;
  readonly quantity: number;
  readonly product: string;
}

async function trades(rig: Rig, query = '') {
  const reply = await rig.get(`/api/v1/trades${query}`);
  if (reply.status !== 200) throw new Error(reply.text);
  const data: readonly Traded[] = reply.body.data;
  return { data, meta: reply.body.meta };
}

/** One order of ours and one placed elsewhere, both filled. */
async function afterTwo() {
  const rig = await loggedInRig();
  const { body } = await place(rig, BUY, 'mine');
  await rig.time.advance(3_000);
  const { order_id: other } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
  await rig.time.advance(3_000);
  return {
    ...{ rig, mine: String(body.data.id), other: `alt:${String(other)}` },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

const quantityOf = (list: readonly Traded[], orderId: string): number =>
  list
    .filter((trade) => trade.orderId === orderId)
    .reduce((sum, { quantity }) => sum + quantity, 0);

describe('the trades of the account', () => {
  it('are those of our orders and of orders placed elsewhere, newest first', async () => {
    await using two = await afterTwo();
    const { rig, mine, other } = two;
    const { data, meta } = await trades(rig);
    expect([quantityOf(data, mine), quantityOf(data, other)]).toEqual([10, 5]);
    expect(data[0]).toMatchObject({ orderId: other, external: true, instrument: 'NSE:RELIANCE' });
    expect(data.at(-1)).toMatchObject({
      ...{ orderId: mine, external: false, instrument: 'NSE:INFY', side: 'BUY', product: 'CNC' },
    });
    expect(meta).toMatchObject({ broker: 'alt', mode: 'live', nextCursor: null });
  });

  it('are given by order and by instrument', async () => {
    await using two = await afterTwo();
    const { rig, mine, other } = two;
    const orders = async (query: string) =>
      new Set((await trades(rig, query)).data.map(({ orderId }) => orderId));
    expect(await orders(`?orderId=${mine}`)).toEqual(new Set([mine]));
    expect(await orders(`?orderId=${other}`)).toEqual(new Set([other]));
    expect(await orders('?instrument=NSE_1594')).toEqual(new Set([mine]));
    expect(await orders('?broker=paper')).toEqual(new Set());
    expect((await rig.get('/api/v1/trades?instrument=NSE:NOSUCH')).status).toBe(404);
  });

  it('come in pages, without one twice or left out', async () => {
    await using two = await afterTwo();
    const { rig } = two;
    const { data: all } = await trades(rig);
    const paged: Traded[] = [];
    let cursor: string | null = null;
    do {
      const page = await trades(rig, `?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
      paged.push(...page.data);
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
    expect(all.length).toBeGreaterThan(1);
    expect(paged).toEqual(all);
    expect((await rig.get('/api/v1/trades?cursor=nonsense')).status).toBe(400);
  });

  it('are an error, never an empty list, where they or the book cannot be read', async () => {
    await using two = await afterTwo();
    const { rig } = two;
    rig.sandbox.faults.add({ broker: 'kite', kind: 'error_before', match: { path: '/trades' } });
    expect((await rig.get('/api/v1/trades')).status).toBe(503);
  });

  it('of the primary brokerage are joined to their orders by the exchange’s id', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...BUY, broker: 'primary' }, 'mine');
    await rig.time.advance(5_000);
    const { data } = await trades(rig, '?broker=primary');
    expect(quantityOf(data, String(body.data.id))).toBe(10);
    expect(data[0]).toMatchObject({ instrument: 'NSE:INFY', side: 'BUY', external: false });
  });

  it('of the paper account are its own', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...BUY, broker: 'paper' }, 'mine');
    await rig.time.advance(3_000);
    const { data, meta } = await trades(rig, '?broker=paper');
    expect(quantityOf(data, String(body.data.id))).toBe(10);
    expect(meta).toMatchObject({ broker: 'paper', mode: 'paper' });
  });
});
