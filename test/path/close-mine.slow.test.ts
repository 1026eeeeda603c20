import { describe, expect, it } from 'vitest';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place, RESTING, spoilPlacing, spoilReading } from './walk.ts';

const PATH = '/api/v1/positions/close-all';
const MINE = { broker: 'alt', scope: 'mine' };
const DAY_ORDER = { ...BUY, product: 'INTRADAY', broker: 'alt' };

interface Told {
  readonly net: number;
  readonly quantity: number | null;
  readonly status: string;
  readonly reason: string | null;
}

/** Closes what is the key's own, and tells its positions once the closing is over. */
async function closeMine(rig: Rig): Promise<{ end: string; positions: unknown[] }> {
  const { status, body } = await rig.post(PATH, MINE);
  if (status !== 202) throw new Error(JSON.stringify(body));
  await rig.time.advance(120_000);
  const { data } = (await rig.get(`${PATH}/${body.data.id}`)).body;
  const tell = ({ net, quantity, status: of }: Told) => [net, quantity, of];
  return { end: data.status, positions: data.positions.map(tell) };
}

describe('POST /positions/close-all with scope mine', () => {
  it('says of an order with an unknown outcome that it may be a part of what is held', async () => {
    await using rig = await loggedInRig();
    const book = spoilReading(rig, 'error_before', '/orders');
    spoilPlacing(rig, 'hang_after');
    const { body } = await place(rig, DAY_ORDER, 'lost');
    expect(body.data.status).toBe('uncertain');
    const closed = await closeMine(rig);
    expect(closed).toEqual({ end: 'partly_flat', positions: [[10, null, 'kept']] });
    rig.sandbox.faults.remove(book);
    await rig.time.advance(90_000);
    expect(await closeMine(rig)).toEqual({ end: 'flat', positions: [[10, 10, 'flat']] });
  });

  it('leaves what a sale with an unknown outcome may have sold', async () => {
    await using rig = await loggedInRig();
    await place(rig, DAY_ORDER, 'bought');
    await rig.time.advance(2_000);
    spoilReading(rig, 'error_before', '/orders');
    spoilPlacing(rig, 'hang_after');
    const sale = { ...DAY_ORDER, side: 'SELL', quantity: 4, orderType: 'LIMIT', price: 1_530 };
    const { body } = await place(rig, sale, 'lost');
    expect(body.data.status).toBe('uncertain');
    const { body: told } = await rig.post(PATH, MINE);
    const tell = ({ net, quantity, status }: Told) => [net, quantity, status];
    expect(told.data.positions.map(tell)).toEqual([
      [10, 6, 'waiting'],
      [10, null, 'kept'],
    ]);
  });

  it('says so of a refused order that a row without a tag may be', async () => {
    await using rig = await loggedInRig();
    const refusal = kiteRefusals.findIndex(({ reply }) => String(reply.body).includes('dormant'));
    spoilPlacing(rig, 'tag_lost', { params: { mode: 'lost' } });
    spoilPlacing(rig, 'refused_after', { params: { refusal } });
    const { body } = await place(rig, DAY_ORDER, 'refused');
    expect(body.order).toMatchObject({ status: 'rejected', filledQuantity: 0 });
    // A read of the book shows the row.
    expect((await rig.get('/api/v1/orders?broker=alt&maxAgeMs=0')).status).toBe(200);
    await rig.time.advance(1_000);
    const { data } = (await rig.get(`/api/v1/orders/${body.order.id}`)).body;
    expect(data).toMatchObject({ status: 'disputed', filledQuantity: null });
    const closed = await closeMine(rig);
    expect(closed).toEqual({ end: 'partly_flat', positions: [[10, null, 'kept']] });
  });

  it('says so of an order that rested when its book was last read', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...RESTING, product: 'INTRADAY', broker: 'alt' }, 'rests');
    await rig.time.advance(5_000);
    spoilReading(rig, 'error_before', '/orders');
    const [resting] = rig.sandbox.kite.orders().slice(-1);
    rig.sandbox.kite.fillByHand(resting?.orderId ?? '', 10, 147_000);
    const { status, body: told } = await rig.post(PATH, MINE);
    expect(status).toBe(202);
    expect(told.data.positions).toMatchObject([{ instrument: 'NSE:INFY', status: 'kept' }]);
    const [{ reason }] = told.data.positions;
    expect(reason).toBe(
      `how much of ${body.data.id} has filled is not known: 10 of these may be the key's`,
    );
  });

  it('does not count what was bought for the day before', async () => {
    await using rig = await loggedInRig();
    await place(rig, DAY_ORDER, 'yesterday');
    await rig.time.advance(72 * 3_600_000);
    await rig.logIn();
    await rig.time.advance(2_000);
    const by = { instrument: 'NSE:INFY', side: 'BUY', quantity: 10, product: 'intraday' } as const;
    rig.sandbox.kite.placeByHand(by);
    await rig.time.advance(2_000);
    expect(rig.sandbox.kite.positions().map(({ net }) => net)).toEqual([10]);
    expect(await closeMine(rig)).toEqual({ end: 'flat', positions: [] });
  });
});
